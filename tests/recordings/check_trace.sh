#!/bin/bash
# Reports on a trace and checks the report against the sample's source (check_report.c says how).
# Usage: check_trace.sh BUILD broken|fixed SAMPLE TRACE [OPTION...]   OPTION: of the report
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 twin=$2 sample=$3 trace=$4
shift 4

if [ ! -e "$trace" ]; then
	echo "$trace is missing: samples/README.md says how to record it" >&2
	exit 1
fi
"$build/bin/streamtrace" report --format json "$@" "$trace" |
	"$build/bin/tests/check_report" "$twin" "samples/$sample.cu" -
