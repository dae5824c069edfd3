#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/area.sh [OPTION...]
#   --package FILE   generated package of the RTL (default: build/release/hw/hpm/rtl/pes_hpm_pkg.sv)
#   --counters N     programmable counters; may be repeated (default: 1, 6, 29)
#   --page FILE      also write the table between the marks of this page (docs/rtl-counters.md)
# Synthesises the counters in RTL with yosys for Xilinx 7-series FPGAs (synth_xilinx -flatten) and prints LUTs
# and flip-flops: the counters alone, then with thresholds, sample buffer, sample capture and the registers of
# Sspesa added one after the other. Yosys of Debian 12 reads a part of SystemVerilog, so the script first rewrites the sources for it;
# what they describe stays the same.
# Exit code 2: yosys is not installed, or a mistake on the command line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

package=build/release/hw/hpm/rtl/pes_hpm_pkg.sv
counters=()
page=

while [[ $# -gt 0 ]]; do
    [[ $# -ge 2 ]] || { echo "area: $1 needs a value, see the head of scripts/area.sh" >&2; exit 2; }
    case $1 in
    --package) package=$2 ;;
    --counters)
        [[ $2 =~ ^[0-9]+$ && $2 -le 29 ]] || { echo "area: --counters got '$2', expected 0 to 29" >&2; exit 2; }
        counters+=("$2")
        ;;
    --page) page=$2 ;;
    *) echo "area: $1 is not an option, see the head of scripts/area.sh" >&2; exit 2 ;;
    esac
    shift 2
done
[[ ${#counters[@]} -gt 0 ]] || counters=(1 6 29)
if ! command -v yosys >/dev/null; then
    echo "area: yosys is not installed, expected Debian's package yosys" >&2
    exit 2
fi
if [[ ! -r $package ]]; then
    echo "area: cannot read '$package', expected the package that the target pes_rtl_package writes" >&2
    exit 2
fi
if [[ -n $page ]] && ! grep -q '^<!-- area: ' "$page"; then
    echo "area: '$page' has no marks '<!-- area: ... -->' and '<!-- end of area -->'" >&2
    exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Bits of a type of the package, as a number: `typedef logic [60:0] sources_t;` or [NAME-1:0].
type_bits() {
    local high
    high=$(sed -nE "s/^ *typedef logic \[([^:]+):0\] $1;.*/\1/p" "$package")
    if [[ $high == *-1 ]]; then
        sed -nE "s/^ *localparam int unsigned ${high%-1} = ([0-9]+);.*/\1/p" "$package"
    else
        echo $((high + 1))
    fi
}

# Names that modules take from the package.
names=$(sed -nE 's/^ *localparam [^=]*[ ]([A-Za-z0-9_]+) = .*/\1/p
                 s/^ *typedef .*[ ]([a-z0-9_]+)( \[32\])?;.*/\1/p
                 s/^ *function automatic [^(]*[ ]([a-z0-9_]+)\(.*/\1/p' "$package" | paste -sd '|')

# An array of 64-bit values becomes one vector, and its elements parts of it.
sed -E 's/typedef logic \[63:0\] values_t \[32\];/typedef logic [2047:0] values_t;/' "$package" >"$work/package.sv"

# The other arrays become registers (mem2reg). Names of the package are qualified, named connections are
# written out, and loop variables are declared by the module or the function.
rewrite() {
    sed -E -e 's,//.*,,' -e '/^ *import pes_hpm_pkg::\*;/d' \
        -e 's/\b(value_o|file_value|value_i|threshold_i|retire_pc_i)\[([^]:]+)\]/\1[64*(\2)+:64]/g' \
        -e 's/\[1:0\]\[63:0\]/[127:0]/' -e 's/\[1:0\]\[(Retire\w+)-1:0\]/[2*\1-1:0]/' \
        -e "s/(^|[^.'\$A-Za-z0-9_\x01])($names)\b/\1\x01\2/g" \
        -e "s/(^|[^.'\$A-Za-z0-9_\x01])($names)\b/\1\x01\2/g" -e 's/\x01/pes_hpm_pkg::/g' \
        -e "s/pes_hpm_pkg::sources_t'/$(type_bits sources_t)'/g" \
        -e "s/pes_hpm_pkg::selector_t'/$(type_bits selector_t)'/g" \
        -e 's/^( *)(.*) \[32\];/\1(* mem2reg *) \2 [0:31];/' \
        -e "s/(\w+) +<= '\{default: '0\};/for (loop = 0; loop < 32; loop++) \1[loop] <= '0;/" \
        -e 's/^( *)\.(\w+)(,?) *$/\1.\2(\2)\3/' \
        -e "s/int'\(/32'(/g" -e 's/for \(int n\b/for (n/' \
        -e '/function automatic/{/\bn\b/!s/$/ integer n;/}' -e '0,/^\);/s/^\);/);\n  integer n, loop;/'
}
for module in counter threshold sample_buffer sample_capture sample_registers counter_file; do
    rewrite <"hw/hpm/rtl/pes_$module.sv" >"$work/pes_$module.sv"
done
# In the outermost module two more arrays have this type.
rewrite <hw/hpm/rtl/pes_hpm.sv | sed -E 's/\b(value|threshold)\[([^]:]+)\]/\1[64*(\2)+:64]/g' >"$work/pes_hpm.sv"

# LUTs, flip-flops and carry chains of a shape, separated by blanks.
synthesise() { # counters thresholds buffer capture sspesa
    local log=$work/yosys.log
    yosys -Q -p "read_verilog -sv -noautowire $work/package.sv $(printf '%s ' "$work"/pes_*.sv)
        chparam -set NumCounters $1 -set Thresholds $2 -set SampleBuffer $3 -set SampleCapture $4 -set Sspesa $5 pes_hpm
        synth_xilinx -flatten -noiopad -noclkbuf -top pes_hpm
        tee -o $work/stat.txt stat" >"$log" 2>&1 || { tail -n 3 "$log" >&2; exit 1; }
    awk '$1 ~ /^LUT[1-6]$/ { lut += $2 } $1 ~ /^FD[A-Z]+(_1)?$/ { ff += $2 } $1 == "CARRY4" { carry = $2 }
         END { print lut + 0, ff + 0, carry + 0 }' "$work/stat.txt"
}

table() {
    echo "| programmable counters | parts | LUT | FF | CARRY4 |"
    echo "| ---: | --- | ---: | ---: | ---: |"
    for number in "${counters[@]}"; do
        while read -r thresholds buffer capture sspesa parts; do
            cells=$(synthesise "$number" "$thresholds" "$buffer" "$capture" "$sspesa") || exit 1
            read -r lut ff carry <<<"$cells"
            echo "| $number | $parts | $lut | $ff | $carry |"
        done <<'SHAPES'
0 0 0 0 counters alone
1 0 0 0 thresholds
1 1 0 0 thresholds, sample buffer
1 1 1 0 thresholds, sample buffer, sample capture
1 1 1 1 thresholds, sample buffer, sample capture, Sspesa
SHAPES
    done
    printf '\n%s, `synth_xilinx -flatten`.\n' "$(yosys -V | cut -d' ' -f1,2)"
}

table | tee "$work/table.md"
if [[ -n $page ]]; then
    awk -v table="$work/table.md" '
        /^<!-- end of area -->/ { while ((getline line < table) > 0) print line; print ""; inside = 0 }
        !inside { print }
        /^<!-- area: / { print ""; inside = 1 }' "$page" >"$work/page.md"
    cat "$work/page.md" >"$page"
fi
