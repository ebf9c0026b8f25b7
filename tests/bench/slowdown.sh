#!/bin/bash
# How much tracing slows the samples down: untraced and traced runs alternate on one machine. Prints
# medians, the spread and the ratio of the medians, of the pipeline's own time and of the whole
# process. Usage: slowdown.sh [RUNS]
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/../gpu/common.sh"
runs=${1:-5}
if ! has_gpu; then
	echo "slowdown.sh: no GPU" >&2
	exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# measure LABEL COMMAND...: appends the command's own time and its wall time, in ms, to two files.
measure() {
	local label=$1 start end own
	shift
	start=${EPOCHREALTIME/[.,]/}
	own=$("$@" | field time)
	end=${EPOCHREALTIME/[.,]/}
	own=${own/./}
	echo $((10#$own)) >>"$scratch/$label.pipeline"
	echo $(((end - start) / 1000)) >>"$scratch/$label.process"
}

# middle FILE: its median, smallest and largest number.
middle() {
	sort -n "$1" | {
		mapfile -t values
		echo "${values[${#values[@]} / 2]} ${values[0]} ${values[-1]}"
	}
}

print_row() {
	local sample=$1 twin=$2 what=$3 a a_low a_high b b_low b_high permille
	read -r a a_low a_high < <(middle "$scratch/untraced.$what")
	read -r b b_low b_high < <(middle "$scratch/traced.$what")
	permille=$((a ? b * 1000 / a : 0))
	printf '%-16s %-7s %-9s %8d (%d..%d) %8d (%d..%d) %5d.%03d\n' "$sample" "$twin" "$what" \
		"$a" "$a_low" "$a_high" "$b" "$b_low" "$b_high" $((permille / 1000)) $((permille % 1000))
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
echo "$runs runs each, alternating; ms: median (smallest..largest); ratio traced / untraced"
for sample in $(all_samples); do
	for twin in broken fixed; do
		rm -f "$scratch"/*traced.*
		for ((i = 0; i < runs; i++)); do
			measure untraced run_untraced "$sample" $twin
			measure traced run_traced "$sample" $twin "$scratch/trace.db"
		done
		print_row "$sample" $twin pipeline
		print_row "$sample" $twin process
	done
done
