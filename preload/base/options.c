#include "base/options.h"

#include "base/clock.h"
#include "facts/check.h"
#include "facts/output_name.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct options options;

static const char prefix[] = "STREAMTRACE_";

static bool has_standard_error; /* at the time we were loaded */
static struct stat standard_error;

/* Lines for options_complain(): what is wrong with the environment. */
static char complaints[1024];

/* Appends text to the list, after a separator unless the list is empty. */
static void append_text(char *list, size_t size, char separator, const char *text)
{
	size_t used = strlen(list);
	const char before[] = {separator, '\0'};
	char *added = list + used;

	snprintf(added, size - used, "%s%s", used ? before : "", text);
	for (char *c = *added ? added + 1 : added; *c; c++)
		if (*c == '\n')
			*c = '?';
}

static void note_unknown(const char *variable, size_t length)
{
	char text[256];

	snprintf(text, sizeof(text), "%s%.*s", prefix, (int)length, variable);
	append_text(options.unknown, sizeof(options.unknown), ',', text);
	snprintf(text, sizeof(text), "%s%.*s: there is no such variable", prefix, (int)length,
		 variable);
	append_text(complaints, sizeof(complaints), '\n', text);
}

static void note_wrong(const char *name, const char *value, const char *expected)
{
	char text[256];

	snprintf(text, sizeof(text), "%s%s=%s", prefix, name, value);
	append_text(options.unknown, sizeof(options.unknown), ',', text);
	snprintf(text, sizeof(text), "%s%s=%.60s: the value must be %s", prefix, name, value,
		 expected);
	append_text(complaints, sizeof(complaints), '\n', text);
}

void options_note_wrong(const char *name, const char *value)
{
	char expected[128];

#define ENVIRONMENT(row, field, type, otherwise, rule, argument, meaning)                          \
	if (!strcmp(name, #row))                                                                   \
		note_wrong(name, value,                                                            \
			   check_expects(&(const struct check)rule, argument, expected,            \
					 sizeof(expected)));
#include "facts/environment.def"
#undef ENVIRONMENT
}

static const char *copy_text(const char *value, const char *otherwise)
{
	char *copy = strdup(value);

	if (!copy)
		return otherwise;
	return copy;
}

static bool parse_TEXT(const struct check *check, const char *value, const char **text)
{
	if (!check_passes(check, value))
		return false;
	*text = copy_text(value, *text);
	return true;
}

static bool parse_FLAG(const struct check *check, const char *value, bool *flag)
{
	int word = check_word(check, value);

	if (word >= 0)
		*flag = word % 2;
	return word >= 0;
}

static bool parse_NUMBER(const struct check *check, const char *value, long *number)
{
	long parsed;

	if (!check_number(check, value, &parsed))
		return false;
	*number = parsed;
	return true;
}

static bool parse_SIGNAL(const struct check *check, const char *value, int *number)
{
	int parsed = check_signal(value);

	if (!parsed)
		return false;
	*number = parsed;
	return true;
}

static bool is_known(const char *variable)
{
	size_t length = strcspn(variable, "=");

#define ENVIRONMENT(name, field, type, value, rule, argument, meaning)                             \
	if (length == strlen(#name) && !strncmp(variable, #name, length))                          \
		return true;
#include "facts/environment.def"
#undef ENVIRONMENT
	return false;
}

static bool is_watch;

bool options_is_watch(void)
{
	return is_watch;
}

/* What costs time in each call, or records windows alone, has no place there. */
static void set_watch(void)
{
	is_watch = !strcmp(options.mode, "watch");
	if (!is_watch)
		return;
	options.content = false;
	options.races = false;
	options.first_use = options.steps = "";
	options.start = "now";
}

/* An empty variable is as good as none. */
static const char *read_variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static void read_variables(void)
{
	const char *text;

#define ENVIRONMENT(name, field, type, value, rule, argument, meaning)                             \
	options.field = value;                                                                     \
	text = read_variable("STREAMTRACE_" #name);                                                \
	if (text && !parse_##type(&(const struct check)rule, text, &options.field))                \
		options_note_wrong(#name, text);
#include "facts/environment.def"
#undef ENVIRONMENT
}

void options_read(void)
{
	int saved_errno = errno;

	has_standard_error = !fstat(STDERR_FILENO, &standard_error);
	options.unknown[0] = complaints[0] = '\0';
	read_variables();
	set_watch();
	/* Files are stamped with the coarse clock, which is a tick behind. */
	options.read_ns = clock_ns(CLOCK_REALTIME_COARSE);
	for (char **variable = environ; variable && *variable; variable++)
		if (!strncmp(*variable, prefix, sizeof(prefix) - 1) &&
		    !is_known(*variable + sizeof(prefix) - 1))
			note_unknown(*variable + sizeof(prefix) - 1,
				     strcspn(*variable + sizeof(prefix) - 1, "="));
	errno = saved_errno;
}

const char *options_program(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *slash;

	if (length <= 0)
		return "unknown";
	path[length] = '\0';
	slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* torchrun's workers inherit OMPI_COMM_WORLD_RANK and the like from whatever started torchrun (one
 * a node), so RANK comes first there. Elsewhere RANK may be the program's own variable, so it comes
 * last. A rank with a slash is no rank, and a file name with it would need a folder. */
static const char *read_rank(void)
{
	static const char *const names[] = {"RANK",	"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
					    "PMI_RANK", "SLURM_PROCID",		"RANK"};

	for (size_t i = read_variable("TORCHELASTIC_RUN_ID") ? 0 : 1;
	     i < sizeof(names) / sizeof(names[0]); i++) {
		const char *rank = read_variable(names[i]);

		if (rank && !strchr(rank, '/'))
			return copy_text(rank, NULL);
	}
	return NULL;
}

static int print_host(char *out, size_t size)
{
	char host[HOST_NAME_MAX + 1] = "localhost";

	gethostname(host, sizeof(host) - 1);
	return snprintf(out, size, "%s", host);
}

static int print_process(char *out, size_t size)
{
	return snprintf(out, size, "%d", (int)getpid());
}

static int print_rank(char *out, size_t size)
{
	return snprintf(out, size, "%s", options.rank ? options.rank : "no-rank");
}

static int print_place(char *out, size_t size)
{
	return options.rank ? snprintf(out, size, "rank.%s", options.rank) : print_host(out, size);
}

static int print_program(char *out, size_t size)
{
	return snprintf(out, size, "%s", options_program());
}

static int print_percent(char *out, size_t size)
{
	return snprintf(out, size, "%%");
}

/* As snprintf() returns. */
static int print_field(char field, char *out, size_t size)
{
	switch (field) {
#define OUTPUT_FIELD(letter, name, meaning)                                                        \
	case letter:                                                                               \
		return print_##name(out, size);
#include "facts/output_name.def"
#undef OUTPUT_FIELD
	default:
		return snprintf(out, size, "%%%c", field);
	}
}

static const char too_long[] = "the output path is too long";

/* Appends the name to the path, which is filled up to `used`. Returns the new `used`; size or more:
 * it did not fit. */
static size_t print_name(const char *name, char *path, size_t used, size_t size)
{
	for (const char *c = name; *c && used < size; c++) {
		if (*c == '%' && c[1])
			used += (size_t)print_field(*++c, path + used, size - used);
		else
			path[used++] = *c;
	}
	return used;
}

bool options_ask_for_first_uses(void)
{
	return *options.first_use && strcmp(options.first_use, "0") != 0;
}

bool options_graphs_are_whole(void)
{
	return !strcmp(options.graphs, "whole");
}

bool options_watch_memory(void)
{
	return options.races || options_ask_for_first_uses();
}

const char *options_output_path(char *path, size_t size)
{
	size_t used = 0;

	options.rank = read_rank();
	if (options.output[0] != '/') {
		if (!getcwd(path, size - 1) || path[0] != '/')
			return errno == ERANGE ? too_long
					       : "the working directory is not there any more";
		used = strlen(path);
		path[used++] = '/';
	}
	used = print_name(options.output, path, used, size);
	if (output_name_is_folder(options.output))
		used = print_name(OUTPUT_NAME_IN_FOLDER, path, used, size);
	if (used >= size)
		return too_long;
	path[used] = '\0';
	return NULL;
}

/* A python3 is python3.11 to the kernel: either name will do. */
bool options_is_program_wanted(void)
{
	const char *program = options_program();
	char pattern[256];

	if (!options.programs[0])
		return true;
	for (const char *c = options.programs; *c; c += strspn(c, ",")) {
		size_t length = strcspn(c, ",");

		snprintf(pattern, sizeof(pattern), "%.*s", (int)length, c);
		if (!fnmatch(pattern, program, 0) ||
		    !fnmatch(pattern, program_invocation_short_name, 0))
			return true;
		c += length;
	}
	return false;
}

/* Whether standard error is still the file that it was when we were loaded: a program may have
 * closed it since, and the number may now belong to a data file. */
static bool is_standard_error(void)
{
	struct stat now;

	return has_standard_error && !fstat(STDERR_FILENO, &now) &&
	       now.st_dev == standard_error.st_dev && now.st_ino == standard_error.st_ino;
}

/* Never waits for a reader, and brings no signal (SIGPIPE, SIGXFSZ) upon the program. */
static void write_line(const char *line, size_t length)
{
	const struct timespec no_time = {0};
	struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
	sigset_t ours, before, pending;

	if (!is_standard_error() || poll(&room, 1, 0) != 1 || !(room.revents & POLLOUT))
		return;
	sigemptyset(&ours);
	sigaddset(&ours, SIGPIPE);
	sigaddset(&ours, SIGXFSZ);
	sigpending(&pending);
	/* One that is pending by now is the program's. */
	if (sigismember(&pending, SIGPIPE))
		sigdelset(&ours, SIGPIPE);
	if (sigismember(&pending, SIGXFSZ))
		sigdelset(&ours, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &ours, &before);
	if (write(STDERR_FILENO, line, length) < 0)
		while (sigtimedwait(&ours, NULL, &no_time) > 0)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void say_formatted(const char *format, va_list arguments)
{
	int saved_errno = errno;
	char line[1024];
	int length = snprintf(line, sizeof(line), "streamtrace: ");

	length += vsnprintf(line + length, sizeof(line) - (size_t)length - 1, format, arguments);
	if (length > (int)sizeof(line) - 2)
		length = sizeof(line) - 2;
	/* A file's name can hold anything. */
	for (int i = 0; i < length; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	line[length++] = '\n';
	write_line(line, (size_t)length);
	errno = saved_errno;
}

static void say_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say_line(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say_formatted(format, arguments);
	va_end(arguments);
}

void options_complain(void)
{
	char *rest = complaints, *line;

	while (!options.quiet && (line = strsep(&rest, "\n")))
		if (*line)
			say_line("%s", line);
	complaints[0] = '\0';
}

void options_say(const char *format, ...)
{
	va_list arguments;

	if (!options.verbose)
		return;
	va_start(arguments, format);
	say_formatted(format, arguments);
	va_end(arguments);
}

void options_warn(enum options_cause cause, const char *format, ...)
{
	static _Atomic bool is_said[OPTIONS_CAUSE_COUNT];
	va_list arguments;

	if (options.quiet || (is_watch && cause != OPTIONS_NO_FILE) ||
	    atomic_exchange(&is_said[cause], true))
		return;
	va_start(arguments, format);
	say_formatted(format, arguments);
	va_end(arguments);
}
