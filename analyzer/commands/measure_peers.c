#include "commands/measure_peers.h"

#include "base/memory.h"
#include "commands/bench_peers.h"
#include "commands/cache.h"
#include "commands/child.h"
#include "model/rates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	const char *uuids[2];
};

static void measure_pair(const void *input, void *answer)
{
	const struct pair *pair = input;

	*(double *)answer = bench_peers(pair->uuids);
}

static size_t index_of(const struct map *devices, uint32_t id, size_t count)
{
	size_t found = map_find(devices, id);

	return found == MAP_NONE ? count : found;
}

struct adding {
	const struct trace *trace;
	struct map devices; /* id to index */
	struct map calls;   /* of halves to the host: index of the call to that of the device */
	double *bytes; /* from each device (row) to each; what names no device has the last row and column */
};

static void add_copy(const struct adding *adding, size_t from, size_t to, double bytes)
{
	adding->bytes[from * (adding->trace->device_count + 1) + to] += bytes;
}

static void add_operation(struct adding *adding, const struct trace_operation *operation)
{
	const struct trace_operation_form *form = operation->form;
	size_t count = adding->trace->device_count;
	size_t device = index_of(&adding->devices, form->device_id, count), from;

	if (form->kind == OPERATION_COPY && form->engine == ENGINE_PEER) {
		add_copy(adding, index_of(&adding->devices, form->src_device_id, count),
			 index_of(&adding->devices, form->dst_device_id, count),
			 (double)form->size_bytes);
	} else if (rates_is_peer_half(operation, ENGINE_D2H)) {
		map_set(&adding->calls, (uint64_t)(operation->call - adding->trace->calls), device);
	} else if (rates_is_peer_half(operation, ENGINE_H2D)) {
		from = map_find(&adding->calls, (uint64_t)(operation->call - adding->trace->calls));
		if (from != MAP_NONE)
			add_copy(adding, from, device, (double)form->size_bytes);
	}
}

/* False: no copies, or between devices that no uuid names. */
static bool choose_pair(const struct trace *trace, struct pair *pair)
{
	size_t count = trace->device_count;
	struct adding adding = {.trace = trace};
	double most = 0;

	adding.bytes = memory_array((count + 1) * (count + 1), sizeof(*adding.bytes));
	for (size_t i = 0; i < count; i++)
		map_add(&adding.devices, trace->devices[i].id, i);
	for (size_t i = 0; i < trace->operation_count; i++)
		add_operation(&adding, &trace->operations[i]);
	for (size_t from = 0; from < count; from++)
		for (size_t to = 0; to < count; to++)
			if (from != to && adding.bytes[from * (count + 1) + to] > most) {
				most = adding.bytes[from * (count + 1) + to];
				*pair = (struct pair){
					{trace->devices[from].uuid, trace->devices[to].uuid}};
			}
	map_free(&adding.devices);
	map_free(&adding.calls);
	free(adding.bytes);
	return most > 0 && pair->uuids[0] && pair->uuids[1];
}

/* From the cache, or by measuring; negative: nothing came of it. */
static double find_rate(const struct pair *pair, int64_t *left_ms)
{
	char *subject = memory_format("%s_%s", pair->uuids[0], pair->uuids[1]);
	char *visible = memory_format("%s,%s", pair->uuids[0], pair->uuids[1]);
	struct cache cache = {0};
	double rate = -1;

	cache_read(&cache, subject);
	if (!cache_find(&cache, RATES_PEER_KEY, &rate) && *left_ms > 0 &&
	    child_run(visible, measure_pair, pair, &rate, sizeof(rate), left_ms) && rate >= 0) {
		cache_set(&cache, RATES_PEER_KEY, rate);
		cache_write(&cache, subject);
	}
	cache_free(&cache);
	free(visible);
	free(subject);
	return rate;
}

int measure_peers_apply(int64_t *left_ms, struct trace *trace, char **error)
{
	struct trace_note note = {.key = RATES_PEER_KEY};
	struct pair pair;
	double rate;

	if (trace->device_count < 2 || trace_metadata(trace, RATES_PEER_KEY) ||
	    !choose_pair(trace, &pair))
		return 0;
	rate = find_rate(&pair, left_ms);
	if (rate < 0)
		return 0;
	snprintf(note.value, sizeof(note.value), "%.0f", rate);
	trace_add_metadata(trace, &note, 1);
	return error ? trace_store_metadata(trace, &note, 1, error) : 0;
}
