#!/bin/bash
# Traces every sample's twins on a GPU into a folder: SAMPLE.db and SAMPLE.fixed.db, each with its
# report as .txt and .json, and prints a table of them. Fails when tracing changed a checksum or
# recorded no operation of the device.
# Usage: record.sh OUTDIR
set -euo pipefail
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"
if [ $# != 1 ]; then
	echo "usage: record.sh OUTDIR" >&2
	exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
if ! has_gpu; then
	echo "record.sh: no GPU" >&2
	exit 1
fi

# Names of the findings in a report, in its order, without repeats.
finding_names() {
	local id seen=' '
	while read -r id _; do
		case $seen in
		*" $id "*) ;;
		*) seen+="$id " ;;
		esac
	done < <("$build/bin/tests/check_report" list "$1")
	echo "${seen:1}"
}

# Operations that have their call, of all, from the table of `streamtrace info` on stdin.
matched_operations() {
	local name total matched all_total=0 all_matched=0
	while read -r name total matched; do
		case $name in
		kernel | copy | set)
			((all_total += ${total//,/}, all_matched += ${matched//,/})) || true
			;;
		esac
	done
	echo "$all_matched/$all_total"
}

row='%-16s %-7s %12s %12s %10s %15s  %s\n'
status=0
# shellcheck disable=SC2059
printf "$row" sample twin 'untraced s' 'traced s' checksum matched/total findings
for sample in $(all_samples); do
	expected=
	for twin in broken fixed; do
		trace=$out/$(trace_name "$sample" $twin)
		untraced=$(run_untraced "$sample" $twin)
		traced=$(run_recorded "$sample" $twin "$trace")
		"$build/bin/streamtrace" report "$trace" >"${trace%.db}.txt"
		"$build/bin/streamtrace" report --format json "$trace" >"${trace%.db}.json"
		sum=$(field checksum <<<"$untraced")
		equal=equal
		if [ "$sum" != "${expected:=$sum}" ] || [ "$sum" != "$(field checksum <<<"$traced")" ]; then
			equal=DIFFERS status=1
		fi
		matched=$("$build/bin/streamtrace" info "$trace" | matched_operations)
		[ "$matched" != 0/0 ] || status=1
		# shellcheck disable=SC2059
		printf "$row" "$sample" $twin "$(field time <<<"$untraced")" "$(field time <<<"$traced")" \
			$equal "$matched" "$(finding_names "${trace%.db}.json")"
	done
done
exit $status
