/*
 * What the analysis of a large trace takes: seconds and memory, by the number of operations.
 *
 *   replay_scale [--threads=N] [--streams=N] [--keep=FOLDER] OPERATIONS...
 *
 * How they grow is tested without a clock: growth_test.c.
 */
#include "findings/analysis.h"
#include "build_trace.h"
#include "large_trace.h"
#include "base/memory.h"
#include "model/model.h"
#include "render/render.h"
#include "replay/timeline.h"

#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In this order, each in the process of those before it; the last one in a process of its own. */
enum part { LOAD, MODEL, TIMELINE, REPLAY, REPORT, PART_COUNT };

static const char *const part_names[PART_COUNT] = {"load", "model", "timeline", "replay", "report"};

struct cost {
	double wall_s, processor_s;
	double peak_mb; /* of the process so far */
};

struct costs {
	size_t operations, calls;
	bool has_estimates;
	struct cost parts[PART_COUNT];
};

static double seconds_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct cost cost_now(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct cost){seconds_of(CLOCK_MONOTONIC), seconds_of(CLOCK_PROCESS_CPUTIME_ID),
			     (double)usage.ru_maxrss / 1024};
}

static void note(struct costs *costs, enum part part, struct cost *since)
{
	struct cost now = cost_now();

	costs->parts[part] = (struct cost){now.wall_s - since->wall_s,
					   now.processor_s - since->processor_s, now.peak_mb};
	*since = cost_now();
}

static struct trace *load(const char *path)
{
	char *error;
	struct trace *trace = trace_load(path, &error);

	if (!trace)
		errx(1, "%s: %s", path, error);
	return trace;
}

static void measure_parts(const char *path, struct costs *costs)
{
	struct cost since = cost_now();
	struct trace *trace = load(path);
	struct timeline *timeline;
	struct model *model;

	costs->operations = trace->operation_count;
	costs->calls = trace->call_count;
	note(costs, LOAD, &since);
	model = model_build(trace);
	note(costs, MODEL, &since);
	timeline = timeline_build(model);
	note(costs, TIMELINE, &since);
	if (timeline_replay(timeline, NULL) < 0)
		errx(1, "%s: the replay ends in a circle", path);
	note(costs, REPLAY, &since);
	timeline_free(timeline);
	model_free(model);
	trace_close(trace);
}

static void measure_report(const char *path, struct costs *costs)
{
	struct cost since = cost_now();
	struct trace *trace = load(path);
	struct analysis *analysis;
	FILE *null = fopen("/dev/null", "w");

	if (!null)
		err(1, "/dev/null");
	trace_resolve_sites(trace);
	analysis = analysis_run(trace);
	if (!analysis->check.has_estimates)
		warnx("%s: the replay misses the trace: without estimates the report is cheap",
		      path);
	costs->has_estimates = analysis->check.has_estimates;
	render_text(null, trace, analysis, false);
	fclose(null);
	analysis_free(analysis);
	trace_close(trace);
	note(costs, REPORT, &since);
}

/* In a process of its own: its peak of memory is its own, too. costs are shared with it. */
static void measure(void (*part)(const char *path, struct costs *costs), const char *path,
		    struct costs *costs)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		err(1, "fork");
	if (child == 0) {
		part(path, costs);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		errx(1, "%s: the analysis ended with status %x", path, status);
}

static struct costs *share_costs(void)
{
	struct costs *costs = mmap(NULL, sizeof(*costs), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (costs == MAP_FAILED)
		err(1, "mmap");
	return costs;
}

static void print_header(void)
{
	printf("seconds (of the processor) and peak MB\n%10s %10s", "operations", "calls");
	for (int i = 0; i < PART_COUNT; i++)
		printf(" %22s", part_names[i]);
	printf("\n");
}

static void print_costs(const struct costs *costs)
{
	printf("%10zu %10zu", costs->operations, costs->calls);
	for (int i = 0; i < PART_COUNT; i++)
		printf(" %6.2f (%6.2f) %6.0f", costs->parts[i].wall_s, costs->parts[i].processor_s,
		       costs->parts[i].peak_mb);
	printf("\n");
	fflush(stdout);
}

struct options {
	int64_t threads, streams;
	const char *folder; /* where the traces stay; NULL: they do not */
};

static struct options read_options(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"threads", required_argument, NULL, 't'},
		{"streams", required_argument, NULL, 's'},
		{"keep", required_argument, NULL, 'k'},
		{0},
	};
	struct options options = {.threads = 4, .streams = 16};
	int option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (option == 't')
			options.threads = atoll(optarg);
		else if (option == 's')
			options.streams = atoll(optarg);
		else if (option == 'k')
			options.folder = optarg;
		else
			exit(2);
	}
	if (options.threads < 1 || options.streams < options.threads)
		errx(2, "a thread needs a stream of its own");
	return options;
}

static void measure_sizes(char **sizes, int count, const struct options *options)
{
	char *folder = options->folder ? NULL : make_folder();
	struct costs *costs = share_costs();

	print_header();
	for (int i = 0; i < count; i++) {
		char *path = memory_format("%s/%s.db", folder ? folder : options->folder, sizes[i]);

		if (access(path, R_OK))
			large_trace_make(path, atoll(sizes[i]), options->threads, options->streams);
		measure(measure_parts, path, costs);
		measure(measure_report, path, costs);
		print_costs(costs);
		if (folder)
			unlink(path);
		free(path);
	}
	if (folder)
		remove_folder(folder);
	free(folder);
}

int main(int argc, char **argv)
{
	struct options options = read_options(argc, argv);

	if (optind == argc)
		errx(2, "how many operations?");
	measure_sizes(argv + optind, argc - optind, &options);
	return 0;
}
