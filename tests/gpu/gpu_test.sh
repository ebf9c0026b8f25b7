#!/bin/bash
# Runs a sample's twins on the GPU, untraced and traced: tracing must not change the result, the twins
# must agree, and the report must name the pitfall of the broken twin at its line, and nothing else
# in the fixed one. Exit status 77: skipped.
# Usage: gpu_test.sh BUILD SAMPLE
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"
build=$(cd "$1" && pwd)
sample=$2

if ! has_gpu; then
	echo "skipped: no GPU"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

expected=$(run_untraced "$sample" broken | field checksum)
for twin in broken fixed; do
	trace=$scratch/$(trace_name "$sample" $twin)
	untraced=$(run_untraced "$sample" $twin | field checksum)
	traced=$(run_traced "$sample" $twin "$trace" | field checksum)
	echo "$sample $twin: checksum untraced $untraced, traced $traced"
	if [ -z "$expected" ] || [ "$untraced" != "$expected" ] || [ "$traced" != "$expected" ]; then
		echo "the checksums differ from $expected" >&2
		exit 1
	fi
	"$root/tests/recordings/check_trace.sh" "$build" $twin "$sample" "$trace"
done
