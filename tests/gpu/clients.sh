#!/bin/bash
# Real programs on a GPU: untraced (which warms the compilers' caches), traced, and under Nsight Systems.
# Prints a Markdown table: operations that streamtrace saw beside those that Nsight Systems saw, those
# with their call of all, and whether stdout stayed the same. Exit status 1 when anything differs. A
# client whose module is missing is left out, with a word on stderr. Half a minute a client.
# Usage: clients.sh [CLIENT...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/gpu/common.sh
. "$here/common.sh"
# shellcheck source=tests/gpu/nsys.sh
. "$here/nsys.sh"
[ $# != 0 ] || set -- cublas_gemm cublas_gemm_static cupy_work triton_kernel jax_jit \
	pytorch_train pytorch_graph

if ! has_gpu; then
	echo "clients.sh: no GPU" >&2
	exit 1
fi
find_nsys
if [ -z "$nsys" ]; then
	echo "clients.sh: no Nsight Systems to compare with" >&2
	exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1

# What a client needs besides Python; nothing for a program.
module_of() {
	case $1 in
	cupy_work) echo cupy ;;
	triton_kernel) echo triton ;;
	jax_jit) echo jax ;;
	pytorch_*) echo torch ;;
	esac
}

has_module() {
	[ -z "$1" ] || python3 -c "import importlib.util as u, sys; sys.exit(not u.find_spec('$1'))"
}

# command_of CLIENT: sets command.
command_of() {
	case $1 in
	cublas_*) command=("$build/bin/tests/$1") ;;
	*) command=(python3 "$here/clients/$1.py") ;;
	esac
}

# try_client CLIENT: prints its row; status 1 when something differs, 2 when there is no row.
try_client() {
	local name=$1 traced=0 stdout=equal cells rc=0
	local -a command
	command_of "$name"
	if ! timeout -k 5 120 "${command[@]}" >"$scratch/untraced" 2>"$scratch/stderr"; then
		echo "$name: failed untraced:" >&2
		tail -5 "$scratch/stderr" >&2
		return 2
	fi
	rm -f "$scratch/trace.db"
	LD_PRELOAD=$build/lib/libstrace.so STREAMTRACE_OUTPUT=$scratch/trace.db \
		timeout -k 5 120 "${command[@]}" >"$scratch/traced" 2>"$scratch/stderr" || traced=$?
	if [ $traced != 0 ] || ! cmp -s "$scratch/untraced" "$scratch/traced"; then
		stdout='DIFFERS !' rc=1
		echo "$name: status $traced, stdout:" >&2
		diff "$scratch/untraced" "$scratch/traced" >&2 || true
		tail -5 "$scratch/stderr" >&2
	fi
	if [ ! -e "$scratch/trace.db" ]; then
		echo "$name: no trace" >&2
		return 2
	fi
	nsys_profile "$scratch/nsys" -- "${command[@]}" >"$scratch/nsys.log" 2>&1
	if ! nsys_export "$scratch/nsys" 2>>"$scratch/nsys.log"; then
		echo "$name: Nsight Systems gave nothing to compare with:" >&2
		tail -5 "$scratch/nsys.log" >&2
		return 2
	fi
	"$build/bin/streamtrace" unpack "$scratch/trace.db" >&2
	cells=$(python3 "$here/count_operations.py" "$scratch/trace.db" "$scratch/nsys.sqlite") || rc=1
	echo "| $name | $cells | $stdout |"
	return $rc
}

status=0
echo "| client | kernels ours/nsys | copies | sets | matched | stdout |"
echo "|---|---|---|---|---|---|"
for client in "$@"; do
	module=$(module_of "$client")
	if ! has_module "$module"; then
		echo "$client: skipped: no Python module $module" >&2
		continue
	fi
	rc=0
	try_client "$client" || rc=$?
	[ $rc = 0 ] || status=1
	[ $rc != 2 ] || echo "| $client | not run |"
done
exit $status
