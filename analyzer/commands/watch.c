#include "commands/command.h"
#include "commands/targets.h"
#include "commands/watch_metrics.h"
#include "commands/watch_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	SHOW_S = 1,	/* between two tables on a terminal */
	LOG_S = 60,	/* between two lines elsewhere */
	METRICS_S = 10, /* between two files: Prometheus asks every 15 s or more */
};

/* What is shown, and for how long. */
struct watching {
	const char *operand; /* a folder or a process */
	int pid;	     /* 0: a folder */
	const char *metrics; /* NULL: none */
	bool is_once, is_terminal;
	struct gpu_share *gpu;
	struct watched_programs programs;
	int since_metrics_s, since_log_s;
};

/* One line of why there is nothing to show. Returns the exit status. */
static int say_none(const struct watching *watching)
{
	const struct watched_programs *programs = &watching->programs;

	if (programs->count)
		return command_fail(EXIT_UNREADABLE, "%s: its process %d has ended",
				    programs->items[0].path, programs->items[0].page.pid);
	return command_fail(EXIT_UNREADABLE,
			    "%s: no program in watch mode writes there (streamtrace run --watch)",
			    watching->operand);
}

static size_t count_alive(const struct watched_programs *programs)
{
	size_t alive = 0;

	for (size_t i = 0; i < programs->count; i++)
		alive += programs->items[i].is_alive;
	return alive;
}

/* Returns EXIT_FINE, or why not, which was printed. */
static int find_process(struct watching *watching)
{
	char *error;
	struct watched_program program = watch_pages_of_process(watching->pid, &error);

	if (error) {
		command_fail(EXIT_UNREADABLE, "%s", error);
		free(error);
		return EXIT_UNREADABLE;
	}
	watching->programs.items = malloc(sizeof(program));
	if (!watching->programs.items) {
		free(program.path);
		return command_fail(EXIT_UNREADABLE, "out of memory");
	}
	watching->programs.items[0] = program;
	watching->programs.count = 1;
	return EXIT_FINE;
}

/* A service may start before the programs that it is for. */
static bool waits_for_programs(const struct watching *watching)
{
	return watching->metrics && !watching->is_once && !watching->pid;
}

static int find_first(struct watching *watching)
{
	if (watching->pid)
		return find_process(watching);
	if (!watch_pages_in_folder(watching->operand, &watching->programs))
		return command_fail(EXIT_UNREADABLE, "%s: %s", watching->operand, strerror(errno));
	if (!count_alive(&watching->programs) && !waits_for_programs(watching))
		return say_none(watching);
	return EXIT_FINE;
}

/* False: all programs have ended. */
static bool find_again(struct watching *watching)
{
	if (watching->pid)
		return watch_pages_renew(&watching->programs.items[0]) &&
		       watching->programs.items[0].is_alive;
	watch_pages_free(&watching->programs);
	watch_pages_in_folder(watching->operand, &watching->programs);
	return count_alive(&watching->programs) || waits_for_programs(watching);
}

/* Where the terminal's upper left corner is, and that what is below the cursor goes: ECMA-48. */
static void clear_terminal(void)
{
	fputs("\033[H\033[J", stdout);
}

/* False: it could not be written. */
static bool show_programs(struct watching *watching)
{
	bool ok = true;

	if (watching->is_once || watching->is_terminal) {
		if (!watching->is_once)
			clear_terminal();
		ok = watch_table_print(&watching->programs, watching->gpu);
		fflush(stdout);
	} else if (!watching->since_log_s) {
		watch_table_log(&watching->programs, watching->gpu);
	}
	return ok && !ferror(stdout);
}

/* False: it could not be written, which was printed. */
static bool write_metrics(struct watching *watching)
{
	char *error =
		watching->metrics && !watching->since_metrics_s
			? watch_metrics_write(watching->metrics, &watching->programs, watching->gpu)
			: NULL;

	if (!error)
		return true;
	command_fail(EXIT_UNREADABLE, "%s: %s", watching->metrics, error);
	free(error);
	return false;
}

/* Returns the exit status. */
static int watch_programs(struct watching *watching)
{
	const struct timespec pause = {SHOW_S, 0};

	for (;;) {
		if (!write_metrics(watching))
			return EXIT_UNREADABLE;
		if (!show_programs(watching))
			return command_fail(EXIT_UNREADABLE, "standard output cannot be written");
		if (watching->is_once)
			return EXIT_FINE;
		nanosleep(&pause, NULL);
		watching->since_metrics_s = (watching->since_metrics_s + SHOW_S) % METRICS_S;
		watching->since_log_s = (watching->since_log_s + SHOW_S) % LOG_S;
		if (!find_again(watching)) {
			command_note("all programs have ended");
			watching->since_metrics_s = 0;
			return write_metrics(watching) ? EXIT_FINE : EXIT_UNREADABLE;
		}
	}
}

static int watch_main(const struct arguments *arguments)
{
	struct watching watching = {
		.operand = arguments->operand_count ? arguments->operands[0] : ".",
		.metrics = arguments->values[OPTION_METRICS],
		.is_once = arguments->is_given[OPTION_ONCE],
		.is_terminal = isatty(STDOUT_FILENO),
	};
	int status = watching.metrics ? targets_check(&watching.metrics, 1, NULL, 0) : EXIT_FINE;

	if (status != EXIT_FINE)
		return status;
	if (!watch_pages_is_pid(watching.operand, &watching.pid))
		watching.pid = 0;
	status = find_first(&watching);
	if (status == EXIT_FINE) {
		watching.gpu = gpu_share_open();
		status = watch_programs(&watching);
		gpu_share_close(watching.gpu);
	}
	watch_pages_free(&watching.programs);
	return status;
}

const struct command command_watch = {
	.name = "watch",
	.summary = "show programs in watch mode",
	.operands = "[FOLDER|PID]",
	.description =
		"Shows the programs that were started with streamtrace run --watch and write into "
		"FOLDER, or the process PID; without an operand the current folder. Of each: how "
		"many steps have ended, what the last one took, the median, how long the one that "
		"runs has taken, the share of GPUs that NVML tells, incidents (+ those left out), "
		"and the share of a processor that watching took. On a terminal a table, each "
		"second; elsewhere a line each a minute. Ends when the programs have; with "
		"--metrics of a folder it waits for the next ones.",
	.example = "streamtrace watch traces/\n"
		   "streamtrace watch --once 4242\n"
		   "streamtrace watch --metrics=/var/lib/node_exporter/streamtrace.prom traces/",
	.is_one = true,
	.main = watch_main,
};
