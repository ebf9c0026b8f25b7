#include "base/options.h"

#include "base/clock.h"

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

static bool has_standard_error; /* when we were loaded */
static struct stat standard_error;

static const char *read_TEXT(const char *value, const char *otherwise)
{
	char *copy = value && *value ? strdup(value) : NULL;

	return copy ? copy : otherwise;
}

static bool read_FLAG(const char *value, bool otherwise)
{
	return value && *value ? strcmp(value, "0") != 0 : otherwise;
}

static long read_NUMBER(const char *value, long otherwise)
{
	char *end;
	long number = value ? strtol(value, &end, 10) : 0;

	return value && *value && *end == '\0' && number >= 0 ? number : otherwise;
}

static bool is_known(const char *variable)
{
	size_t length = strcspn(variable, "=");

#define OPTION(name, field, type, value, meaning)                                                  \
	if (length == strlen(#name) && !strncmp(variable, #name, length))                          \
		return true;
#include "base/options.def"
#undef OPTION
	return false;
}

static void note_unknown(const char *variable, size_t length)
{
	size_t used = strlen(options.unknown);

	snprintf(options.unknown + used, sizeof(options.unknown) - used, "%s%s%.*s",
		 used ? "," : "", prefix, (int)length, variable);
}

void options_note_unknown(const char *name, const char *value)
{
	char variable[128];

	snprintf(variable, sizeof(variable), "%s=%s", name, value);
	note_unknown(variable, strlen(variable));
}

void options_read(void)
{
	int saved_errno = errno;

	has_standard_error = !fstat(STDERR_FILENO, &standard_error);
#define OPTION(name, field, type, value, meaning)                                                  \
	options.field = read_##type(getenv("STREAMTRACE_" #name), value);
#include "base/options.def"
#undef OPTION
	/* Files are stamped with the coarse clock, which is a tick behind. */
	options.read_ns = clock_ns(CLOCK_REALTIME_COARSE);
	options.unknown[0] = '\0';
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

static const char *read_rank(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
					    "SLURM_PROCID", "RANK"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (getenv(names[i]))
			return read_TEXT(getenv(names[i]), NULL);
	return NULL;
}

static int pattern_expand(char pattern, char *out, size_t size)
{
	char host[HOST_NAME_MAX + 1] = "localhost";

	switch (pattern) {
	case 'h':
		gethostname(host, sizeof(host) - 1);
		return snprintf(out, size, "%s", host);
	case 'p':
		return snprintf(out, size, "%d", (int)getpid());
	case 'r':
		return snprintf(out, size, "%s", options.rank ? options.rank : "0");
	case 'n':
		return snprintf(out, size, "%s", options_program());
	case '%':
		return snprintf(out, size, "%%");
	default:
		return snprintf(out, size, "%%%c", pattern);
	}
}

bool options_output_path(char *path, size_t size)
{
	size_t used = 0;

	options.rank = read_rank();
	if (options.output[0] != '/') {
		if (size < 2 || !getcwd(path, size - 1) || path[0] != '/')
			return false;
		used = strlen(path);
		path[used++] = '/';
	}
	for (const char *c = options.output; *c && used < size; c++) {
		if (*c == '%' && c[1])
			used += (size_t)pattern_expand(*++c, path + used, size - used);
		else
			path[used++] = *c;
	}
	if (used >= size)
		return false;
	path[used] = '\0';
	return true;
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

/* On standard error as it was when we were loaded: a program may have closed it since, and the
 * number may be a data file's. */
static bool is_standard_error(void)
{
	struct stat now;

	return has_standard_error && !fstat(STDERR_FILENO, &now) &&
	       now.st_dev == standard_error.st_dev && now.st_ino == standard_error.st_ino;
}

/* Neither waits for a reader nor brings a signal (SIGPIPE, SIGXFSZ) upon the program. */
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

static void say(const char *format, va_list arguments)
{
	int saved_errno = errno;
	char line[1024];
	int length = snprintf(line, sizeof(line), "streamtrace: ");

	length += vsnprintf(line + length, sizeof(line) - (size_t)length - 1, format, arguments);
	if (length > (int)sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	write_line(line, (size_t)length);
	errno = saved_errno;
}

void options_say(const char *format, ...)
{
	va_list arguments;

	if (!options.verbose)
		return;
	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

void options_warn(enum options_cause cause, const char *format, ...)
{
	static _Atomic bool is_said[OPTIONS_CAUSE_COUNT];
	va_list arguments;

	if (options.quiet || atomic_exchange(&is_said[cause], true))
		return;
	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}
