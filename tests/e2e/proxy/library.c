// SPDX-License-Identifier: Apache-2.0
// What one thread of a C program asks of Linux: arguments, memory, files, time. Prints only what is
// the same everywhere.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static __thread int per_thread = 42;

static uint64_t memory(void) {
    uint64_t sum = 0;
    char* blocks[64] = {0};
    for (unsigned turn = 0; turn < 2000; ++turn) { // small ones from the heap, large ones from mmap
        char** const block = &blocks[turn * 7 % 64];
        const size_t size = turn % 9 == 0 ? 200000 + turn * 11 : turn * 13 % 3000 + 1;
        *block = realloc(*block, size);
        (*block)[0] = (char)turn;
        (*block)[size - 1] = (char)(turn >> 3);
        sum = sum * 31 + (unsigned char)(*block)[0] + (unsigned char)(*block)[size - 1];
    }
    for (unsigned i = 0; i < 64; ++i) {
        free(blocks[i]);
    }
    char* const pages =
        mmap(NULL, 10 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, 7, 10 * 4096);
    munmap(pages + 3 * 4096, 2 * 4096);
    char* const again = mmap(pages + 3 * 4096, 4096, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    sum = sum * 31 + (uint64_t)(again == pages + 3 * 4096) + (uint64_t)again[100] +
          (uint64_t)pages[9 * 4096];
    munmap(pages, 10 * 4096);
    return sum;
}

static void files(void) {
    enum { kSize = 300001 };
    static char written[kSize], back[kSize];
    for (unsigned i = 0; i < kSize; ++i) {
        written[i] = (char)(i * 2654435761U >> 24);
    }
    const int file = open("./data.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);
    printf("write %zd\n", write(file, written, kSize));
    struct stat status;
    printf("size %d %lld regular %d\n", fstat(file, &status), (long long)status.st_size,
           S_ISREG(status.st_mode) != 0);
    printf("seek %lld\n", (long long)lseek(file, 1000, SEEK_SET));
    printf("read %zd same %d\n", read(file, back, kSize),
           memcmp(back, written + 1000, kSize - 1000) == 0);
    printf("end %zd\n", read(file, back, 10));
    struct iovec parts[3] = {{written, 100}, {written, 0}, {written + 100, 4000}};
    printf("writev %zd\n", writev(file, parts, 3));
    const char* const mapped = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, file, 4096);
    printf("mapped %d\n", mapped != MAP_FAILED && memcmp(mapped, written + 4096, 8192) == 0);
    printf("close %d\n", close(file));
    printf("closed %zd %d\n", write(file, written, 1), errno == EBADF);
    printf("missing %d %d\n", open("missing", O_RDONLY), errno == ENOENT);
    printf("stat %d %d %lld\n", stat("data.bin", &status), stat("missing", &status), 0LL);
    FILE* const text = fopen("text", "w+");
    for (int i = 0; i < 1000; ++i) {
        fprintf(text, "line %d %g\n", i, i / 3.0);
    }
    rewind(text);
    char line[80];
    unsigned length = 0;
    while (fgets(line, sizeof line, text) != NULL) {
        length += (unsigned)strlen(line);
    }
    printf("text %u %d\n", length, fclose(text));
    const void* volatile nowhere = (void*)8;
    errno = 0;
    printf("fault %zd %d\n", write(1, nowhere, 5), errno == EFAULT);
}

static void times(void) {
    struct timespec before, after;
    const struct timespec pause = {0, 2000000};
    clock_gettime(CLOCK_MONOTONIC, &before);
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    const int64_t passed =
        (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
    printf("slept %d %d\n", passed >= 2000000, clock() != (clock_t)-1);
}

int main(int count, char** words) {
    for (int i = 0; i < count; ++i) {
        printf("argument %d is %s\n", i, words[i]);
    }
    printf("end %d page %lu thread %d\n", words[count] == NULL, getauxval(AT_PAGESZ), per_thread++);
    printf("memory %llu\n", (unsigned long long)memory());
    files();
    times();
    unsigned char seed[32] = {0};
    int any = 0;
    if (getrandom(seed, sizeof seed, 0) == (ssize_t)sizeof seed) {
        for (unsigned i = 0; i < sizeof seed; ++i) {
            any |= seed[i];
        }
    }
    printf("random %d terminal %d\n", any != 0, isatty(1));
    char line[100];
    while (fgets(line, sizeof line, stdin) != NULL) {
        printf("read %s", line);
    }
    printf("end of input %d\n", feof(stdin) != 0);
    fflush(stdout);
    fprintf(stderr, "done\n");
    return 300;
}
