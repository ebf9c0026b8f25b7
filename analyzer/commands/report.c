#include "commands/command.h"
#include "render/render.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct report_options {
	bool is_json, all;
};

static const char help[] =
	"Usage: streamtrace report [OPTION]... TRACE...\n"
	"Says where a traced program lost overlap. Several traces give one report after\n"
	"the other.\n"
	"\n"
	"Options:\n"
	"      --format=FORMAT  text (the default) or json: an object, or for several\n"
	"                       traces an array of objects\n"
	"      --all            show findings that cost less than 0.5 % of the run, too\n"
	"  -h, --help           show this help\n";

/* Reports on one trace: prints it, or appends it to reports. False: said why on stderr. */
static bool report_trace(const char *path, const struct report_options *options, json_t *reports)
{
	struct analysis *analysis;
	struct trace *trace;
	char *error;

	trace = trace_load(path, &error);
	if (!trace) {
		fprintf(stderr, "streamtrace: %s: %s\n", path, error);
		free(error);
		return false;
	}
	trace_resolve_sites(trace);
	analysis = analysis_run(trace);
	if (options->is_json)
		json_array_append_new(reports, render_json(trace, analysis, options->all));
	else
		render_text(stdout, trace, analysis, options->all);
	analysis_free(analysis);
	trace_close(trace);
	return true;
}

static int report_traces(char **paths, int count, const struct report_options *options)
{
	json_t *reports = json_array();
	const json_t *shown = reports;
	int status = EXIT_FINE, i;

	for (i = 0; i < count; i++) {
		if (i > 0 && !options->is_json)
			putchar('\n');
		if (!report_trace(paths[i], options, reports))
			status = EXIT_UNREADABLE;
	}
	if (count == 1)
		shown = json_array_get(reports, 0);
	if (options->is_json && shown) {
		json_dumpf(shown, stdout, JSON_INDENT(2));
		putchar('\n');
	}
	json_decref(reports);
	return status;
}

static int report_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"format", required_argument, NULL, 'f'},
		{"all", no_argument, NULL, 'a'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	struct report_options options = {0};
	int option;

	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return EXIT_FINE;
		}
		if (option == 'a') {
			options.all = true;
		} else if (option == 'f' && strcmp(optarg, "json") == 0) {
			options.is_json = true;
		} else if (option == 'f' && strcmp(optarg, "text") == 0) {
			options.is_json = false;
		} else {
			if (option == 'f')
				fprintf(stderr, "streamtrace: no format '%s': text or json\n",
					optarg);
			return EXIT_USAGE;
		}
	}
	if (optind == argc) {
		fputs("streamtrace: report needs a trace: see streamtrace report --help\n", stderr);
		return EXIT_USAGE;
	}
	return report_traces(argv + optind, argc - optind, &options);
}

const struct command command_report = {
	.name = "report",
	.summary = "say where a traced program lost overlap",
	.main = report_main,
};
