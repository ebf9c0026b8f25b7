#include "commands/measure.h"

#include "base/memory.h"
#include "commands/bench.h"
#include "commands/cache.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A driver on a machine with several GPUs takes seconds to start. */
#define LIMIT_MS 15000

/* What a terminal's signals and the parent's end do to the child, and what it may leave behind. */
static void isolate(pid_t parent)
{
	const struct rlimit no_core = {0};
	int null = open("/dev/null", O_RDWR);

	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || getppid() != parent)
		_exit(1);
	for (int i = 0; i <= STDERR_FILENO; i++)
		dup2(null, i);
}

/* The driver shows that GPU alone, and no tool joins in. */
static void measure_in_child(const char *uuid, int out)
{
	double numbers[RATES_NUMBERS];

	setenv("CUDA_VISIBLE_DEVICES", uuid, 1);
	unsetenv("CUDA_INJECTION64_PATH");
	unsetenv("NVTX_INJECTION64_PATH");
	bench_run(uuid, numbers);
	_exit(write(out, numbers, sizeof(numbers)) == sizeof(numbers) ? 0 : 1);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Fills in the numbers, with zeros where nothing came of it. */
static void measure(struct measuring *measuring, const char *uuid)
{
	struct pollfd answer = {.events = POLLIN};
	int64_t since_ms = now_ms();
	pid_t parent = getpid(), child;
	int ends[2];

	memset(measuring->numbers, 0, sizeof(measuring->numbers));
	if (pipe2(ends, O_CLOEXEC))
		return;
	child = fork();
	if (child == 0) {
		isolate(parent);
		measure_in_child(uuid, ends[1]);
	}
	close(ends[1]);
	answer.fd = ends[0];
	if (child > 0 && poll(&answer, 1, (int)measuring->left_ms) == 1 &&
	    read(ends[0], measuring->numbers, sizeof(measuring->numbers)) !=
		    sizeof(measuring->numbers))
		memset(measuring->numbers, 0, sizeof(measuring->numbers));
	close(ends[0]);
	measuring->left_ms -= now_ms() - since_ms;
	if (child < 0)
		return;
	/* One that hangs in the driver would not end at once: it is left to init. */
	kill(child, SIGKILL);
	waitpid(child, NULL, WNOHANG);
}

/* The device with the most bytes in pageable copies; NULL: there is none, or its uuid is not
 * known. */
static const char *choose_device(const struct trace *trace)
{
	double *bytes = memory_array(trace->device_count, sizeof(*bytes)), most = 0;
	const char *uuid = NULL;
	struct map devices = {0}; /* id to index */

	for (size_t i = 0; i < trace->device_count; i++)
		map_add(&devices, trace->devices[i].id, i);
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t found = map_find(&devices, operation->form->device_id);

		if (found != MAP_NONE && rates_is_pageable(operation))
			bytes[found] += (double)operation->form->size_bytes;
	}
	for (size_t i = 0; i < trace->device_count; i++) {
		if (bytes[i] > most)
			uuid = trace->devices[i].uuid;
		most = bytes[i] > most ? bytes[i] : most;
	}
	map_free(&devices);
	free(bytes);
	return uuid;
}

/* Which numbers the trace needs and does not have: whether any. */
static bool find_lacking(const struct trace *trace, bool lacking[RATES_NUMBERS])
{
	bool is_any = false;

	memset(lacking, 0, RATES_NUMBERS * sizeof(*lacking));
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		if (!rates_is_pageable(operation))
			continue;
		lacking[operation->form->engine == ENGINE_H2D ? RATES_H2D_SPEED : RATES_D2H_SPEED] =
			true;
		lacking[RATES_PIN_SPEED] = lacking[RATES_PIN_LATENCY] = true;
		if (operation->form->engine == ENGINE_D2H)
			lacking[RATES_FAULT_SPEED] = lacking[RATES_STAGED_SPEED] =
				lacking[RATES_UNMAP_SPEED] = true;
	}
	lacking[RATES_H2D_SPEED] &= rates_of_own(trace, ENGINE_H2D).source == RATE_UNKNOWN;
	lacking[RATES_D2H_SPEED] &= rates_of_own(trace, ENGINE_D2H).source == RATE_UNKNOWN;
	lacking[RATES_H2D_LATENCY] = lacking[RATES_H2D_SPEED];
	lacking[RATES_D2H_LATENCY] = lacking[RATES_D2H_SPEED];
	for (int i = 0; i < RATES_NUMBERS; i++) {
		lacking[i] &= !trace_metadata(trace, rates_key((enum rates_number)i));
		is_any |= lacking[i];
	}
	return is_any;
}

/* All were measured at once, or none. */
static bool read_cached(struct measuring *measuring, const char *uuid)
{
	struct cache cache = {0};

	memset(measuring->numbers, 0, sizeof(measuring->numbers));
	cache_read(&cache, uuid);
	for (int i = 0; i < RATES_NUMBERS; i++)
		cache_find(&cache, rates_key((enum rates_number)i), &measuring->numbers[i]);
	cache_free(&cache);
	return measuring->numbers[RATES_H2D_SPEED] > 0;
}

static void write_cached(const struct measuring *measuring, const char *uuid)
{
	struct cache cache = {0};

	if (measuring->numbers[RATES_H2D_SPEED] <= 0)
		return;
	for (int i = 0; i < RATES_NUMBERS; i++)
		cache_set(&cache, rates_key((enum rates_number)i), measuring->numbers[i]);
	cache_write(&cache, uuid);
	cache_free(&cache);
}

/* Several traces of one run share a GPU: it is measured once. */
static void find_numbers(struct measuring *measuring, const char *uuid)
{
	if (measuring->uuid && strcmp(measuring->uuid, uuid) == 0)
		return;
	measure_free(measuring);
	measuring->uuid = memory_format("%s", uuid);
	if (read_cached(measuring, uuid) || measuring->left_ms <= 0)
		return;
	measure(measuring, uuid);
	write_cached(measuring, uuid);
}

struct measuring measure_begin(bool is_forbidden)
{
	return (struct measuring){.left_ms = is_forbidden ? 0 : LIMIT_MS};
}

int measure_apply(struct measuring *measuring, struct trace *trace, char **error)
{
	const char *uuid = choose_device(trace);
	struct trace_note notes[RATES_NUMBERS];
	bool lacking[RATES_NUMBERS];
	size_t count = 0;

	if (!uuid || !find_lacking(trace, lacking))
		return 0;
	find_numbers(measuring, uuid);
	for (int i = 0; i < RATES_NUMBERS; i++) {
		double number = measuring->numbers[i];
		bool is_latency =
			i == RATES_H2D_LATENCY || i == RATES_D2H_LATENCY || i == RATES_PIN_LATENCY;

		if (!lacking[i] || !(number > 0 || (is_latency && measuring->numbers[i - 1] > 0)))
			continue;
		notes[count].key = rates_key((enum rates_number)i);
		snprintf(notes[count++].value, sizeof(notes->value), "%.0f", number);
	}
	trace_add_metadata(trace, notes, count);
	return error && count ? trace_store_metadata(trace, notes, count, error) : 0;
}

void measure_free(struct measuring *measuring)
{
	free(measuring->uuid);
	measuring->uuid = NULL;
}
