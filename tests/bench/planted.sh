#!/bin/bash
# That instructions.py finds what planted.h adds to a call, with the plain library's counts as the budget.
# Usage: planted.sh APP LIBSTRACE PLANTED STANDINS
set -euo pipefail
count=$(dirname "$0")/instructions.py
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

status=0
"$count" "$1" "$2" "$4" "this one" >"$scratch/budget" || status=$?
[ $status = 0 ] || {
	cat "$scratch/budget"
	exit $status
}
"$count" "$1" "$3" "$4" "this one" "$scratch/budget" >"$scratch/found" || status=$?
cat "$scratch/found"
[ $status = 1 ] || exit 1
names=(driver_query.callbacks)
for call in launch copy event_record stream_query stream_wait; do
	names+=("$call.wrapper" "$call.watch")
done
for name in "${names[@]}"; do
	grep -q "^FAILED: $name: .* above the budget" "$scratch/found"
done
# And nothing else.
[ "$(grep -c ^FAILED "$scratch/found")" = ${#names[@]} ]
