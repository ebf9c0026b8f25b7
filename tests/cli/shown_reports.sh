#!/bin/bash
# That README.md and docs/use/reading-a-report.md show what the commands print of the recordings today.
#
#	shown_reports.sh STREAMTRACE SOURCE_DIR
set -euo pipefail

export LC_ALL=C.UTF-8
unset COLUMNS
streamtrace=$1
cd "$2"
failed=0

# check FILE COMMAND...: the file has the output, indented by four.
check() {
	local file=$1 text
	shift
	text=$("$streamtrace" "$@" | sed 's/^./    &/')
	if [[ $(<"$file") != *"$text"* ]]; then
		echo "$file does not have the output of: streamtrace $*"
		echo "$text"
		failed=1
	fi
}

check README.md report --no-measure samples/recordings/pageable_copy.db
check docs/use/reading-a-report.md report --no-measure samples/recordings/pageable_copy.fixed.db
check docs/use/reading-a-report.md whatif --no-measure --apply all samples/recordings/pageable_copy.db
exit $failed
