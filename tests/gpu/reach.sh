#!/bin/bash
# Everything that issue "Reach" wants shown on a GPU, one after the other, in about five minutes: the
# API paths, no added wait, SIGKILL, other profilers, real clients. Each part's output goes to a file of
# OUTDIR, what it said beside that to OUTDIR/log.txt; the tables of the README and a verdict for each
# part come last. Exit status 1 when a part failed or could not run.
# No part is begun after LIMIT_S; what hangs is ended by its own part.
# Usage: reach.sh OUTDIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/gpu/common.sh
. "$here/common.sh"
if [ $# != 1 ]; then
	echo "usage: reach.sh OUTDIR" >&2
	exit 2
fi
if ! has_gpu; then
	echo "reach.sh: no GPU" >&2
	exit 1
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
LIMIT_S=360
verdicts=()
status=0
: >"$out/log.txt"

# part FILE SCRIPT [ARGUMENT...]: its verdict.
part() {
	local file=$1 rc=0 start=$SECONDS
	shift
	echo "== $*" >>"$out/log.txt"
	if [ "$start" -ge $LIMIT_S ]; then
		echo 'not run: no time left' >"$out/$file"
		rc=124
	else
		"$here/$1" "${@:2}" >"$out/$file" 2>>"$out/log.txt" || rc=$?
	fi
	[ $rc = 0 ] || status=1
	verdicts+=("$(printf '%-14s status %3d  %4d s' "$1" $rc $((SECONDS - start)))")
}

part api_paths.md api_paths/api_paths.sh "$build"
part no_sync.txt no_sync.sh "$build"
part kill.txt kill.sh "$build"
part profilers.md profilers.sh "$build"
part clients.md clients.sh

tail -n 60 "$out/log.txt"
printf '\n%s; ' "$(date -u +%F)"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
for file in api_paths.md clients.md profilers.md no_sync.txt kill.txt; do
	printf '\n-- %s\n' "$file"
	cat "$out/$file"
done
printf '\n'
printf '%s\n' "${verdicts[@]}"
exit $status
