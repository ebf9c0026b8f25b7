#!/bin/bash
# install_test.sh CMAKE BUILD APP FAKE_CUDA CC: installs into a folder, moves it, and uses all of it from
# another one; then the same with the package where the tools for one are there. As the package's component:
# so what build/install_manifest.txt lists stays what is really installed.
set -euo pipefail

cmake=$1 build=$2 app=$3 fake=$4 cc=$5
# The tool that built is there; the default one may not be.
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/elsewhere"
cd "$folder/elsewhere"

fail() {
	echo "install_test: $*" >&2
	exit 1
}

# use ROOT: of an installation.
use() {
	local root=$1

	"$root/bin/streamtrace" --version >out
	grep -Eqx 'streamtrace [0-9.]+( \([0-9a-f]{12}\))?' out || fail "--version says $(cat out)"
	rm -f app.db
	LD_LIBRARY_PATH=$fake "$root/bin/streamtrace" run --no-measure -o app.db "$app" calls >out
	grep -qx made out || fail "the program says $(cat out)"
	"$root/bin/streamtrace" info app.db >out
	grep -Eq '^calls +10 *$' out || fail "info says $(cat out)"
	for file in share/man/man1/streamtrace.1 share/streamtrace/schema.sql share/doc/streamtrace/README.md \
		share/doc/streamtrace/copyright share/doc/streamtrace/docs/use/limits.md \
		share/bash-completion/completions/streamtrace share/zsh/site-functions/_streamtrace; do
		[ -s "$root/$file" ] || [ -s "$root/$file.gz" ] || fail "$file is missing"
	done
	for name in report job error; do
		"$root/bin/streamtrace" report --json-schema=$name | cmp - "$root/share/streamtrace/schemas/$name.json" ||
			fail "the schema $name that is installed is another one"
	done
	for name in gate:check whatif:whatif try:try info:info explain:explain baseline:baseline calibrate:calibrate; do
		"$root/bin/streamtrace" ${name#*:} --json-schema | cmp - "$root/share/streamtrace/schemas/${name%:*}.json" ||
			fail "the schema ${name%:*} that is installed is another one"
	done
	"$root/bin/streamtrace" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
	grep -qx report commands || fail "--help lists no commands"
	while read -r name; do
		file=$root/share/man/man1/streamtrace-$name.1
		[ -s "$file" ] || [ -s "$file.gz" ] || fail "$file is missing"
	done <commands
}

# build_with ROOT: programs that include streamtrace.h.
build_with() {
	local root=$1

	printf '#include <streamtrace.h>\nint main(void) { streamtrace_start(); return 0; }\n' >own.c
	if command -v pkg-config >/dev/null; then
		# shellcheck disable=SC2046
		"$cc" own.c $(PKG_CONFIG_PATH=$root/share/pkgconfig pkg-config --cflags --libs streamtrace) -o own
		./own
		[ -f "$(PKG_CONFIG_PATH=$root/share/pkgconfig pkg-config --variable=preload streamtrace)" ] ||
			fail "pkg-config names no library"
	fi
	cat >CMakeLists.txt <<-END
		cmake_minimum_required(VERSION 3.24)
		project(own LANGUAGES C)
		find_package(streamtrace 0.1 REQUIRED)
		add_executable(own own.c)
		target_link_libraries(own PRIVATE streamtrace::streamtrace)
	END
	rm -rf own-build
	"$cmake" -S . -B own-build -G "$generator" -D CMAKE_C_COMPILER="$cc" -D CMAKE_PREFIX_PATH="$root" >log
	"$cmake" --build own-build >>log
	own-build/own
}

notes() {
	md5sum "$build"/install_manifest.txt "$build"/install_folders.txt 2>&1 || true
}
before=$(notes)
"$cmake" --install "$build" --component Unspecified --prefix "$folder/first" >log
mv "$folder/first" "$folder/moved"
use "$folder/moved"
build_with "$folder/moved"

if ! command -v dpkg-shlibdeps >/dev/null || ! command -v file >/dev/null; then
	echo "no dpkg-shlibdeps or no file: no package is made"
	exit 0
fi
"$cmake" --build "$build" --target deb >log 2>&1 || fail "the target deb: $(cat log)"
package=$(sed -n 's/^CPack: - package: \(.*\) generated\.$/\1/p' log)
dpkg-deb -f "$package" Depends >out
grep -q libdw1 out || fail "the package depends on $(cat out)"
# What makes the loader find the library by its bare name.
dpkg-deb -e "$package" control
grep -q ldconfig control/postinst || fail "the package does not run ldconfig"
dpkg-deb -x "$package" "$folder/root"
[ "$(notes)" = "$before" ] || fail "a package is what uninstall would remove"
use "$folder/root/usr"
build_with "$folder/root/usr"
