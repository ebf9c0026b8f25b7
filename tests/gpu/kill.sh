#!/bin/bash
# What a traced program recorded survives SIGKILL: kill.py on a machine with a GPU. About 40 s.
# Exit status 77: skipped.
# Usage: kill.sh BUILD [KILLS [SEED]]
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"
if ! has_gpu; then
	echo "skipped: no GPU"
	exit 77
fi
exec python3 "$(dirname "$0")/kill.py" "$@"
