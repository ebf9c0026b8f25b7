#!/bin/bash
# Runs the programs of this folder untraced and traced, and prints a Markdown table: issued/recorded,
# what each program says it issued and what its trace recorded. Tracing must not change its stdout.
# Exit status 1 when anything differs, 77 when nothing could be run (no GPU; no second one for `peer`).
# Usage: api_paths.sh BUILD [API_PATH...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/gpu/common.sh
. "$here/../common.sh"
build=$(cd "$1" && pwd)
shift
[ $# != 0 ] || set -- shared static per-thread per-thread-static legacy-launch \
	plugin-local plugin-deepbind dlsym driver peer cdp
folder=$build/bin/tests/api_paths

if ! has_gpu; then
	echo "skipped: no GPU"
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run_api_path API_PATH [ENVIRONMENT...]: its program; timeout's status when it hangs.
run_api_path() {
	local api_path=$1
	shift
	case $api_path in
	plugin-*) set -- "$@" "$folder/host" "${api_path#plugin-}" "$folder/plugin.so" ;;
	*) set -- "$@" "$folder/$api_path" ;;
	esac
	timeout -k 5 30 env "$@"
}

# try_api_path API_PATH: prints its row; status 1 when a count is wrong, 77 skipped, 2 no row.
try_api_path() {
	local rc=0
	run_api_path "$1" >"$scratch/untraced" || rc=$?
	if [ $rc = 77 ]; then
		echo "$1: $(<"$scratch/untraced")" >&2
		return 77
	fi
	if [ $rc != 0 ]; then
		echo "$1: status $rc untraced" >&2
		return 2
	fi
	rm -f "$scratch/trace.db"
	run_api_path "$1" "LD_PRELOAD=$build/lib/libstrace.so" "STREAMTRACE_OUTPUT=$scratch/trace.db" \
		>"$scratch/traced" || rc=$?
	if [ $rc != 0 ] || ! cmp -s "$scratch/untraced" "$scratch/traced"; then
		echo "$1: tracing changed it: status $rc, stdout:" >&2
		diff "$scratch/untraced" "$scratch/traced" >&2 || true
		return 2
	fi
	if [ ! -e "$scratch/trace.db" ]; then
		echo "$1: no trace" >&2
		return 2
	fi
	"$build/bin/streamtrace" unpack "$scratch/trace.db" >&2
	python3 "$here/row.py" "$1" "$scratch/untraced" "$scratch/trace.db"
}

status=77
python3 "$here/row.py" --head
for api_path in "$@"; do
	rc=0
	try_api_path "$api_path" || rc=$?
	case $rc in
	0) [ $status != 77 ] || status=0 ;;
	77) ;;
	*)
		status=1
		[ $rc != 2 ] || echo "| $api_path | not run |"
		;;
	esac
done
exit $status
