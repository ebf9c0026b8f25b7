#!/bin/bash
# NVTX ranges on a GPU, with a shared and a static cudart, and under PyTorch where there is one: what is in the
# trace, what the report says, and what a range costs. Exit status 77: skipped.
# Usage: nvtx.sh BUILD
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"
build=$(cd "$1" && pwd)

if ! has_gpu; then
	echo "skipped: no GPU"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

# number SQL: of the trace.
number() {
	python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$scratch/trace.db" "$1"
}

# expect WHAT VALUE WANTED
expect() {
	[ "$2" = "$3" ] || {
		echo "$1: $2, not $3" >&2
		status=1
	}
}

# The names are those of strings; a call is in a range of its thread that it begins in.
names="nvtx_ranges r LEFT JOIN strings s ON s.id = r.name_id"
for program in nvtx nvtx_static; do
	echo "== $program"
	"$build/bin/tests/$program" >"$scratch/untraced"
	rm -f "$scratch/trace.db"
	LD_PRELOAD=$build/lib/libstrace.so STREAMTRACE_OUTPUT=$scratch/trace.db \
		"$build/bin/tests/$program" >"$scratch/traced"
	cmp "$scratch/untraced" "$scratch/traced" || status=1
	"$build/bin/streamtrace" unpack "$scratch/trace.db"
	expect "nvtx" "$(number "SELECT value FROM metadata WHERE key = 'nvtx'")" on
	expect "run" "$(number "SELECT count(*) FROM $names WHERE s.text = 'run' AND end_ns IS NOT NULL")" 1
	expect "load" "$(number "SELECT count(*) FROM $names WHERE s.text = 'load'")" 20
	expect "forward" "$(number "SELECT count(*) FROM $names JOIN strings d ON d.id = r.domain_id
		WHERE s.text = 'forward' AND d.text = 'train' AND color = 4278233600")" 20
	expect "threads" "$(number "SELECT count(DISTINCT thread_id) FROM $names WHERE s.text = 'on a thread'")" 3
	expect "started" "$(number "SELECT count(*) FROM $names WHERE s.text = 'all steps' AND NOT is_pushed")" 1
	expect "copies in load" "$(number "SELECT count(*) FROM $names JOIN named_calls c
		ON c.thread_id = r.thread_id AND c.start_ns BETWEEN r.start_ns AND r.end_ns
		WHERE c.class = 'copy' AND s.text = 'load'")" 20
	expect "losses" "$(number "SELECT count(*) FROM losses WHERE kind = 'range-lost'")" 0
	"$build/bin/streamtrace" report --no-measure "$scratch/trace.db" >"$scratch/report"
	tr -s ' \n' ' ' <"$scratch/report" | grep -q 'in NVTX range "load"' || {
		cat "$scratch/report"
		status=1
	}
	for pattern in load 'step 7' run; do
		"$build/bin/streamtrace" report --no-measure --nvtx="$pattern" "$scratch/trace.db" >"$scratch/report"
		grep -Eq '^1\. +pageable-copy' "$scratch/report" || expect "--nvtx=$pattern" nothing pageable-copy
	done
	"$build/bin/streamtrace" report --no-measure --nvtx='no such range' "$scratch/trace.db" >"$scratch/report"
	grep -q '^1\. ' "$scratch/report" && expect "--nvtx of none" something nothing
	"$build/bin/streamtrace" export --format=nsys -o "$scratch/nsys.sqlite" "$scratch/trace.db" >/dev/null
	if command -v nsys >/dev/null; then
		nsys stats -r nvtx_pushpop_sum,nvtx_startend_sum "$scratch/nsys.sqlite" || status=1
	fi
	rm -f "$scratch/nsys.sqlite"
done

echo "== a push and a pop: untraced, traced, paused"
"$build/bin/tests/nvtx" cost
LD_PRELOAD=$build/lib/libstrace.so STREAMTRACE_OUTPUT=$scratch/cost.db "$build/bin/tests/nvtx" cost
LD_PRELOAD=$build/lib/libstrace.so STREAMTRACE_OUTPUT=$scratch/cost.db STREAMTRACE_START=paused \
	"$build/bin/tests/nvtx" cost
if command -v nsys >/dev/null; then
	echo "== under Nsight Systems"
	nsys profile -t cuda,nvtx -s none --cpuctxsw=none -o "$scratch/theirs" "$build/bin/tests/nvtx" cost | grep 'ns a range'
	nsys profile -t cuda,nvtx -s none --cpuctxsw=none -o "$scratch/work" "$build/bin/tests/nvtx" >/dev/null
	nsys export -t sqlite -o "$scratch/work.sqlite" "$scratch/work.nsys-rep" >/dev/null
	"$build/bin/streamtrace" report --no-measure "$scratch/work.sqlite" | tr -s ' \n' ' ' |
		grep -q 'in NVTX range "load"' || expect "their export" "no range" load
fi

if python3 -c 'import torch' 2>/dev/null; then
	echo "== PyTorch"
	rm -f "$scratch/trace.db"
	LD_PRELOAD=$build/lib/libstrace.so STREAMTRACE_OUTPUT=$scratch/trace.db python3 -c 'if True:
		import torch
		x = torch.ones(1 << 20, device="cuda", requires_grad=True)
		for i in range(5):
			with torch.cuda.nvtx.range("step"):
				torch.cuda.nvtx.range_push("forward")
				y = (x * i).sum()
				torch.cuda.nvtx.range_pop()
				y.backward()
				y.item()
		with torch.autograd.profiler.emit_nvtx():
			(x * 2).sum().item()'
	expect "PyTorch's steps" "$(number "SELECT count(*) FROM $names WHERE s.text = 'step'")" 5
	expect "PyTorch's forward" "$(number "SELECT count(*) FROM $names WHERE s.text = 'forward'")" 5
	expect "PyTorch's operators" "$(number "SELECT count(*) > 0 FROM $names WHERE s.text LIKE 'aten::mul%'")" 1
	number "SELECT group_concat(DISTINCT s.text) FROM $names"
fi
exit $status
