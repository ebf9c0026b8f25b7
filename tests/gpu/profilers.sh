#!/bin/bash
# Programs that another profiler observes, too: one with a CUPTI subscriber of its own, one under Nsight
# Systems, one that uses torch.profiler. Their stdout must be as untraced, and the trace must have
# the operations, or say who has them and have the calls. Prints a Markdown table. What is not
# installed is left out, with a word. Exit status 77: skipped.
# Usage: profilers.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/gpu/common.sh
. "$here/common.sh"
# shellcheck source=tests/gpu/nsys.sh
. "$here/nsys.sh"
build=$(cd "$1" && pwd)

if ! has_gpu; then
	echo "skipped: no GPU"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
preload=(LD_PRELOAD="$build/lib/libstrace.so" STREAMTRACE_OUTPUT="$scratch/trace.db")

# judge NAME RC LAUNCHES [shut-out]: of the run whose stdout and trace are in the scratch folder.
judge() {
	if [ "$2" != 0 ] || ! diff "$scratch/untraced" "$scratch/traced" >&2; then
		echo "$1: tracing changed it: status $2" >&2
		status=1
	fi
	if [ ! -e "$scratch/trace.db" ]; then
		echo "$1: no trace" >&2
		status=1
		return
	fi
	"$build/bin/streamtrace" unpack "$scratch/trace.db" >&2
	python3 "$here/profilers/row.py" "$1" "$scratch/trace.db" "${@:3}" || status=1
	rm "$scratch/trace.db"
}

# try NAME LAUNCHES [shut-out] -- COMMAND...: untraced and traced.
try() {
	local name=$1 rc=0 expectation=()
	shift
	while [ "$1" != -- ]; do
		expectation+=("$1")
		shift
	done
	shift
	if ! timeout -k 5 60 "$@" >"$scratch/untraced"; then
		echo "$name: failed untraced" >&2
		status=1
		return
	fi
	timeout -k 5 60 env "${preload[@]}" "$@" >"$scratch/traced" || rc=$?
	judge "$name" $rc "${expectation[@]}"
}

# Nsight Systems' own lines on stdout are left out of the comparison.
try_nsys() {
	local program=$build/bin/tests/api_paths/shared
	"$program" >"$scratch/untraced"
	local IFS=,
	nsys_profile "$scratch/nsys" --env-var="${preload[*]}" -- "$program" \
		>"$scratch/both" 2>"$scratch/nsys.log"
	grep -Fxf "$scratch/untraced" "$scratch/both" >"$scratch/traced" || true
	judge 'under nsys' 0 10
}

echo '| profiler | calls | launches | kernels | matched | cupti | |'
echo '|---|---|---|---|---|---|---|'
try 'own subscriber' 50 shut-out -- "$build/bin/tests/own_subscriber"
if python3 -c "import importlib.util as u, sys; sys.exit(not u.find_spec('torch'))"; then
	try 'torch.profiler' 300 -- python3 "$here/profilers/torch_profiler.py"
else
	echo "torch.profiler: skipped: no Python module torch" >&2
fi
find_nsys
if [ -n "$nsys" ]; then
	try_nsys
else
	echo "under nsys: skipped: no Nsight Systems" >&2
fi
exit $status
