#!/bin/bash
# rooms.py on a scratch tree of three rooms: nothing wrong, then each thing that it must find, planted.
# Usage: rooms_test.sh ROOT COMPILER
set -euo pipefail
check=$1/tests/lint/rooms.py compiler=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

write() {
	mkdir -p "$scratch/$(dirname "$1")"
	cat >"$scratch/$1"
}

# The tree as it should be, anew, compiled as CMake does.
plant() {
	rm -rf "${scratch:?}"/*
	write docs/develop/architecture.md <<-END
		\`\`\`rooms
		facts           facts.h   what both know
		analyzer/base   base.h    the lower room
		analyzer/model  model.h   the upper room
		\`\`\`
	END
	write facts/facts.h </dev/null
	write analyzer/base/base.h <<<'int base_value(void);'
	write analyzer/base/base.c <<<$'#include "facts/facts.h"\n#include "base/base.h"\nint base_value(void) { return 1; }'
	write analyzer/base/other.c <<<$'#include "base/base.h"\nint other_value(void) { return base_value(); }'
	write analyzer/model/model.h <<<'int model_value(void);'
	write analyzer/model/model.c <<<$'#include "base/base.h"\n#include "model/model.h"\nint model_value(void) { return base_value(); }'
}

compile() {
	local source object
	for source in base/base base/other model/model; do
		object=$scratch/build/analyzer/CMakeFiles/analyzer.dir/$source.c.o
		mkdir -p "$(dirname "$object")"
		"$compiler" -I"$scratch" -I"$scratch/analyzer" -c "$scratch/analyzer/$source.c" -o "$object"
	done
}

# expect STATUS TEXT: what rooms.py must return and say.
expect() {
	local status=0 output
	compile
	output=$("$check" "$scratch" "$scratch/build") || status=$?
	if [ $status != "$1" ] || [[ $output != *"$2"* ]]; then
		printf 'exit status %d instead of %d, or no "%s" in:\n%s\n' "$status" "$1" "$2" "$output"
		exit 1
	fi
	echo "as it should: $2"
}

plant
expect 0 "nothing wrong"

plant
sed -i '1i #include "model/model.h"' "$scratch/analyzer/base/base.c"
expect 1 "analyzer/base/base.c:1: analyzer/base includes model/model.h, which is not below it"

plant
echo 'struct wait { int from; };' >>"$scratch/analyzer/model/model.h"
sed -i '1i struct wait;' "$scratch/analyzer/base/base.h"
expect 1 "analyzer/base/base.h:1: struct wait is of analyzer/model, which is not below analyzer/base"

plant
write analyzer/base/own_private.h </dev/null
sed -i '1i #include "base/own_private.h"' "$scratch/analyzer/base/base.h"
expect 1 "analyzer/model/model.c: reaches analyzer/base/own_private.h"

plant
sed -i 's/return 1/int model_value(void); return model_value()/' "$scratch/analyzer/base/base.c"
expect 1 "analyzer/base/base: links model_value of model/model, whose room is not below analyzer/base"

plant
sed -i 's/return 1/int other_value(void); return other_value()/' "$scratch/analyzer/base/base.c"
expect 1 "analyzer: modules in a ring: base/base base/other"

plant
write analyzer/attic/attic.c </dev/null
expect 2 "analyzer/attic is no room"

plant
rm "$scratch/analyzer/model/model.h"
sed -i /model.h/d "$scratch/analyzer/model/model.c"
expect 2 "analyzer/model: its manual model.h is missing"

# A room in a room: used as the page's order says, and beside the outer one there.
nest() {
	plant
	sed -i "s,^analyzer/$1 .*,&\nanalyzer/base/low low.h a room in a room," "$scratch/docs/develop/architecture.md"
	write analyzer/base/low/low.h <<<'int low_value(void);'
}
nest base
expect 0 "4 rooms"
sed -i '1i #include "base/low/low.h"' "$scratch/analyzer/base/base.c"
expect 1 "analyzer/base/base.c:1: analyzer/base includes base/low/low.h, which is not below it"
nest model
expect 2 "analyzer/base/low: stands apart from analyzer/base"

# Only base/output.c makes files.
for line in 'fopen(path, is_more ? "ae" : "we")' 'freopen(path, "r+", out)' \
	$'open(path,\n     O_WRONLY | O_CREAT, 0666)' 'mkostemp(path, O_CLOEXEC)' 'rename(path, other)' \
	'database_connect(uri, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &connection)'; do
	plant
	echo "#define UNUSED $line" | sed '$!s/$/ \\/' >>"$scratch/analyzer/model/model.c"
	expect 1 "analyzer/model/model.c:4: ${line%%(*}() makes a file"
done
plant
write analyzer/base/output.c <<<'int makes_file(void); /* rename(a, b) */'
echo '/* fopen(path, "w") */
#define UNUSED fopen(path, "re") + open(path, O_RDWR) + fdopen(file, "w")' >>"$scratch/analyzer/model/model.c"
expect 0 "nothing wrong"
