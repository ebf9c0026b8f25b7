#!/bin/bash
# Runs a program of samples/quiet/ on the GPU, untraced and traced: tracing must not change the result,
# and the report must find nothing, though it saw the program's kernels. Exit status 77: skipped.
# Usage: quiet_test.sh BUILD NAME
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"
build=$(cd "$1" && pwd)
name=$2
programs=bin/samples/quiet

if ! has_gpu; then
	echo "skipped: no GPU"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trace=$scratch/$name.db

expected=$(run_untraced "$name" quiet | field checksum)

# A neighbour on the bus can delay copies: a loss that is there. Up to three times, as gpu_test.sh.
for attempt in 1 2 3; do
	traced=$(run_traced "$name" quiet "$trace" | field checksum)
	echo "$name: checksum untraced $expected, traced $traced"
	if [ -z "$expected" ] || [ "$traced" != "$expected" ]; then
		echo "the checksums differ" >&2
		exit 1
	fi
	if ! [[ $("$build/bin/streamtrace" info "$trace") =~ kernel\ +[1-9] ]]; then
		echo "no kernel is in the trace" >&2
		exit 1
	fi
	findings=$("$build/bin/streamtrace" report --format json "$trace" |
		"$build/bin/tests/check_report" list -)
	if [ -z "$findings" ]; then
		exit 0
	fi
	echo "attempt $attempt: there are findings: $findings" >&2
	"$build/bin/streamtrace" report "$trace"
done
exit 1
