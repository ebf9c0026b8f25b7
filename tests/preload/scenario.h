/* The scenarios of a traced program, one of which its only argument names. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scenario {
	const char *name;
	void (*run)(void);
};

/* The scenario that the command line names, for main() to run; the last row has no name. Where the
 * command line names none, says so and ends the program with status 2. */
static inline const struct scenario *scenario_find(const struct scenario *scenarios, int argc,
						   char **argv)
{
	for (; scenarios->name; scenarios++)
		if (argc == 2 && !strcmp(argv[1], scenarios->name))
			return scenarios;
	fprintf(stderr, "%s: no such scenario\n", program_invocation_short_name);
	exit(2);
}

/* Whether the main thread sleeps in a call, asked by another one. */
static inline bool scenario_main_sleeps(void)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)getpid());
	file = fopen(path, "r");
	if (!file || fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		exit(2);
	fclose(file);
	return state == 'S';
}

/* The tracer's thread, by its name; 0: there is none. */
static inline pid_t scenario_find_writer(void)
{
	DIR *folder = opendir("/proc/self/task");
	struct dirent *entry;
	pid_t found = 0;

	while ((entry = readdir(folder))) {
		char path[300], name[32] = "";
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
		file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (file && fgets(name, sizeof(name), file) && !strcmp(name, "streamtrace\n"))
			found = atoi(entry->d_name);
		if (file)
			fclose(file);
	}
	closedir(folder);
	return found;
}

/* Waits until the writer has written all events so far and its file exists, as it does before an
 * exec, even one that fails. Nothing when untraced. */
static inline void scenario_flush(void)
{
	execl("/no/such/program", "program", (char *)NULL);
}

/* How many flushes go on in the stand-in's CUPTI, and how many came: cupti_fake_hold_flushes(). */
static inline unsigned int scenario_let_flushes(unsigned int count)
{
	static unsigned int (*hold_flushes)(unsigned int);

	if (!hold_flushes)
		*(void **)&hold_flushes = dlsym(dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD),
						"cupti_fake_hold_flushes");
	return hold_flushes(count);
}

/* From here on the writer stands still in CUPTI, until scenario_release_writer(). Traced only. */
static inline void scenario_hold_writer(void)
{
	const unsigned int before = scenario_let_flushes(0);

	while (scenario_let_flushes(0) == before)
		usleep(1000);
}

static inline void scenario_release_writer(void)
{
	scenario_let_flushes(UINT_MAX);
}

/* For run_kill_flushed(). */
static inline void scenario_wait_to_be_killed(void)
{
	fflush(stdout);
	if (creat("waiting", 0600) < 0)
		exit(2);
	for (;;)
		pause();
}

#endif
