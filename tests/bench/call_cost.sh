#!/bin/bash
# What tracing adds to a call, and to a whole process, on a machine with a GPU: untraced, streamtrace, the same
# paused (no window is open), CUPTI alone (cupti_floor.c) and (where it is found) Nsight Systems in turn, RUNS
# rounds (default 5) of CALLS calls a loop (default 100000). Prints the median of the rounds and the spread, ns a
# call and ms a process. The profilers' own work after the run is not counted.
# Usage: call_cost.sh [RUNS [CALLS]]
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/../gpu/common.sh"
runs=${1:-5}
calls=${2:-100000}
if ! has_gpu; then
	echo "call_cost.sh: no GPU" >&2
	exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
program=$build/bin/tests/call_cost
nsys=$(command -v nsys || find / -name nsys -path '*target-linux-x64*' -not -path '/proc/*' 2>/dev/null | head -1 || true)

run_untraced_program() {
	"$program" "$calls"
}

run_streamtrace() {
	rm -f "$scratch/trace.db"
	LD_PRELOAD=$build/lib/libstrace.so STREAMTRACE_OUTPUT=$scratch/trace.db "$program" "$calls"
}

run_paused() {
	rm -f "$scratch/paused.db"
	LD_PRELOAD=$build/lib/libstrace.so STREAMTRACE_START=paused STREAMTRACE_OUTPUT=$scratch/paused.db "$program" "$calls"
}

run_cupti() {
	LD_PRELOAD=$build/lib/libcupti_floor.so "$program" "$calls"
}

run_nsys() {
	"$nsys" profile -t cuda -s none --cpuctxsw=none -f true -o "$scratch/profile" "$program" "$calls"
}

# measure NAME: one run; appends each kind's ns and the process' ms to files.
measure() {
	local name=$1 start end kind ns
	start=${EPOCHREALTIME/[.,]/}
	"run_$name" >"$scratch/out" 2>/dev/null
	end=${EPOCHREALTIME/[.,]/}
	while read -r kind ns; do
		case $kind in
		launch | copy | event-record | stream-query) echo "$ns" >>"$scratch/$name.$kind" ;;
		esac
	done <"$scratch/out"
	echo $(((end - start) / 1000)) >>"$scratch/$name.process-ms"
}

names="untraced_program streamtrace paused"
[ ! -e "$build/lib/libcupti_floor.so" ] || names+=" cupti"
[ -z "$nsys" ] || names+=" nsys"
for ((i = 0; i < runs; i++)); do
	for name in $names; do
		measure "$name"
	done
done
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
echo "$runs runs each, in turn; ns a call: median (smallest..largest)"
for kind in launch copy event-record stream-query process-ms; do
	for name in $names; do
		sort -n "$scratch/$name.$kind" | {
			mapfile -t values
			printf '%-14s %-18s %8s (%s..%s)\n' $kind "$name" "${values[${#values[@]} / 2]}" \
				"${values[0]}" "${values[-1]}"
		}
	done
done
if [ -e "$scratch/trace.db" ]; then
	"$build/bin/streamtrace" info "$scratch/trace.db" | sed -n '/^OPERATION/,$p'
fi
