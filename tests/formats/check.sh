#!/bin/bash
# What is read of a trace of an earlier format, against what is known to be in it.
# Usage: check.sh BUILD FOLDER/VERSION
set -euo pipefail
build=$1 trace=$2.db expected=$2.txt

if [ ! -e "$trace" ]; then
	echo "$trace is missing: tests/formats/README.md says how to make it" >&2
	exit 1
fi
export XDG_CACHE_HOME=/nonexistent
{
	"$build/bin/streamtrace" info "$trace" |
		sed -nE '1s/.*: //p; s/^(calls|operations|frames) +([0-9,]+).*/\1 \2/p'
	"$build/bin/streamtrace" report --no-measure --format json "$trace" |
		"$build/bin/tests/check_report" list -
} | diff "$expected" -
