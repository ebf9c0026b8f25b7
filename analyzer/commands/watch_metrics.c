#include "commands/watch_metrics.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/regular_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file's first line: a comment, which says whose the file is. */
#define OPENING "# streamtrace watch\n"

enum {
	FILE_MODE = 0644,   /* node_exporter is another user's */
	BINS_OF_BUCKET = 4, /* a bucket doubles the time: a series each is enough */
};

struct writing {
	FILE *out;
	const struct watched_programs *programs;
	struct gpu_share *gpu;
};

/* NULL: it is ours, or is not there. Otherwise why it stays; the caller frees it. */
static char *refuse_file(const char *path)
{
	char bytes[sizeof(OPENING) - 1];
	struct stat status;
	ssize_t size;
	int file;

	if (stat(path, &status))
		return errno == ENOENT ? NULL : memory_format("%s", strerror(errno));
	if (S_ISREG(status.st_mode) && !status.st_size)
		return NULL;
	file = regular_file_open(path);
	size = file >= 0 ? pread(file, bytes, sizeof(bytes), 0) : -1;
	if (file >= 0)
		close(file);
	if (size == (ssize_t)sizeof(bytes) && !memcmp(bytes, OPENING, sizeof(bytes)))
		return NULL;
	return memory_format("is no file of streamtrace watch --metrics, and stays");
}

/* A label's value: the format escapes three characters. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '\\' || *text == '"')
			fprintf(out, "\\%c", *text);
		else if (*text == '\n')
			fputs("\\n", out);
		else
			fputc(*text, out);
}

static void put_series(FILE *out, const char *name, const char *suffix,
		       const struct watch_page *page, const char *label, const char *value)
{
	fprintf(out, "streamtrace_%s%s{program=\"", name, suffix);
	put_text(out, page->program);
	fputs("\",host=\"", out);
	put_text(out, page->host);
	fprintf(out, "\",pid=\"%d\",rank=\"", page->pid);
	put_text(out, page->rank);
	if (label && value) {
		fprintf(out, "\",%s=\"", label);
		put_text(out, value);
	}
	fputs("\"} ", out);
}

static void put_head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP streamtrace_%s %s\n# TYPE streamtrace_%s %s\n", name, help, name,
		type);
}

/* A number of each page. */
struct metric {
	const char *name, *type, *help;
	uint64_t (*count)(const struct watch_page *page);
	int64_t (*time_ns)(const struct watch_page *page); /* without count: seconds */
	bool has_zero;					   /* 0 is a value */
};

#define COUNT(member)                                                                              \
	static uint64_t count_##member(const struct watch_page *page)                              \
	{                                                                                          \
		return page->member;                                                               \
	}
#define TIME(member)                                                                               \
	static int64_t time_##member(const struct watch_page *page)                                \
	{                                                                                          \
		return page->member;                                                               \
	}
COUNT(steps)
COUNT(slow_steps)
COUNT(incidents)
COUNT(left_out)
COUNT(trace_bytes)
COUNT(calls)
COUNT(losses)
COUNT(queue_bytes)
TIME(tool_ns)
TIME(step_ns)
TIME(median_ns)
TIME(longest_ns)
TIME(updated_ns)
TIME(incident_ns)

static int64_t time_running(const struct watch_page *page)
{
	return page->step_began_ns && page->updated_ns > page->step_began_ns
		       ? page->updated_ns - page->step_began_ns
		       : 0;
}

static const struct metric metrics[] = {
	{"steps_total", "counter", "Steps that have ended.", count_steps, NULL, true},
	{"slow_steps_total", "counter", "Steps that took too long.", count_slow_steps, NULL, true},
	{"incidents_total", "counter", "Incidents whose trace was written.", count_incidents, NULL,
	 true},
	{"incidents_left_out_total", "counter",
	 "Incidents whose trace was not written, for a bound or an error.", count_left_out, NULL,
	 true},
	{"incident_bytes_total", "counter", "Bytes of the traces of incidents.", count_trace_bytes,
	 NULL, true},
	{"calls_total", "counter", "CUDA calls that were recorded.", count_calls, NULL, true},
	{"lost_calls_total", "counter", "CUDA calls that were not recorded.", count_losses, NULL,
	 true},
	{"memory_bytes", "gauge", "Bytes of the last calls in memory.", count_queue_bytes, NULL,
	 true},
	{"tool_seconds_total", "counter", "Processor time that watching took.", NULL, time_tool_ns,
	 true},
	{"step_last_seconds", "gauge", "What the last step took.", NULL, time_step_ns, false},
	{"step_median_seconds", "gauge", "The median of the last normal steps.", NULL,
	 time_median_ns, false},
	{"step_longest_seconds", "gauge", "The longest step.", NULL, time_longest_ns, false},
	{"step_running_seconds", "gauge", "Since the step that runs began.", NULL, time_running,
	 true},
	{"updated_timestamp_seconds", "gauge", "When the program last told of itself.", NULL,
	 time_updated_ns, true},
	{"incident_timestamp_seconds", "gauge", "When the last incident was noticed.", NULL,
	 time_incident_ns, false},
};

static void put_metric(const struct writing *writing, const struct metric *metric)
{
	put_head(writing->out, metric->name, metric->type, metric->help);
	for (size_t i = 0; i < writing->programs->count; i++) {
		const struct watch_page *page = &writing->programs->items[i].page;
		const int64_t ns = metric->time_ns ? metric->time_ns(page) : 0;

		if (metric->time_ns && !ns && !metric->has_zero)
			continue;
		put_series(writing->out, metric->name, "", page, NULL, NULL);
		if (metric->count)
			fprintf(writing->out, "%" PRIu64 "\n", metric->count(page));
		else
			fprintf(writing->out, "%.9f\n", (double)ns / 1e9);
	}
}

/* Times that the last bin has, too, are in +Inf alone. */
static void put_histogram(const struct writing *writing, const struct watch_page *page)
{
	uint64_t count = 0;
	char bound[32];

	for (unsigned bin = 0; bin < WATCH_BINS; bin++) {
		count += page->bins[bin];
		if ((bin + 1) % BINS_OF_BUCKET || bin == WATCH_BINS - 1)
			continue;
		snprintf(bound, sizeof(bound), "%.9g", (double)watch_page_bin_end_ns(bin) / 1e9);
		put_series(writing->out, "step_seconds", "_bucket", page, "le", bound);
		fprintf(writing->out, "%" PRIu64 "\n", count);
	}
	put_series(writing->out, "step_seconds", "_bucket", page, "le", "+Inf");
	fprintf(writing->out, "%" PRIu64 "\n", count);
	put_series(writing->out, "step_seconds", "_sum", page, NULL, NULL);
	fprintf(writing->out, "%.9f\n", (double)page->steps_ns / 1e9);
	put_series(writing->out, "step_seconds", "_count", page, NULL, NULL);
	fprintf(writing->out, "%" PRIu64 "\n", count);
}

static void put_up(const struct writing *writing)
{
	put_head(writing->out, "up", "gauge",
		 "1: the program runs and is watched; 0: it has ended without a word, or watching "
		 "failed.");
	for (size_t i = 0; i < writing->programs->count; i++) {
		const struct watched_program *program = &writing->programs->items[i];

		put_series(writing->out, "up", "", &program->page, NULL, NULL);
		fprintf(writing->out, "%d\n",
			program->is_alive && program->page.state != WATCH_STOPPED);
	}
}

static void put_gpu(const struct writing *writing)
{
	put_head(writing->out, "gpu_share", "gauge",
		 "Time in which GPUs were busy with the program: 1 is one GPU all the time.");
	for (size_t i = 0; i < writing->programs->count; i++) {
		const struct watch_page *page = &writing->programs->items[i].page;
		const double share = gpu_share_of(writing->gpu, page->pid);

		if (share < 0)
			continue;
		put_series(writing->out, "gpu_share", "", page, NULL, NULL);
		fprintf(writing->out, "%.2f\n", share);
	}
}

static void put_all(const struct writing *writing)
{
	fputs(OPENING, writing->out);
	put_up(writing);
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++)
		put_metric(writing, &metrics[i]);
	put_head(writing->out, "step_seconds", "histogram", "What steps took.");
	for (size_t i = 0; i < writing->programs->count; i++)
		put_histogram(writing, &writing->programs->items[i].page);
	put_gpu(writing);
}

char *watch_metrics_write(const char *path, const struct watched_programs *programs,
			  struct gpu_share *gpu)
{
	char *error = refuse_file(path);
	struct writing writing = {.programs = programs, .gpu = gpu};
	struct output *output = error ? NULL : output_open(path, FILE_MODE, &error);

	if (output) {
		writing.out = output_stream(output);
		put_all(&writing);
		output_close(output, &error);
	}
	return error;
}
