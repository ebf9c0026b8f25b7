#!/bin/bash
# Tracing adds no wait for the device and leaves every error as it is: runs no_sync untraced and traced,
# with a shared and with a static cudart, and compares status and stdout. Prints a line a run.
# Exit status 77: skipped.
# Usage: no_sync.sh BUILD
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

# run_part PROGRAM PART [ENVIRONMENT...]: its status; stdout goes to a file.
run_part() {
	local program=$1 part=$2 rc=0
	shift 2
	timeout -k 5 40 env "$@" "$build/bin/tests/$program" "$part" >"$scratch/out" || rc=$?
	return $rc
}

status=0
for program in no_sync no_sync_static; do
	for part in spin errors; do
		untraced=0 traced=0 verdict=same
		run_part $program $part || untraced=$?
		mv "$scratch/out" "$scratch/untraced"
		rm -f "$scratch/trace.db"
		run_part $program $part "LD_PRELOAD=$build/lib/libstrace.so" \
			"STREAMTRACE_OUTPUT=$scratch/trace.db" || traced=$?
		if [ $untraced != 0 ] || [ $traced != 0 ] || [ ! -e "$scratch/trace.db" ] ||
			! diff "$scratch/untraced" "$scratch/out"; then
			verdict=DIFFERS status=1
		fi
		printf '%-16s %-7s untraced %d, traced %d, %d lines: %s\n' $program $part \
			$untraced $traced "$(wc -l <"$scratch/out")" $verdict
	done
done
exit $status
