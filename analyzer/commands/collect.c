#include "commands/collect.h"

#include "base/free_memory.h"
#include "base/packing.h"
#include "base/parallel.h"
#include "commands/trace_summary.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A worker's reply: one of these bytes, a size, then that many bytes of the summary or of the reason why
 * there is none. */
#define SAYS_SUMMARY 's'
#define SAYS_FAILURE 'f'
#define SAYS_NO_ROOM 'm' /* memory: that of all at once was not enough */

#define MOST_WORKERS 64
#define READ_BYTES   65536
#define HEAD_BYTES   (1 + sizeof(uint64_t))

/* A worker process, which analyses one trace after the other. To fork for each trace would take longer the
 * more has been merged, as the memory grows. */
struct worker {
	pid_t process; /* 0: none */
	int socket;    /* orders there, which are indexes of files, and what it says back */
	bool is_busy;
	size_t index; /* of its file */
	struct packing said;
};

struct collecting {
	const char *const *paths;
	const struct collect_options *options;
	struct job_pile pile;
	struct worker workers[MOST_WORKERS];
	size_t worker_count; /* at a time */
	size_t *again;	     /* files for which there was no room */
	size_t again_count;
	bool is_last; /* again, one at a time: what fails now has failed */
};

struct summary *collect_summary(const char *path, bool is_exact, char **error)
{
	struct trace *trace = trace_load(path, error);
	struct summary *summary;

	if (!trace)
		return NULL;
	trace_resolve_sites(trace);
	trace_resolve_kernels(trace);
	trace = trace_device_part(trace);
	summary = trace_summary_make(trace, is_exact);
	trace_close(trace);
	return summary;
}

static void say_bytes(FILE *out, char what, const void *bytes, size_t size)
{
	uint64_t announced = size;

	fputc(what, out);
	fwrite(&announced, sizeof(announced), 1, out);
	fwrite(bytes, 1, size, out);
	fflush(out);
}

/* A summary's bytes, malloc'ed; NULL: *error says why. *what: which of both it is. */
static char *summarize_file(const struct collecting *collecting, const char *path, char *what,
			    size_t *size, char **error)
{
	struct trace *trace = trace_load(path, error);
	uint64_t share = collecting->is_last ? 1 : collecting->worker_count;
	struct summary *summary;
	char *bytes = NULL;

	*what = SAYS_FAILURE;
	if (!trace)
		return NULL;
	if (analysis_least_bytes(trace) > free_memory_bytes() / share) {
		*what = SAYS_NO_ROOM;
		*error = memory_format("an analysis takes more memory than is free");
		trace_close(trace);
		return NULL;
	}
	trace_resolve_sites(trace);
	trace_resolve_kernels(trace);
	trace = trace_device_part(trace);
	summary = trace_summary_make(trace, collecting->options->is_exact);
	if (trace_summary_write(summary, collecting->options->folder, path, error))
		bytes = summary_to_bytes(summary, size, error);
	if (bytes)
		*what = SAYS_SUMMARY;
	summary_free(summary);
	trace_close(trace);
	return bytes;
}

/* The worker, until nothing more is ordered. */
static void serve_orders(const struct collecting *collecting, int socket)
{
	FILE *out = fdopen(socket, "w");
	size_t index;

	while (out && read(socket, &index, sizeof(index)) == sizeof(index)) {
		char *error = NULL, what;
		size_t size = 0;
		char *bytes =
			summarize_file(collecting, collecting->paths[index], &what, &size, &error);
		const char *why = error ? error : "?";

		say_bytes(out, what, bytes ? bytes : why, bytes ? size : strlen(why));
		free(bytes);
		free(error);
	}
}

static void leave_out(struct collecting *collecting, size_t index, const char *why)
{
	job_pile_add(&collecting->pile, job_of_unread(collecting->paths[index], why));
}

/* False: errno says why. */
static bool start_worker(struct collecting *collecting, struct worker *worker)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	fflush(NULL);
	*worker = (struct worker){.process = fork(), .socket = ends[0]};
	if (worker->process == 0) {
		/* Its signals end it as they end this program. */
		signal(SIGPIPE, SIG_DFL);
		close(ends[0]);
		serve_orders(collecting, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	if (worker->process > 0)
		return true;
	close(ends[0]);
	worker->process = 0;
	return false;
}

static void take_summary(struct collecting *collecting, size_t index, const void *bytes,
			 size_t size)
{
	char *error = NULL;
	struct summary *summary = summary_from_bytes(bytes, size, &error);

	if (summary)
		job_pile_add(&collecting->pile, job_of_summary(summary));
	else
		leave_out(collecting, index, error);
	free(error);
}

/* What the worker said of its file; NULL: nothing, and `text` says how it ended. */
static void take_answer(struct collecting *collecting, struct worker *worker, const char *said,
			size_t size, const char *text)
{
	worker->is_busy = false;
	if (said && *said == SAYS_SUMMARY)
		take_summary(collecting, worker->index, said + HEAD_BYTES, size);
	else if (!collecting->is_last && (!said || *said == SAYS_NO_ROOM))
		collecting->again[collecting->again_count++] = worker->index;
	else
		leave_out(collecting, worker->index, text);
}

/* If all of it is there. */
static void take_said(struct collecting *collecting, struct worker *worker)
{
	const char *said = (const char *)worker->said.bytes;
	uint64_t size;
	char *text;

	if (worker->said.size < HEAD_BYTES)
		return;
	memcpy(&size, said + 1, sizeof(size));
	if (worker->said.size - HEAD_BYTES < size)
		return;
	text = *said == SAYS_SUMMARY ? NULL : memory_format("%.*s", (int)size, said + HEAD_BYTES);
	take_answer(collecting, worker, said, (size_t)size, text);
	free(text);
	worker->said.size = 0;
}

/* It has ended, in the middle of a file perhaps. */
static void finish_worker(struct collecting *collecting, struct worker *worker)
{
	int status = 0;
	char *text;

	close(worker->socket);
	while (waitpid(worker->process, &status, 0) < 0 && errno == EINTR)
		;
	text = WIFSIGNALED(status)
		       ? memory_format("its analysis was ended by signal %d", WTERMSIG(status))
		       : memory_format("its analysis failed");
	if (worker->is_busy)
		take_answer(collecting, worker, NULL, 0, text);
	free(text);
	free(worker->said.bytes);
	*worker = (struct worker){0};
}

/* False: it has ended. */
static bool read_more(struct worker *worker)
{
	char bytes[READ_BYTES];
	ssize_t size = read(worker->socket, bytes, sizeof(bytes));

	if (size > 0)
		packing_add(&worker->said, bytes, (size_t)size);
	return size > 0 || (size < 0 && errno == EINTR);
}

/* Until a worker says something or ends. */
static void wait_for_some(struct collecting *collecting)
{
	struct pollfd polled[MOST_WORKERS];
	struct worker *workers[MOST_WORKERS];
	nfds_t count = 0;

	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (collecting->workers[i].process) {
			workers[count] = &collecting->workers[i];
			polled[count] = (struct pollfd){workers[count]->socket, POLLIN, 0};
			count++;
		}
	if (poll(polled, count, -1) < 0)
		return;
	for (nfds_t i = 0; i < count; i++)
		if (polled[i].revents && read_more(workers[i]))
			take_said(collecting, workers[i]);
		else if (polled[i].revents)
			finish_worker(collecting, workers[i]);
}

/* One that can take a file; NULL: all are busy. */
static struct worker *find_idle(struct collecting *collecting)
{
	for (size_t i = 0; i < collecting->worker_count; i++)
		if (!collecting->workers[i].is_busy)
			return &collecting->workers[i];
	return NULL;
}

/* To the worker, which is started where there is none. */
static void order_file(struct collecting *collecting, struct worker *worker, size_t index)
{
	if (!worker->process && !start_worker(collecting, worker)) {
		leave_out(collecting, index, strerror(errno));
		return;
	}
	worker->index = index;
	worker->is_busy = true;
	/* One that has ended meanwhile is found when it is read from. */
	if (send(worker->socket, &index, sizeof(index), MSG_NOSIGNAL) < 0)
		shutdown(worker->socket, SHUT_RDWR);
}

static bool has_workers(const struct collecting *collecting)
{
	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (collecting->workers[i].process)
			return true;
	return false;
}

static void analyse_all(struct collecting *collecting, const size_t *files, size_t count)
{
	struct worker *worker;

	for (size_t i = 0; i < count; i++) {
		while (!(worker = find_idle(collecting)))
			wait_for_some(collecting);
		order_file(collecting, worker, files[i]);
	}
	for (size_t i = 0; i < MOST_WORKERS; i++)
		if (collecting->workers[i].process)
			shutdown(collecting->workers[i].socket, SHUT_WR);
	while (has_workers(collecting))
		wait_for_some(collecting);
}

/* Beside each other, then again those that had no room, one at a time. */
static void analyse_traces(struct collecting *collecting, const size_t *files, size_t count)
{
	size_t processors = parallel_workers(), *again;

	collecting->worker_count = processors < count ? processors : count;
	if (collecting->worker_count > MOST_WORKERS)
		collecting->worker_count = MOST_WORKERS;
	if (count > 1)
		parallel_limit(processors / collecting->worker_count);
	collecting->again = memory_array(count + 1, sizeof(*collecting->again));
	analyse_all(collecting, files, count);
	again = collecting->again;
	parallel_limit(processors);
	collecting->worker_count = 1;
	collecting->is_last = true;
	analyse_all(collecting, again, collecting->again_count);
	free(again);
}

/* Summaries that are read one after the other, beside others. */
struct part {
	const char **paths;
	size_t count;
	struct job *job;
};

static struct job *read_one(const char *path)
{
	char *error = NULL;
	struct summary *summary = summary_read(path, &error);
	struct job *job = summary ? job_of_summary(summary) : job_of_unread(path, error);

	free(error);
	return job;
}

static void read_part(void *context, size_t index)
{
	struct part *part = &((struct part *)context)[index];
	struct job_pile pile = {0};

	for (size_t i = 0; i < part->count; i++)
		job_pile_add(&pile, read_one(part->paths[i]));
	part->job = job_pile_take(&pile);
}

static void read_summaries(struct collecting *collecting, const char **paths, size_t count)
{
	struct part parts[MOST_WORKERS];
	size_t part_count = parallel_workers();

	for (size_t i = 0; i < part_count; i++) {
		size_t first = count * i / part_count, end = count * (i + 1) / part_count;

		parts[i] = (struct part){paths + first, end - first, NULL};
	}
	parallel_run(part_count, read_part, parts);
	for (size_t i = 0; i < part_count; i++)
		job_pile_add(&collecting->pile, parts[i].job);
}

struct job *collect_job(const struct collect_options *options, const char *const *paths,
			size_t count)
{
	struct collecting collecting = {.paths = paths, .options = options};
	const char **summaries = memory_array(count + 1, sizeof(*summaries));
	size_t *traces = memory_array(count + 1, sizeof(*traces));
	size_t summary_count = 0, trace_count = 0;

	for (size_t i = 0; i < count; i++)
		if (summary_is_at(paths[i]))
			summaries[summary_count++] = paths[i];
		else
			traces[trace_count++] = i;
	read_summaries(&collecting, summaries, summary_count);
	if (trace_count)
		analyse_traces(&collecting, traces, trace_count);
	free(summaries);
	free(traces);
	return job_pile_take(&collecting.pile);
}
