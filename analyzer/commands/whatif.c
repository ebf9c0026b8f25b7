#include "commands/command.h"
#include "base/memory.h"
#include "render/render.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Usage: streamtrace whatif --apply=FIX[,FIX]... [OPTION]... TRACE\n"
	"Replays a trace with fixes in, as the report does, and says what becomes of the\n"
	"run. A FIX is a finding's number or id in the report (1, pageable-copy), or all.\n"
	"\n"
	"Options:\n"
	"      --apply=FIX[,FIX]...  the fixes\n"
	"      --format=FORMAT       text (the default) or json\n"
	"  -h, --help                show this help\n";

/* The findings whose fixes are to be applied. */
struct choice {
	const struct finding **findings;
	size_t count;
};

/* Whether the word names the finding. An id names those that the report shows, a number any. */
static bool is_named(const struct analysis *analysis, const struct finding *finding,
		     const char *word)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);

	if (end != word && !*end)
		return number == (unsigned long)(finding - analysis->findings) + 1;
	return !finding->is_folded && (!strcmp(word, "all") || !strcmp(word, finding->id));
}

static void add(struct choice *choice, const struct finding *finding)
{
	for (size_t i = 0; i < choice->count; i++)
		if (choice->findings[i] == finding)
			return;
	choice->findings[choice->count++] = finding;
}

/* Adds what the word names; false where it names nothing. */
static bool choose_word(const struct analysis *analysis, const char *word, struct choice *choice)
{
	bool is_found = !strcmp(word, "all");

	for (size_t i = 0; i < analysis->finding_count; i++) {
		if (!is_named(analysis, &analysis->findings[i], word))
			continue;
		add(choice, &analysis->findings[i]);
		is_found = true;
	}
	return is_found;
}

/* choice->findings has room for all. False: said on stderr. */
static bool choose(const struct trace *trace, const struct analysis *analysis, const char *words,
		   struct choice *choice)
{
	char *copy = memory_format("%s", words), *rest = copy, *word;
	bool ok = true;

	while (ok && (word = strsep(&rest, ","))) {
		ok = choose_word(analysis, word, choice);
		if (!ok)
			fprintf(stderr,
				"streamtrace: %s: the report has no finding '%s': see streamtrace "
				"report %s\n",
				trace->path, word, trace->path);
	}
	free(copy);
	return ok;
}

static int show(const struct trace *trace, const struct analysis *analysis, const char *words,
		bool is_json)
{
	struct choice choice = {0};
	struct whatif whatif;
	json_t *object;

	if (!analysis->has_estimates) {
		fprintf(stderr,
			"streamtrace: %s: its replay without a fix is too far from the measured "
			"time to tell: see streamtrace report %s\n",
			trace->path, trace->path);
		return EXIT_UNREADABLE;
	}
	choice.findings = memory_array(analysis->finding_count, sizeof(*choice.findings));
	if (!choose(trace, analysis, words, &choice)) {
		free(choice.findings);
		return EXIT_USAGE;
	}
	whatif = whatif_replay(analysis, choice.findings, choice.count);
	if (is_json) {
		object =
			render_whatif_json(trace, analysis, choice.findings, choice.count, &whatif);
		json_dumpf(object, stdout, JSON_INDENT(2));
		putchar('\n');
		json_decref(object);
	} else {
		render_whatif_text(stdout, trace, analysis, choice.findings, choice.count, &whatif);
	}
	free(choice.findings);
	return EXIT_FINE;
}

static int whatif_trace(const char *path, const char *words, bool is_json)
{
	struct analysis *analysis;
	struct trace *trace;
	char *error;
	int status;

	trace = trace_load(path, &error);
	if (!trace) {
		fprintf(stderr, "streamtrace: %s: %s\n", path, error);
		free(error);
		return EXIT_UNREADABLE;
	}
	trace_resolve_sites(trace);
	analysis = analysis_run(trace);
	status = show(trace, analysis, words, is_json);
	analysis_free(analysis);
	trace_close(trace);
	return status;
}

static int whatif_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"apply", required_argument, NULL, 'a'},
		{"format", required_argument, NULL, 'f'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	const char *words = NULL, *format = "text";
	int option;

	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return EXIT_FINE;
		}
		if (option == 'a')
			words = optarg;
		else if (option == 'f')
			format = optarg;
		else
			return EXIT_USAGE;
	}
	if (strcmp(format, "text") && strcmp(format, "json")) {
		fprintf(stderr, "streamtrace: no format '%s': text or json\n", format);
		return EXIT_USAGE;
	}
	if (!words || optind + 1 != argc) {
		fputs("streamtrace: whatif needs --apply and a trace: see streamtrace whatif "
		      "--help\n",
		      stderr);
		return EXIT_USAGE;
	}
	return whatif_trace(argv[optind], words, strcmp(format, "json") == 0);
}

const struct command command_whatif = {
	.name = "whatif",
	.summary = "say what becomes of a traced run with fixes in",
	.main = whatif_main,
};
