#include "commands/measure.h"

#include "base/memory.h"
#include "commands/bench.h"
#include "commands/cache.h"
#include "commands/child.h"
#include "commands/measure_peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A driver on a machine with several GPUs takes seconds to start. */
#define LIMIT_MS 15000

static void measure_device(const void *uuid, void *numbers)
{
	bench_run(uuid, numbers);
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
	if (!child_run(uuid, measure_device, uuid, measuring->numbers, sizeof(measuring->numbers),
		       &measuring->left_ms))
		memset(measuring->numbers, 0, sizeof(measuring->numbers));
	write_cached(measuring, uuid);
}

struct measuring measure_begin(bool is_forbidden)
{
	return (struct measuring){.left_ms = is_forbidden ? 0 : LIMIT_MS};
}

static int apply_numbers(struct measuring *measuring, struct trace *trace, char **error)
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

int measure_apply(struct measuring *measuring, struct trace *trace, char **error)
{
	int failed = apply_numbers(measuring, trace, error);

	return failed ? failed : measure_peers_apply(&measuring->left_ms, trace, error);
}

void measure_free(struct measuring *measuring)
{
	free(measuring->uuid);
	measuring->uuid = NULL;
}
