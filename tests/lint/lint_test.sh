#!/bin/bash
# names.py, links.py and thresholds.py on a scratch tree: nothing wrong, then each fault that they must find, planted.
# Usage: lint_test.sh ROOT
set -euo pipefail
lint=$1/tests/lint
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

write() {
	mkdir -p "$scratch/$(dirname "$1")"
	cat >"$scratch/$1"
}

# The tree as it should be, anew.
plant() {
	rm -rf "${scratch:?}"/*
	write preload/base/atoms.c <<<$'static int atoms_find(int a)\n{\n}'
	write analyzer/base/memory.h <<<$'#ifndef MEMORY_H\n#define MEMORY_H\n#endif'
	write analyzer/model/waits.c <<<$'static int find_wait(void)\n{\n\treturn WAIT_NS;\n}'
	write analyzer/base/thresholds.def <<<$'THRESHOLD(int64_t, WAIT_NS, 5, "ns",\n\t  "A wait.", "measured: cost.md, A call: 4 us")'
	write docs/measurements/cost.md <<<$'# Cost\n\n## A call\n'
	write README.md <<<'[cost](docs/measurements/cost.md#a-call)'
}

# expect SCRIPT STATUS TEXT: what the script must return and say.
expect() {
	local status=0 output
	output=$("$lint/$1" "$scratch") || status=$?
	if [ $status != "$2" ] || [[ $output != *"$3"* ]]; then
		printf '%s: exit status %d instead of %d, or no "%s" in:\n%s\n' "$1" $status "$2" "$3" "$output"
		exit 1
	fi
	echo "as it should: $3"
}

plant
for script in names links thresholds; do
	expect $script.py 0 "$script: nothing wrong"
done

write analyzer/model/waits.c <<<$'static int find(void)\n{\n}'
expect names.py 1 "analyzer/model/waits.c: find() has a name of one word"
plant
write preload/base/atoms.c <<<$'static __attribute__((noinline)) int find(int a)\n{\n}'
expect names.py 1 "preload/base/atoms.c: find() has a name of one word"
plant
write analyzer/model/memory.c </dev/null
expect names.py 1 "analyzer: several modules are named memory: in analyzer/base, analyzer/model"
plant
cp "$scratch/analyzer/base/memory.h" "$scratch/preload/base/other.h"
expect names.py 1 "MEMORY_H guards preload/base/other.h, analyzer/base/memory.h"

plant
gone=docs && gone+=/gone.md # in two pieces: links.py reads this file, too
write README.md <<<"[cost]($gone)"
expect links.py 1 "README.md: no file for the link $gone"
write README.md <<<'[cost](docs/measurements/cost.md#a-copy)'
expect links.py 1 "README.md: no heading for the link docs/measurements/cost.md#a-copy"
plant
write analyzer/base/memory.c <<<"/* See $gone. */"
expect links.py 1 "analyzer/base/memory.c: no file $gone"

plant
echo '#define LEAST_NS 5' >>"$scratch/analyzer/model/waits.c"
expect thresholds.py 1 "analyzer/model/waits.c:5: LEAST_NS: a number that decides"
plant
write analyzer/model/waits.c </dev/null
expect thresholds.py 1 "WAIT_NS: nothing uses it"
plant
sed -i 's/measured/guessed/' "$scratch/analyzer/base/thresholds.def"
expect thresholds.py 1 "WAIT_NS: a source is one of"
plant
sed -i 's/A call/A copy/' "$scratch/analyzer/base/thresholds.def"
expect thresholds.py 1 "WAIT_NS: docs/measurements/cost.md has no 'A copy'"
plant
echo 'THRESHOLD(int, OTHER)' >>"$scratch/analyzer/base/thresholds.def"
expect thresholds.py 1 "thresholds.def: a row is not understood"
plant
for i in {1..20}; do
	echo "THRESHOLD(int, JUDGED_$i, 5, \"ns\", \"A wait.\", \"judgement: why\")"
	echo "JUDGED_$i" >>"$scratch/analyzer/model/waits.c"
done >>"$scratch/analyzer/base/thresholds.def"
expect thresholds.py 1 "20 numbers are judgement: JUDGED_1 "
