#!/bin/bash
# Runs sync_matrix on the GPU and checks what NVIDIA promises for every driver. Exit status 77: skipped.
# Usage: sync_matrix_test.sh BUILD
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"
build=$(cd "$1" && pwd)

if ! has_gpu; then
	echo "skipped: no GPU"
	exit 77
fi
matrix=$("$build/$programs/sync_matrix" --csv)
echo "$matrix"
status=0

# expect CALL PENDING_WORK BLOCKED COUNT: so many cells of the call beside a kernel in that pattern of
# streams are blocked (1) or not (0).
expect() {
	local line count=0
	while IFS= read -r line; do
		case $line in
		"\"$1\",12 ms kernel in "$2,*,"$3") count=$((count + 1)) ;;
		esac
	done <<<"$matrix"
	if [ $count != "$4" ]; then
		echo "$1: $count cells '$2' with blocked = $3, expected $4" >&2
		status=1
	fi
}

expect cudaDeviceSynchronize '*' 1 4
expect "cudaStreamSynchronize legacy default" "the legacy*" 1 1
expect "cudaStreamSynchronize idle other" '*' 0 4
expect "cudaMemcpy D2H pinned 1MB" "the legacy*" 1 1
expect "cudaMemcpy D2H pinned 1MB" "a non-blocking*" 0 1
expect "cudaEventRecord other" '*' 0 4
expect "cudaStreamQuery other" '*' 0 4
exit $status
