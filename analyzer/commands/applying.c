#include "commands/applying.h"

#include "base/memory.h"
#include "base/quote.h"
#include "commands/command.h"

#include <stdlib.h>
#include <string.h>

/* Whether the word names the finding. An id names those that the report shows, a number any. */
static bool is_named(const struct analysis *analysis, const struct finding *finding,
		     const char *word)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);

	if (end != word && !*end)
		return number == (unsigned long)(finding - analysis->findings.items) + 1;
	return !finding->is_folded &&
	       (strcmp(word, "all") ? !strcmp(word, finding->id) : !finding->costs_ns);
}

static void add_finding(struct applied *applied, const struct finding *finding)
{
	for (size_t i = 0; i < applied->count; i++)
		if (applied->findings[i] == finding)
			return;
	applied->findings[applied->count++] = finding;
}

/* Adds what the word names; false where it names nothing. */
static bool choose_word(const char *word, struct applied *applied)
{
	const struct analysis *analysis = applied->analysis;
	bool is_found = !strcmp(word, "all");

	for (size_t i = 0; i < analysis->findings.count; i++) {
		if (!is_named(analysis, &analysis->findings.items[i], word))
			continue;
		add_finding(applied, &analysis->findings.items[i]);
		is_found = true;
	}
	return is_found;
}

static void say_unknown(const struct applied *applied, bool is_removed, const char *word)
{
	char *quoted = quote_for_shell(applied->trace->file);

	if (is_removed)
		command_fail(EXIT_USAGE,
			     "the recording has no finding '%s': see streamtrace report, for which "
			     "--output keeps it",
			     word);
	else
		command_fail(EXIT_USAGE,
			     "%s: the report has no finding '%s': see streamtrace report %s",
			     applied->trace->path, word, quoted);
	free(quoted);
}

/* False: a word names nothing, which was printed. */
static bool choose_findings(const char *words, bool is_removed, struct applied *applied)
{
	char *copy = memory_format("%s", words), *rest = copy, *word;
	bool ok = true;

	while (ok && (word = strsep(&rest, ","))) {
		ok = choose_word(word, applied);
		if (!ok)
			say_unknown(applied, is_removed, word);
	}
	free(copy);
	return ok;
}

int applying_choose(const char *words, bool is_removed, struct applied *applied)
{
	if (!applied->analysis->check.has_estimates)
		return command_fail(
			EXIT_UNREADABLE,
			"%s: no prediction, the self-check failed: see its streamtrace report",
			is_removed ? "the recording" : applied->trace->path);
	applied->findings =
		memory_array(applied->analysis->findings.count, sizeof(*applied->findings));
	return choose_findings(words, is_removed, applied) ? EXIT_FINE : EXIT_USAGE;
}
