#!/bin/sh
# manual_test.sh STREAMTRACE GROFF: each manual page is one that groff does not complain of, and the page of a
# command has its options and examples.
set -eu

streamtrace=$1 groff=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
	echo "manual_test: $*" >&2
	exit 1
}

# print_page [COMMAND]: into $folder/page.
print_page() {
	"$streamtrace" help --man "$@" | "$groff" -man -ww -Tutf8 -P-cbou -rLL=1000n >"$folder/page" 2>"$folder/errors"
	[ ! -s "$folder/errors" ] || fail "$*: $(cat "$folder/errors")"
}

print_page
"$streamtrace" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >"$folder/commands"
[ "$(wc -l <"$folder/commands")" -ge 10 ] || fail "--help lists no commands"
while read -r name; do
	grep -q "see streamtrace-$name(1)" "$folder/page" || fail "streamtrace(1) does not name $name"
done <"$folder/commands"
while read -r name; do
	print_page "$name"
	grep -Eq "^ +streamtrace-$name - " "$folder/page" || fail "$name: no name"
	"$streamtrace" help "$name" | grep -o -- '^  [ -].*--[a-z-]*' | grep -o -- '--[a-z-]*' >"$folder/options"
	[ -s "$folder/options" ] || fail "$name: its help has no options"
	while read -r option; do
		grep -q -- "$option" "$folder/page" || fail "$name: $option is missing"
	done <"$folder/options"
done <"$folder/commands"
print_page run
grep -q STREAMTRACE_SIGNAL "$folder/page" || fail "run: no environment"
