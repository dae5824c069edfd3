#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: lab_slurm.sh PES_LAB FIRMWARE_DIRECTORY WORK_DIRECTORY
# A matrix as a job array gives what it gives here, on a cluster of this machine alone: Debian's
# slurmctld and slurmd with files in WORK_DIRECTORY. Skipped (77) without them.
# PES_SLURM_PLUGINS: directory of Slurm's plugins, if it is not where Debian has it.
set -euo pipefail
lab=$1 firmware=$2 work=$3
for command in slurmctld slurmd slurmstepd sbatch sinfo squeue; do
    command -v $command >/dev/null || { echo "skipped: no $command"; exit 77; }
done
plugins=${PES_SLURM_PLUGINS:-/usr/lib/x86_64-linux-gnu/slurm-wlm}
[[ -e $plugins/auth_none.so ]] || { echo "skipped: Slurm without auth/none"; exit 77; }
rm -rf "$work"
mkdir -p "$work"/{state,spool}

# Ports that nobody else has now.
port=$((20000 + $$ % 20000))
host=$(hostname -s)
cat >"$work/slurm.conf" <<EOF
ClusterName=lab
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
PluginDir=$plugins
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF=$work/slurm.conf
slurmctld -D >"$work/slurmctld.out" 2>&1 &
controller=$!
slurmd -D -N "$host" -d "$(command -v slurmstepd)" >"$work/slurmd.out" 2>&1 &
daemon=$!
trap 'kill $daemon $controller 2>/dev/null || true; wait' EXIT
fail() { echo "$1"; tail -n 20 "$work"/slurm*.{out,log}; exit 1; }
wait_for() { # seconds command...
    local until=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [[ $SECONDS -lt $until ]] || fail "timeout: $*"
        kill -0 $controller $daemon || fail "Slurm has ended"
        sleep 0.2
    done
}
node_is_idle() { sinfo -h -o %T | grep -qx idle; }
wait_for 60 node_is_idle

cat "$(dirname "$0")/lab_programs.toml" - >"$work/m.toml" <<'EOF'
[[points]]
methods = ["ideal", "exact", "threshold"]
events = ["cycle", "load"]
samples = [500]
EOF
"$lab" "$work/m.toml" --programs "$firmware" --out "$work/here" --quiet
"$lab" "$work/m.toml" --programs "$firmware" --out "$work/array" --engine slurm --tasks 3 |
    grep -q '^pes-lab: job [0-9]* of 3 tasks' || fail "the job array was not submitted"
queue_is_empty() { [[ -z $(squeue -h) ]]; }
wait_for 300 queue_is_empty
grep -q '^pes-lab: shard 2 of 3: 4 points run$' "$work/array/slurm/2.log" || fail "no share was run"
"$lab" "$work/m.toml" --programs "$firmware" --out "$work/array" --collect |
    grep -q '12 points, 0 of them run now' || fail "not every result was collected"
cmp "$work/here/points.csv" "$work/array/points.csv"
