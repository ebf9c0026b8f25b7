#!/bin/bash
# What the shells complete: completion_test.sh STREAMTRACE [ZSH]
set -euo pipefail

streamtrace=$1
failed=0
# shellcheck disable=SC1090
source <("$streamtrace" help --completion=bash)

# check EXPECTED WORD...: what is offered for the last word, as bash takes the line apart.
check() {
	local expected=$1
	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_streamtrace
	if [[ ${COMPREPLY[*]} != "$expected" ]]; then
		echo "completion of '$*': '${COMPREPLY[*]}', not '$expected'"
		failed=1
	fi
}

check report streamtrace rep
check --version streamtrace --v
check --format= streamtrace report --fo
check md streamtrace report --format = m
check "bash zsh fish" streamtrace help --completion =
check json streamtrace run --report = j
check serial-stream streamtrace explain serial
check unpack streamtrace help unp
check "" streamtrace report ""
check "" streamtrace report -o ""
check "" streamtrace run -o x.db ./app --fo
check "pageable-copy pageable-blocking" streamtrace check --deny = pageable
check "all alloc-in-loop" streamtrace whatif --apply = al
check "pageable-copy,pageable-blocking" streamtrace check --deny = pageable-copy,pageable-b
check "all,wide-sync,free-sync" streamtrace diff --deny = all,wide-sync,free
check "save list" streamtrace baseline ""
check save streamtrace baseline s
check "" streamtrace baseline list ""
check --root= streamtrace baseline save --ro
baselines=$(mktemp -d)
mkdir -p "$baselines/.git" "$baselines/.streamtrace/baselines"
recording=$(dirname "$0")/../../samples/recordings/pageable_copy.db
recording=$(realpath "$recording")
cd "$baselines"
"$streamtrace" baseline save main --no-measure "$recording" >/dev/null 2>&1
"$streamtrace" baseline save before-fix --no-measure "$recording" >/dev/null 2>&1
# What the completion calls by its name.
streamtrace() { "$streamtrace" "$@"; }
check "before-fix main" streamtrace baseline save ""
check main streamtrace baseline save m
check "" streamtrace baseline save main ""
check before-fix streamtrace check --against = b
cd / && rm -r "$baselines"
programs=$(mktemp -d)
printf '#!/bin/sh\n' >"$programs/pythonly"
chmod +x "$programs/pythonly"
PATH=$programs:$PATH check pythonly streamtrace run -o x.db pythonl
check "" streamtrace run pythonly pythonl
rm -r "$programs"

# Both have each option of the page.
# shellcheck disable=SC2016
rows=$("$streamtrace" help --markdown | grep '^| `[a-z`, ]*` | `[^`]*--')
options=$(grep -o '^| [^|]* | `[^`]*--[a-z-]*' <<<"$rows" | sed 's/.*--/--/' | sort -u)
(($(wc -l <<<"$options") > 10))
for shell in bash zsh fish; do
	text=$("$streamtrace" help --completion="$shell")
	for option in $options; do
		if [[ $text != *"$option"* && $text != *" -l ${option#--}"* ]]; then
			echo "completion for $shell: no $option"
			failed=1
		fi
	done
done
text=$("$streamtrace" help --completion=zsh)
# Of each text its first clause, with what brackets and quotes would end escaped.
for spec in "'--deny=[the findings that fail the gate, by their ids in the report]:deny: _values -s , deny all redundant-transfer " \
	"'--against=[compare with that baseline, as streamtrace baseline save kept it]:against:_streamtrace_baselines'" \
	"'1:word:(save list)'" \
	"'--allow=[the findings that may stay, one a line]" \
	"'--site=[show findings whose FILE\\:LINE, function or module has a part like PATTERN]"; do
	if [[ $text != *"$spec"* ]]; then
		echo "completion for zsh: no $spec"
		failed=1
	fi
done
for command in $(cut -d '|' -f 2 <<<"$rows" | grep -o '[a-z]*' | sort -u); do
	if [[ $text != *$'\t\t'"$command)"$'\n\t\t\t_arguments '* ]]; then
		echo "completion for zsh: no options of $command"
		failed=1
	fi
done
fish=$("$streamtrace" help --completion=fish)
for line in "	printf '%s\\n' all redundant-transfer " \
	"-l deny -x -a '(__fish_complete_list , __streamtrace_ids)'" \
	"-l against -x -a '(__streamtrace_baselines)'" \
	"complete -c streamtrace -n '__fish_seen_subcommand_from baseline; and not __fish_seen_subcommand_from save list' -x -a 'save list'" \
	"complete -c streamtrace -n __fish_use_subcommand -a report -d 'show where a traced program lost overlap'" \
	"complete -c streamtrace -n '__fish_seen_subcommand_from report' -l output -s o -r -d 'write the report to FILE instead of standard output'" \
	"complete -c streamtrace -n '__fish_seen_subcommand_from run' -x -a '(__fish_complete_subcommand)'"; do
	if [[ $fish != *"$line"* ]]; then
		echo "completion for fish: no $line"
		failed=1
	fi
done
if [[ -n ${2:-} ]]; then
	"$2" -n <("$streamtrace" help --completion=zsh) || failed=1
fi
exit $failed
