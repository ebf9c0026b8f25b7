#include "commands/command.h"
#include "findings/first_use_question.h"
#include "commands/measure.h"
#include "base/memory.h"
#include "commands/reach.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_OUTPUT "streamtrace.%h.%p.db"

static const char help[] =
	"Usage: streamtrace run [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	"Runs PROGRAM and traces it. The exit status is PROGRAM's, 128 + N when signal N\n"
	"killed it, 127 when it was not found and 126 when it could not be run.\n"
	"\n"
	"Options:\n"
	"  -o, --output=FILE  the trace; in its name %h is the host, %p the process, %n\n"
	"                     the program, %r the rank that an MPI launcher gave. The\n"
	"                     default is $STREAMTRACE_OUTPUT, else " DEFAULT_OUTPUT "\n"
	"      --first-use[=TRACE]\n"
	"                     find out when PROGRAM first touches what its copies to the host\n"
	"                     brought, so that the report can tell which waits are needed; with\n"
	"                     the TRACE of a run before, only of copies that waits in question\n"
	"                     covered. It costs microseconds a copy: not for timing\n"
	"      --no-measure   do not measure, once PROGRAM has ended, what copies from and to\n"
	"                     pinned memory take: half a second on the GPU, where PROGRAM\n"
	"                     copied pageable memory only, and 5 s at most\n"
	"  -h, --help         show this help\n"
	"\n"
	"A second process that would write the same file writes trace.2.db beside\n"
	"trace.db, and so on. STREAMTRACE_START=paused records only the windows that the\n"
	"program opens, STREAMTRACE_VERBOSE=1 says on standard error what the tracer\n"
	"does, STREAMTRACE_QUIET=1 lets it say nothing.\n";

/* The library beside this program, or NULL. malloc'ed. */
static char *find_library(const char *name)
{
	static const char *const places[] = {"../lib", "../lib/streamtrace"};
	char self[PATH_MAX], *path, *real;
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (length < 0)
		return NULL;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		path = memory_format("%s/%s/%s", self, places[i], name);
		real = realpath(path, NULL);
		free(path);
		if (real)
			return real;
	}
	fprintf(stderr,
		"streamtrace: %s is missing: it is neither in %s/../lib nor in "
		"%s/../lib/streamtrace\n",
		name, self, self);
	return NULL;
}

/* What the program is started with. */
struct start {
	char *libraries; /* for LD_PRELOAD */
	const char *output;
	const char *first_use; /* STREAMTRACE_FIRST_USE, or NULL */
	struct timespec since;
};

static void set_environment(const struct start *start)
{
	const char *others = getenv("LD_PRELOAD");
	char *preload = memory_format("%s%s%s", start->libraries, others && *others ? ":" : "",
				      others ? others : "");

	/* A program that is started twice keeps both its traces; an older one is replaced. */
	char *keep_since = memory_format("%lld", (long long)start->since.tv_sec * 1000000000LL +
							 start->since.tv_nsec);

	if (setenv("LD_PRELOAD", preload, 1) || setenv("STREAMTRACE_OUTPUT", start->output, 1) ||
	    (start->first_use && setenv("STREAMTRACE_FIRST_USE", start->first_use, 1)) ||
	    setenv("STREAMTRACE_KEEP_SINCE_NS", keep_since, 1)) {
		fputs("streamtrace: out of memory\n", stderr);
		exit(EXIT_UNREADABLE);
	}
	free(preload);
	free(keep_since);
}

/* What the terminal sends with ^C and ^\ is for the program; this one waits for its end. */
static const int left_to_program[] = {SIGINT, SIGQUIT};

#define LEFT_COUNT (sizeof(left_to_program) / sizeof(*left_to_program))

/* Starts the program. Its process id, or -1 with errno as exec left it. */
static pid_t start(char **argv, const struct start *start)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before[LEFT_COUNT];
	int report[2], error = 0;
	pid_t child;
	size_t i;

	if (pipe2(report, O_CLOEXEC))
		return -1;
	for (i = 0; i < LEFT_COUNT; i++)
		sigaction(left_to_program[i], &ignore, &before[i]);
	child = fork();
	if (child == 0) {
		for (i = 0; i < LEFT_COUNT; i++)
			sigaction(left_to_program[i], &before[i], NULL);
		set_environment(start);
		execvp(argv[0], argv);
		error = errno;
		_exit(write(report[1], &error, sizeof(error)) == sizeof(error) ? 127 : 126);
	}
	if (child < 0)
		error = errno;
	close(report[1]);
	/* Ends empty when exec closed the other end. */
	if (child > 0 && read(report[0], &error, sizeof(error)) == sizeof(error))
		waitpid(child, NULL, 0);
	close(report[0]);
	errno = error;
	return error ? -1 : child;
}

/* A shell's exit status for what became of the child. */
static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 126;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The glob of all names that libstrace.so may make of output. Processes that the program started
 * have numbers, names and ranks of their own. */
static char *make_glob(const char *output)
{
	char host[HOST_NAME_MAX + 1] = "", *glob_text = memory_array(1, 1), *longer;
	const char *c;

	gethostname(host, sizeof(host) - 1);
	for (c = output; *c; c++) {
		bool is_field = c[0] == '%' && c[1] && strchr("hpnr%", c[1]);
		bool is_special = strchr("*?[\\", *c) != NULL;

		if (is_field && c[1] == 'h')
			longer = memory_format("%s%s", glob_text, host);
		else if (is_field && c[1] == '%')
			longer = memory_format("%s%%", glob_text);
		else if (is_field)
			longer = memory_format("%s*", glob_text);
		else
			longer = memory_format("%s%s%c", glob_text, is_special ? "\\" : "", *c);
		free(glob_text);
		glob_text = longer;
		c += is_field;
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

/* A run right before this one may have written to its trace within the tick of a file's time: where
 * a trace says when it began, that decides. */
static bool is_begun_before(const struct trace *trace, const struct timespec *since)
{
	const char *start = trace_metadata(trace, "start_ns");

	return start && strtoll(start, NULL, 10) < since->tv_sec * 1000000000LL + since->tv_nsec;
}

/* What the traces of a run share. */
struct finishing {
	struct timespec since;
	struct measuring measuring;
};

/* Makes the trace readable without the program, and says what to do next. False: it is another
 * run's. */
static bool finish_trace(const char *path, struct finishing *finishing)
{
	char *error = NULL;
	struct trace *trace = trace_load(path, &error);

	if (trace && is_begun_before(trace, &finishing->since)) {
		trace_close(trace);
		return false;
	}
	if (trace && !is_still_written(trace)) {
		trace_resolve_sites(trace);
		if (trace_store_sites(trace, &error) == 0)
			measure_store(&finishing->measuring, trace, &error);
	}
	if (error)
		fprintf(stderr, "streamtrace: %s: %s\n", path, error);
	else
		fprintf(stderr, "streamtrace: wrote %s; next: streamtrace report %s\n", path, path);
	trace_close(trace);
	free(error);
	return true;
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
		for (i = 0; i < found.gl_pathc; i++)
			if ((!done || fnmatch(done, found.gl_pathv[i], FNM_PATHNAME)) &&
			    is_written_since(found.gl_pathv[i], &finishing->since))
				traces += finish_trace(found.gl_pathv[i], finishing);
	globfree(&found);
	return traces;
}

static void finish_traces(const char *output, const char *program, struct finishing *finishing)
{
	char *pattern = make_glob(output), *numbered = make_numbered_glob(pattern);
	size_t traces = finish_matching(pattern, NULL, finishing) +
			finish_matching(numbered, pattern, finishing);

	if (!traces)
		fprintf(stderr,
			"streamtrace: no trace was written: %s made no CUDA call, or a program did "
			"that LD_PRELOAD\ndoes not reach (a static or set-user-ID one); had %s not "
			"been possible to write,\na line above would say so\n",
			program, output);
	free(numbered);
	free(pattern);
}

/* Whether the trace can be created, as far as can be told before the program runs. */
static bool check_output(const char *output)
{
	const char *slash = strrchr(output, '/');
	char *folder = slash ? memory_format("%.*s", (int)(slash - output + 1), output)
			     : memory_format(".");
	bool ok = strchr(folder, '%') || access(folder, W_OK) == 0;

	if (!ok)
		fprintf(stderr, "streamtrace: %s: cannot be created: %s\n", output,
			strerror(errno));
	free(folder);
	return ok;
}

/* The libraries to preload, malloc'ed; NULL: one is missing. */
static char *find_libraries(bool is_first_use)
{
	char *library = find_library("libstrace.so"), *touch, *both;

	if (!library || !is_first_use)
		return library;
	touch = find_library("libstrace_touch.so");
	both = touch ? memory_format("%s:%s", library, touch) : NULL;
	free(touch);
	free(library);
	return both;
}

static int run_program(char **argv, const char *output, const char *first_use, bool measures)
{
	struct finishing finishing = {.measuring.left_ms = measures ? MEASURE_LIMIT_MS : 0};
	struct start starting = {.libraries = find_libraries(first_use != NULL),
				 .output = output,
				 .first_use = first_use};
	const char *obstacle;
	pid_t child;
	int status;

	if (!starting.libraries)
		return EXIT_UNREADABLE;
	obstacle = reach_obstacle(argv[0]);
	if (obstacle)
		fprintf(stderr, "streamtrace: %s will run untraced: %s\n", argv[0], obstacle);
	/* Files are stamped with the coarse clock. */
	clock_gettime(CLOCK_REALTIME_COARSE, &finishing.since);
	starting.since = finishing.since;
	child = start(argv, &starting);
	free(starting.libraries);
	if (child < 0) {
		status = errno == ENOENT ? 127 : 126;
		fprintf(stderr, "streamtrace: %s: %s\n", argv[0], strerror(errno));
		return status;
	}
	status = wait_for(child);
	finish_traces(output, argv[0], &finishing);
	measure_free(&finishing.measuring);
	return status;
}

/* STREAMTRACE_FIRST_USE, malloc'ed; NULL: nothing is to be watched. Ends the program when the trace
 * cannot be read. */
static char *find_first_use(const char *path)
{
	char *error = NULL, *sites;
	struct trace *trace;

	if (!path)
		return memory_format("1");
	trace = trace_load(path, &error);
	if (!trace) {
		fprintf(stderr, "streamtrace: %s: %s\n", path, error);
		exit(EXIT_UNREADABLE);
	}
	trace_resolve_sites(trace);
	sites = first_use_question(trace);
	trace_close(trace);
	if (!sites)
		fprintf(stderr, "streamtrace: %s: no wait for a copy to the host is in question\n",
			path);
	return sites;
}

static int run_main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"output", required_argument, NULL, 'o'},
		{"no-measure", no_argument, NULL, 'm'},
		{"first-use", optional_argument, NULL, 'f'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};
	const char *output = getenv("STREAMTRACE_OUTPUT");
	char *first_use = NULL;
	bool measures = true;
	int option, status;

	/* '+': the program's own options are not ours. */
	while ((option = getopt_long(argc, argv, "+o:h", long_options, NULL)) != -1) {
		if (option == 'h') {
			fputs(help, stdout);
			return EXIT_FINE;
		}
		if (option == 'o')
			output = optarg;
		else if (option == 'm')
			measures = false;
		else if (option == 'f')
			first_use = find_first_use(optarg);
		else
			return EXIT_USAGE;
	}
	if (optind == argc) {
		fputs("streamtrace: run needs a program: see streamtrace run --help\n", stderr);
		return EXIT_USAGE;
	}
	if (!output || !*output)
		output = DEFAULT_OUTPUT;
	status = check_output(output) ? run_program(argv + optind, output, first_use, measures)
				      : EXIT_UNREADABLE;
	free(first_use);
	return status;
}

const struct command command_run = {
	.name = "run",
	.summary = "run a program and trace it",
	.main = run_main,
};
