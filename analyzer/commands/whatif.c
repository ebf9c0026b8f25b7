#include "base/memory.h"
#include "base/progress.h"
#include "base/quote.h"
#include "commands/command.h"
#include "commands/measure.h"
#include "commands/tool_numbers.h"
#include "findings/whatif_replay.h"
#include "render/output_formats.h"

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

/* Adds all findings that the words name. applied->findings must have room for all findings. False: a word
 * names nothing, which was printed. */
static bool choose_findings(const char *words, struct applied *applied)
{
	char *copy = memory_format("%s", words), *rest = copy, *word;
	char *quoted = quote_for_shell(applied->trace->file);
	bool ok = true;

	while (ok && (word = strsep(&rest, ","))) {
		ok = choose_word(word, applied);
		if (!ok)
			command_fail(
				EXIT_USAGE,
				"%s: the report has no finding '%s': see streamtrace report %s",
				applied->trace->path, word, quoted);
	}
	free(quoted);
	free(copy);
	return ok;
}

static int show_result(const char *words, whatif_printer print, struct applied *applied)
{
	const char *path = applied->trace->path;

	if (!applied->analysis->check.has_estimates)
		return command_fail(
			EXIT_UNREADABLE,
			"%s: no prediction, the self-check failed: see its streamtrace report",
			path);
	if (!choose_findings(words, applied))
		return EXIT_USAGE;
	applied->whatif = whatif_replay(applied->analysis, applied->findings, applied->count);
	if (!print(stdout, applied))
		return command_fail(EXIT_UNREADABLE, "%s: out of memory", path);
	return EXIT_FINE;
}

static int whatif_main(const struct arguments *arguments)
{
	const struct output_format *format =
		output_format_find(arguments->values[OPTION_WHATIF_FORMAT]);
	struct measuring measuring = measure_begin(arguments->is_given[OPTION_NO_MEASURE]);
	struct applied applied = {0};
	struct analysis *analysis;
	struct trace *trace;
	int status;

	if (!arguments->is_given[OPTION_APPLY] || !arguments->operand_count)
		return command_fail(EXIT_USAGE,
				    "whatif needs --apply and a trace: see streamtrace whatif "
				    "--help");
	trace = command_load(arguments->operands[0]);
	if (!trace)
		return EXIT_UNREADABLE;
	progress_step("measuring this machine");
	measure_apply(&measuring, trace, NULL);
	measure_free(&measuring);
	tool_numbers_apply(trace, !arguments->is_given[OPTION_NO_MEASURE], NULL);
	progress_step("replaying the run");
	analysis = arguments->is_given[OPTION_EXACT] ? analysis_run(trace)
						     : analysis_run_sampled(trace);
	progress_end();
	applied.trace = trace;
	applied.analysis = analysis;
	applied.findings = memory_array(analysis->findings.count, sizeof(*applied.findings));
	status = show_result(arguments->values[OPTION_APPLY], format->whatif, &applied);
	free(applied.findings);
	analysis_free(analysis);
	trace_close(trace);
	return status;
}

const struct command command_whatif = {
	.name = "whatif",
	.summary = "show a traced run with fixes applied",
	.operands = "--apply=FIX[,FIX]... TRACE",
	.description = "Replays a trace with fixes applied, as the report does, and shows "
		       "the resulting run.",
	.example = "streamtrace whatif --apply=1 app.db",
	.is_one = true,
	.schema = whatif_schema,
	.main = whatif_main,
};
