// SPDX-License-Identifier: Apache-2.0
// Floating point: bodies that attract each other, a Mandelbrot set, a polynomial, square roots by
// Newton's method, and a product of matrices of doubles.
#include "tb/lab/programs/lab.h"

enum { kBodies = 5, kSize = 24, kSamples = 256 };

struct body {
    double x, y, z, vx, vy, vz, mass;
};

static struct body bodies[kBodies];
static double left[kSize][kSize], right[kSize][kSize], product[kSize][kSize];
static float samples[kSamples];

HOT double square_root(double number) {
    double guess = number > 1 ? number : 1;
    for (int i = 0; i < 40; ++i) {
        const double next = 0.5 * (guess + number / guess);
        if (next >= guess) {
            break;
        }
        guess = next;
    }
    return guess;
}

HOT void attract(double step) {
    for (int i = 0; i < kBodies; ++i) {
        for (int j = i + 1; j < kBodies; ++j) {
            struct body* a = &bodies[i];
            struct body* b = &bodies[j];
            const double dx = a->x - b->x;
            const double dy = a->y - b->y;
            const double dz = a->z - b->z;
            const double square = dx * dx + dy * dy + dz * dz + 0.01;
            const double force = step / (square * square_root(square));
            a->vx -= dx * b->mass * force;
            a->vy -= dy * b->mass * force;
            a->vz -= dz * b->mass * force;
            b->vx += dx * a->mass * force;
            b->vy += dy * a->mass * force;
            b->vz += dz * a->mass * force;
        }
    }
}

HOT void move(double step) {
    for (int i = 0; i < kBodies; ++i) {
        bodies[i].x += step * bodies[i].vx;
        bodies[i].y += step * bodies[i].vy;
        bodies[i].z += step * bodies[i].vz;
    }
}

HOT int mandelbrot(double real, double imaginary) {
    double x = 0;
    double y = 0;
    int turn = 0;
    while (turn < 60 && x * x + y * y < 4.0) {
        const double next = x * x - y * y + real;
        y = 2 * x * y + imaginary;
        x = next;
        ++turn;
    }
    return turn;
}

HOT void multiply(void) {
    for (int row = 0; row < kSize; ++row) {
        for (int column = 0; column < kSize; ++column) {
            double sum = 0;
            for (int k = 0; k < kSize; ++k) {
                sum += left[row][k] * right[k][column];
            }
            product[row][column] = sum;
        }
    }
}

HOT float filter(void) {
    float sum = 0;
    for (int i = 2; i < kSamples; ++i) {
        samples[i] = 0.5F * samples[i] + 0.3F * samples[i - 1] + 0.2F * samples[i - 2];
        sum += samples[i];
    }
    return sum;
}

HOT double polynomial(double x) {
    static const double kFactors[] = {1, 1, 0.5, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720};
    double sum = 0;
    for (int i = 6; i >= 0; --i) {
        sum = sum * x + kFactors[i];
    }
    return sum;
}

int main(void) {
    uint64_t random = 9;
    for (int i = 0; i < kBodies; ++i) {
        bodies[i].x = next_random(&random) % 16;
        bodies[i].y = next_random(&random) % 16;
        bodies[i].z = next_random(&random) % 16;
        bodies[i].mass = 1 + next_random(&random) % 4;
    }
    for (int i = 0; i < kSize * kSize; ++i) {
        left[i / kSize][i % kSize] = next_random(&random) % 8;
        right[i / kSize][i % kSize] = next_random(&random) % 8;
    }
    for (int i = 0; i < kSamples; ++i) {
        samples[i] = (float)(next_random(&random) % 100);
    }
    int inside = 0;
    double sum = 0;
    for (unsigned round = 0; round < 10 * ROUNDS; ++round) {
        for (int step = 0; step < 12; ++step) {
            attract(0.01);
            move(0.01);
        }
        for (int i = 0; i < 60; ++i) {
            inside += mandelbrot(-2.0 + i * 0.05, round * 0.02) == 60;
        }
        multiply();
        sum += product[round % kSize][round % kSize] + filter();
        for (int i = 0; i < 200; ++i) {
            sum += polynomial(i * 0.005);
        }
    }
    const double root = square_root(2.0);
    return inside == 0 || sum < 1 || root < 1.41421 || root > 1.41422;
}
