#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Between pes-vp and the reference flow of E-Trace.
#
# Usage: etrace_reference.py strip TRACE.toml TRACE OUTPUT
# The payloads of a trace as they are, each behind a byte with its length and the reference flow's
# type of message; without srcID, timestamps and null packets. Of source N in OUTPUT with ".N" before
# its suffix.
#
# Usage: etrace_reference.py ingress OBJDUMP PROGRAM.elf COMMITS
# The input of the reference encoder for instructions that retired one after the other, in M-mode and
# without traps: one address a line.
#
# Usage: etrace_reference.py spike OBJDUMP PROGRAM.elf TEST.spike_pc_trace RETIRED
# The same for a test of the reference flow, from the program's first instruction on; RETIRED gets the
# address of each instruction that retires.
import csv
import os
import re
import subprocess
import sys

TE_INST = 2
NOT_TAKEN, TAKEN, UNINFERABLE = 4, 5, 6  # itype of 3 bits
BRANCHES = re.compile(r"(beq|bne|blt|bge|bltu|bgeu|c\.beqz|c\.bnez)$")


def description(path):
    values = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"(\w+) = (\d+)$", line)
            if match:
                values[match[1]] = int(match[2])
    return values


def payloads(trace, source_bits, timestamp_bytes):
    """(source, payload) of each packet."""
    place = 0
    while place < len(trace):
        header = trace[place]
        length = header & 0x1F
        if length == 0:
            place += 1
            continue
        time = timestamp_bytes if header & 0x80 else 0
        size = source_bits // 8 + time + length
        body = trace[place + 1 : place + 1 + size]
        assert len(body) == size, "the trace ends inside a packet"
        skipped = source_bits + 8 * time
        value = int.from_bytes(body, "little", signed=True)
        source = int.from_bytes(body, "little") & ((1 << source_bits) - 1)
        payload_bytes = (8 * size - skipped + 7) // 8
        yield source, (value >> skipped).to_bytes(payload_bytes, "little", signed=True)
        place += 1 + size


def strip(toml, trace, output):
    values = description(toml)
    timestamp_bytes = (values["timestamp_bits"] + 7) // 8
    stem, suffix = os.path.splitext(output)
    with open(trace, "rb") as file:
        data = file.read()
    streams = {}
    for source, payload in payloads(data, values["source_bits"], timestamp_bytes):
        stream = streams.setdefault(source, bytearray())
        stream += bytes([TE_INST << 5 | len(payload)]) + payload
    for source, stream in streams.items():
        with open(f"{stem}.{source}{suffix}", "wb") as file:
            file.write(stream)


def instructions(objdump, program):
    """address: (bytes, name, operands)."""
    listing = subprocess.run(
        [objdump, "-M", "no-aliases", "-d", program], stdout=subprocess.PIPE, check=True, text=True
    )
    found = {}
    for line in listing.stdout.splitlines():
        fields = line.split("\t")
        if len(fields) >= 3:
            size = len(fields[1].strip()) // 2
            operands = fields[3] if len(fields) > 3 else ""
            found[int(fields[0].strip().rstrip(":"), 16)] = (size, fields[2], operands)
    return found


def itype(name, taken):
    if BRANCHES.match(name):
        return TAKEN if taken else NOT_TAKEN
    return UNINFERABLE if name in ("jalr", "c.jr", "c.jalr") else 0


HEADER = "itype_0,cause,tval,priv,iaddr_0,context,ctype,iretire_0,ilastsize_0"


def spike(objdump, program, trace, retired):
    code = instructions(objdump, program)
    with open(trace, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["ADDRESS"], 16) in code]
    print(HEADER)
    addresses = [int(row["ADDRESS"], 16) for row in rows]
    with open(retired, "w", encoding="utf-8") as file:
        for row, address, behind in zip(rows, addresses, addresses[1:] + [0]):
            size, name, _ = code[address]
            traps = row["EXCEPTION"] == "1"
            kind = 1 if traps else itype(name, behind != address + size)
            print(
                f"{kind},{row['ECAUSE']},{row['TVAL']},{row['PRIVILEGE']},{address:x},0,0,"
                f"{0 if traps else 1},{size // 4}"
            )
            if not traps:
                file.write(f"{address:#x}\n")


def ingress(objdump, program, commits):
    code = instructions(objdump, program)
    with open(commits, encoding="utf-8") as file:
        addresses = [int(line, 16) for line in file]
    print(HEADER)
    following = addresses[1:] + [addresses[-1] + code[addresses[-1]][0]]
    for address, behind in zip(addresses, following):
        size, name, _ = code[address]
        kind = itype(name, behind != address + size)
        print(f"{kind},0,0,3,{address:x},0,0,1,{size // 4}")


if __name__ == "__main__":
    {"strip": strip, "ingress": ingress, "spike": spike}[sys.argv[1]](*sys.argv[2:])
