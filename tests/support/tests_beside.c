#include "tests_beside.h"

#include <err.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 4 };

/* Takes the next test until there is none. */
static void run_in_process(const struct CMUnitTest *all, size_t count, atomic_size_t *next,
			   FILE *output)
{
	int failed = 0;
	size_t i;

	dup2(fileno(output), STDOUT_FILENO);
	dup2(fileno(output), STDERR_FILENO);
	while ((i = atomic_fetch_add(next, 1)) < count)
		failed += _cmocka_run_group_tests(all[i].name, &all[i], 1, NULL, NULL);
	fflush(stdout);
	_exit(failed != 0);
}

static void print_all(FILE *output)
{
	int byte;

	rewind(output);
	while ((byte = getc(output)) != EOF)
		putchar(byte);
	fclose(output);
}

int run_tests_beside(const struct CMUnitTest *all, size_t count, const char *filter)
{
	atomic_size_t *next = mmap(NULL, sizeof(*next), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	FILE *outputs[PROCESSES];
	pid_t processes[PROCESSES];
	int failed = 0, status;

	if (next == MAP_FAILED)
		err(1, "mmap");
	if (filter)
		cmocka_set_test_filter(filter);
	for (int i = 0; i < PROCESSES; i++) {
		outputs[i] = tmpfile();
		if (!outputs[i])
			err(1, "tmpfile");
		processes[i] = fork();
		if (processes[i] < 0)
			err(1, "fork");
		if (!processes[i])
			run_in_process(all, count, next, outputs[i]);
	}
	for (int i = 0; i < PROCESSES; i++) {
		failed |= waitpid(processes[i], &status, 0) != processes[i] || status;
		print_all(outputs[i]);
	}
	munmap(next, sizeof(*next));
	return failed;
}
