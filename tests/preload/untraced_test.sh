#!/bin/bash
# What `streamtrace run` says where it has no trace: untraced_test.sh STREAMTRACE NVTX_APP FAKE_FOLDER
set -euo pipefail

streamtrace=$1 app=$2
export LD_LIBRARY_PATH=$3 STREAMTRACE_EXIT_TIMEOUT_MS=3600000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# check STATUS CAUSE [NAME=VALUE]... streamtrace run ...: that the cause, and no other, is said.
check() {
	local status=$1 cause=$2 got=0
	shift 2
	env "$@" >/dev/null 2>said || got=$?
	[ "$got" = "$status" ] && grep -qxF -- "streamtrace: no trace was written: $cause" said && return
	echo "status $got, not $status, or not said: $cause"
	cat said
	exit 1
}

none="made no CUDA call; what it starts in a container, as another user or as a static program is not traced"
run=("$streamtrace" run)

check 5 "true $none" "${run[@]}" true
check 5 "sh $none" "${run[@]}" sh -c 'true; sh -c "exec true"; exec true'
check 5 "python3 $none" "${run[@]}" python3 -c 'import os; os._exit(0)'
check 5 "true $none" STREAMTRACE_START=paused "${run[@]}" true
check 5 "true $none" "${run[@]}" --steps=3:5 true
check 137 "sh $none" "${run[@]}" sh -c 'kill -9 $$'
check 5 "$app loaded CUDA (libcuda or libcudart), but made no call that waits or enqueues work" "${run[@]}" "$app" no-cuda
check 5 "STREAMTRACE_DISABLE=yes turns tracing off" STREAMTRACE_DISABLE=yes "${run[@]}" "$app" nested
check 5 "STREAMTRACE_DISABLE turns tracing off in what env runs, or in a part of it" "${run[@]}" env STREAMTRACE_DISABLE=1 "$app" nested
check 5 "no program with a name of STREAMTRACE_PROGRAMS=b* made a CUDA call" 'STREAMTRACE_PROGRAMS=b*' "${run[@]}" \
	"$app" nested
check 5 "STREAMTRACE_PROGRAMS turns tracing off in what env runs, or in a part of it" "${run[@]}" \
	env 'STREAMTRACE_PROGRAMS=b*' "$app" nested
check 5 "/proc/none.db could not be written" STREAMTRACE_QUIET=1 "${run[@]}" -o /proc/none.db "$app" nested
check 5 "/proc/none.db could not be written, for the reason above" "${run[@]}" -o /proc/none.db "$app" nested

# Steps: none was begun, too few were, or the program made no call in them.
how='--step=NAME chooses other ranges, nvtxRangePush("step") or torch.cuda.nvtx.range_push("step") begins one'
check 5 "--steps=3:5, and $app began no step: no NVTX range has step, iter, batch or frame in its name; $how" \
	"${run[@]}" --steps=3:5 "$app" nested
check 5 "--steps=3:5, and $app began no step: no NVTX range has epoch in its name; $how" \
	"${run[@]}" --steps=3:5 --step=epoch "$app" steps
check 5 "--steps=30:35, and $app began only 10 steps" "${run[@]}" --steps=30:35 "$app" steps
