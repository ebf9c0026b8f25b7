#!/bin/bash
# NCCL's calls on two GPUs, under PyTorch: what is in the traces, and what a call costs. Exit status 77: skipped.
# Usage: nccl.sh BUILD
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

nccl=$(python3 -c 'import torch
if torch.cuda.device_count() > 1:
	torch.cuda.nccl.version()
	print(next(line.split()[-1] for line in open("/proc/self/maps") if "libnccl.so" in line))' 2>/dev/null || true)
if [ -z "$nccl" ]; then
	echo "skipped: no two GPUs, or no PyTorch with NCCL"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

# run_ranks OUT [COMMAND...]: both ranks, whose lines go to OUT in the order of their ranks.
run_ranks() {
	local out=$1
	shift
	timeout 120 "$@" torchrun --nproc-per-node 2 --master-port $((29500 + RANDOM % 400)) \
		"$here/nccl_ddp.py" "$how" 2>"$scratch/errors" | sort >"$out" || {
		cat "$scratch/errors" >&2
		status=1
	}
}

for how in eager lazy; do
	echo "== PyTorch, $how"
	mkdir "$scratch/$how"
	run_ranks "$scratch/untraced"
	run_ranks "$scratch/traced" "$build/bin/streamtrace" run -o "$scratch/$how/%r.db"
	cmp "$scratch/untraced" "$scratch/traced" || status=1
	for rank in 0 1; do
		"$build/bin/streamtrace" info "$scratch/$how/$rank.db" |
			sed -n '/^COMMUNICATOR/,/^$/s/, rank [01] of 2//p' >"$scratch/$rank"
	done
	cat "$scratch/0"
	cmp "$scratch/0" "$scratch/1" || status=1
	awk '$(NF - 1) != $NF { exit 1 }' "$scratch/0" || {
		echo "collectives without a kernel" >&2
		status=1
	}
done

# one PRELOAD: ns a call of ncclAllReduce().
one() {
	LD_LIBRARY_PATH=$(dirname "$nccl"):${LD_LIBRARY_PATH-} LD_PRELOAD=$1 STREAMTRACE_QUIET=1 \
		STREAMTRACE_OUTPUT=$scratch/cost.%p.db "$build/bin/tests/nccl_calls"
	rm -f "$scratch"/cost.*
}
echo "== ns a call of ncclAllReduce, alone and in a group: untraced, traced"
for ((round = 0; round < 7; round++)); do
	echo "$(one "") $(one "$build/lib/libstrace.so")"
done | tee "$scratch/rounds"
for column in 1 2 3 4; do
	cut -d ' ' -f $column "$scratch/rounds" | sort -n | sed -n 4p
done | paste -sd ' ' | sed 's/^/medians: /'
exit $status
