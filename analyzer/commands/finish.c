#include "commands/finish.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/quote.h"
#include "commands/command.h"
#include "commands/tool_numbers.h"
#include "commands/untraced.h"
#include "facts/output_name.h"
#include "facts/watch_page.h"
#include "findings/not_seen.h"
#include "trace/trace.h"

#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The glob for a field of an output name; malloc'ed. Processes that the program started have process ids,
 * names and ranks of their own. */
static char *glob_any(void)
{
	return memory_format("*");
}

static char *glob_host(void)
{
	char host[HOST_NAME_MAX + 1] = "";

	gethostname(host, sizeof(host) - 1);
	return memory_format("%s", host);
}

static char *glob_percent(void)
{
	return memory_format("%%");
}

#define glob_process glob_any
#define glob_rank    glob_any
#define glob_place   glob_any
#define glob_program glob_any

/* NULL: no field has that letter. */
static char *glob_field(char field)
{
	switch (field) {
#define OUTPUT_FIELD(letter, name, meaning)                                                        \
	case letter:                                                                               \
		return glob_##name();
#include "facts/output_name.def"
#undef OUTPUT_FIELD
	default:
		return NULL;
	}
}

/* The glob of all names that libstrace.so may make of output; malloc'ed. */
static char *make_glob(const char *output)
{
	char *glob_text = memory_array(1, 1), *longer;

	for (const char *c = output; *c; c++) {
		char *field = *c == '%' ? glob_field(c[1]) : NULL;

		if (field)
			longer = memory_format("%s%s", glob_text, field);
		else
			longer = memory_format("%s%s%c", glob_text, strchr("*?[\\", *c) ? "\\" : "",
					       *c);
		c += field != NULL;
		free(field);
		free(glob_text);
		glob_text = longer;
	}
	return glob_text;
}

static bool is_written_since(const char *path, const struct timespec *since)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	return status.st_mtim.tv_sec > since->tv_sec ||
	       (status.st_mtim.tv_sec == since->tv_sec && status.st_mtim.tv_nsec >= since->tv_nsec);
}

/* A process that lives on writes to its trace: leave that alone. */
static bool is_still_written(const struct trace *trace)
{
	const char *end = trace_metadata(trace, "end");
	const char *process = trace_metadata(trace, "process_id");
	long id = process ? strtol(process, NULL, 10) : 0;

	return end && strcmp(end, "running") == 0 && id > 0 && kill((pid_t)id, 0) == 0;
}

/* Whether another run wrote the trace. Of several runs at once (mpirun) each finishes its own traces. A
 * trace that does not say which run it is of counts by when it began: a run just before this one may have
 * written to its file within the same tick of the file's time. */
static bool is_of_other_run(const struct trace *trace, const struct finishing *finishing)
{
	const char *run = trace_metadata(trace, "traced_by");
	const char *start = trace_metadata(trace, "start_ns");
	const struct timespec *since = &finishing->since;

	if (run)
		return strcmp(run, finishing->run) != 0;
	return start && strtoll(start, NULL, 10) < since->tv_sec * 1000000000LL + since->tv_nsec;
}

/* Whether this run wrote the file. One that cannot be read counts as its own, and the reason is printed
 * later; but in a folder, where other runs write, too, it counts as theirs, and so does a trace that names
 * no run. */
static bool is_own(const char *path, const struct finishing *finishing)
{
	char *error = NULL;
	struct trace *trace = trace_load_metadata(path, &error);
	bool is_own = !finishing->is_folder;

	free(error);
	if (!trace)
		return is_own;
	if (is_own || trace_metadata(trace, "traced_by"))
		is_own = !is_of_other_run(trace, finishing);
	trace_close(trace);
	return is_own;
}

/* The first one is what will be reported on first. */
static void take_finished(struct finishing *finishing, char *path, struct trace *trace,
			  bool is_whole)
{
	if (!trace) {
		free(path);
		return;
	}
	*vector_add(&finishing->paths) = path;
	if (finishing->reports && finishing->paths.count == 1 && is_whole)
		command_keep(trace);
	else
		trace_close(trace);
}

/* With the program there source lines can be told, and this machine is the one that it ran on. */
static void complete_trace(struct finishing *finishing, struct trace *trace, char **error)
{
	progress_step("looking up source lines");
	trace_resolve_sites(trace);
	progress_step("measuring this machine");
	if (trace_store_sites(trace, error) == 0)
		measure_apply(&finishing->measuring, trace, error);
	if (!*error)
		tool_numbers_apply(trace, finishing->measuring.left_ms > 0, error);
	/* Other runs that look for theirs in the folder kept the writer from it. */
	trace_join_log(trace);
}

/* ", without 12 rows that could not be written (database or disk is full: COMMIT)", or "" where nothing
 * failed; malloc'ed. */
static char *describe_unwritten(const struct trace *trace)
{
	const char *detail = NULL;
	int64_t rows = 0;

	for (size_t i = 0; i < trace->loss_count; i++) {
		if (strcmp(trace->losses[i].kind, "file-error") != 0)
			continue;
		rows += trace->losses[i].count;
		detail = trace->losses[i].detail;
	}
	if (!rows)
		return memory_format("%s", "");
	return memory_format(", without %lld rows that could not be written (%s)", (long long)rows,
			     detail ? detail : "no reason is known");
}

static void say_written(const struct finishing *finishing, const char *path,
			const struct trace *trace)
{
	const bool is_named = !finishing->is_folder && !finishing->is_temporary;
	const char *shown = finishing->is_temporary ? "the recording" : path;
	char *quoted = quote_for_shell(path), *unwritten = describe_unwritten(trace);
	char *nothing = not_seen_nothing(trace);

	if (nothing)
		command_note("%s: no CUDA call was recorded: %s", shown, nothing);
	else if (is_named ? finishing->reports : *unwritten != '\0')
		command_note("wrote %s%s", shown, unwritten);
	else if (is_named)
		command_note("wrote %s%s; next: streamtrace report %s", path, unwritten, quoted);
	free(nothing);
	free(unwritten);
	free(quoted);
}

static bool may_have_calls(const struct trace *trace, bool is_whole)
{
	char *nothing = trace && is_whole ? not_seen_nothing(trace) : NULL;

	free(nothing);
	return !nothing;
}

/* Of the traces in a folder. */
static void say_folder(const struct finishing *finishing, const char *folder)
{
	size_t count = finishing->paths.count;
	char *quoted = quote_for_shell(folder);
	char *what = count == 1 ? memory_format("%s", finishing->paths.items[0])
				: memory_format("%zu traces into %s", count, folder);

	if (finishing->reports)
		command_note("wrote %s", what);
	else
		command_note("wrote %s; next: streamtrace report %s", what, quoted);
	free(what);
	free(quoted);
}

/* Makes the trace readable without the program. */
static void finish_trace(const char *name, struct finishing *finishing)
{
	char *error = NULL, *path = memory_format("%s", name);
	bool is_whole = false;
	struct trace *trace;

	progress_step("reading the trace");
	trace = trace_load(path, &error);
	if (trace && !is_still_written(trace)) {
		is_whole = true;
		complete_trace(finishing, trace, &error);
	}
	progress_end();
	finishing->has_calls |= may_have_calls(trace, is_whole);
	if (error)
		command_note("%s: %s", path, error);
	if (trace)
		say_written(finishing, path, trace);
	free(error);
	take_finished(finishing, path, trace, is_whole);
}

/* The glob of the names that the second and later processes of a run get: trace.2.db. */
static char *make_numbered_glob(const char *pattern)
{
	const char *slash = strrchr(pattern, '/'), *base = slash ? slash + 1 : pattern;
	const char *dot = strrchr(base, '.');
	int stem = dot && dot > base ? (int)(dot - pattern) : (int)strlen(pattern);

	return memory_format("%.*s.[0-9]*%s", stem, pattern, pattern + stem);
}

static size_t finish_matching(const char *pattern, const char *done, struct finishing *finishing)
{
	glob_t found = {0};
	size_t traces = 0, i;

	if (glob(pattern, 0, NULL, &found) == 0)
		for (i = 0; i < found.gl_pathc; i++) {
			const char *path = found.gl_pathv[i];

			if ((done && fnmatch(done, path, FNM_PATHNAME) == 0) ||
			    !is_written_since(path, &finishing->since))
				continue;
			if (is_own(path, finishing)) {
				finish_trace(path, finishing);
				traces++;
			} else if (!finishing->is_folder && !finishing->other) {
				finishing->other = memory_format("%s", path);
			}
		}
	globfree(&found);
	return traces;
}

/* Both globs with the names of incidents in their place. */
static void make_incident_globs(char **pattern, char **numbered)
{
	char **const globs[] = {pattern, numbered};

	for (size_t i = 0; i < sizeof(globs) / sizeof(*globs); i++) {
		char *glob_text = *globs[i];
		const size_t length = strlen(glob_text);
		const bool has_end = length > 3 && !strcmp(glob_text + length - 3, ".db");

		*globs[i] = memory_format("%.*s" WATCH_INCIDENT_INFIX "[0-9]*.db",
					  (int)(has_end ? length - 3 : length), glob_text);
		free(glob_text);
	}
}

/* A run inside of this one has the traces. */
static void say_none(struct finishing *finishing, const char *output, const char *program)
{
	const char *slash = strrchr(program, '/');
	char *cause;

	finishing->has_calls = true;
	if (finishing->other) {
		command_note("this run has no trace of its own: %s is of another streamtrace run, "
			     "perhaps inside of this one",
			     finishing->other);
	} else if (strcmp(slash ? slash + 1 : program, "streamtrace") == 0) {
		command_note("this run has no trace of its own: the streamtrace run inside of it "
			     "says above where it wrote");
	} else if (finishing->watches) {
		command_note("no incident was noticed");
	} else {
		finishing->has_calls = false;
		cause = untraced_cause(finishing->untraced, output, program);
		command_note("no trace was written: %s", cause);
		free(cause);
	}
}

void finish_traces(const char *output, const char *program, struct finishing *finishing)
{
	char *name, *pattern, *numbered;
	size_t traces;

	finishing->is_folder = output_name_is_folder(output);
	name = memory_format("%s%s", output, finishing->is_folder ? OUTPUT_NAME_IN_FOLDER : "");
	pattern = make_glob(name);
	numbered = make_numbered_glob(pattern);
	if (finishing->watches)
		make_incident_globs(&pattern, &numbered);
	traces = finish_matching(pattern, NULL, finishing) +
		 finish_matching(numbered, pattern, finishing);
	if (finishing->is_folder && finishing->paths.count)
		say_folder(finishing, output);
	if (!traces)
		say_none(finishing, output, program);
	free(numbered);
	free(pattern);
	free(name);
}

void finish_free(struct finishing *finishing)
{
	measure_free(&finishing->measuring);
	free(finishing->other);
	for (size_t i = 0; i < finishing->paths.count; i++)
		free(finishing->paths.items[i]);
	vector_free(&finishing->paths);
}
