#include "commands/tool_numbers.h"

#include "base/memory.h"
#include "commands/cache.h"
#include "commands/calibration.h"
#include "model/tool_cost.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

/* A driver on a machine with many GPUs takes seconds to start. */
#define LIMIT_MS 15000

/* Of the device that ran most operations; NULL: not known. */
static const char *uuid_of(const struct trace *trace)
{
	const char *uuid = NULL;
	size_t most = 0;

	for (size_t k = 0; k < trace->device_count; k++) {
		size_t count = 0;

		for (size_t i = 0; i < trace->operation_count; i++)
			count += trace->operations[i].form->device_id == trace->devices[k].id;
		if (count > most) {
			most = count;
			uuid = trace->devices[k].uuid;
		}
	}
	return uuid;
}

/* If tracing added less than this share of the run, the numbers are not worth a second of measuring. */
#define LEAST_SHARE	0.005
#define COST_OF_CALL_NS 3000.0

static bool is_worth_it(const struct trace *trace)
{
	double span_ns;

	if (!trace->tool_cost_count || !trace->call_count)
		return false;
	span_ns = (double)(trace->calls[trace->call_count - 1].end_ns - trace->calls[0].start_ns);
	return (double)trace->call_count * COST_OF_CALL_NS > LEAST_SHARE * span_ns;
}

/* False: the driver lists its GPUs, and this one is not among them. A MIG device never is. */
static bool may_be_here(const char *uuid)
{
	glob_t found = {0};
	bool is_there = strncmp(uuid, "GPU-", 4) != 0;
	char line[256];

	if (glob("/proc/driver/nvidia/gpus/*/information", 0, NULL, &found) != 0)
		is_there = true;
	for (size_t i = 0; i < found.gl_pathc && !is_there; i++) {
		FILE *file = fopen(found.gl_pathv[i], "re");

		while (file && fgets(line, sizeof(line), file))
			is_there |= strstr(line, uuid) != NULL;
		if (file)
			fclose(file);
	}
	globfree(&found);
	return is_there;
}

/* One of the numbers of each calibration. */
static const char *first_key(char key[TOOL_COST_KEY_BYTES])
{
	tool_cost_key(key, true, tool_cost_classes[0], TOOL_CUPTI_WARM);
	return key;
}

/* The numbers in the cache, or else measured; false: neither. */
static bool find_numbers(const char *uuid, bool may_measure, struct cache *numbers)
{
	struct calibration calibration;
	char key[TOOL_COST_KEY_BYTES];
	double cost_ns;

	cache_read(numbers, uuid);
	if (cache_find(numbers, first_key(key), &cost_ns))
		return true;
	if (!may_measure || !may_be_here(uuid) ||
	    !calibration_measure(uuid, LIMIT_MS, &calibration))
		return false;
	calibration_numbers(&calibration, numbers);
	cache_write(numbers, uuid);
	return true;
}

static struct trace_note note_of(const struct cache_entry *entry)
{
	struct trace_note note = {.key = entry->key};

	snprintf(note.value, sizeof(note.value), "%.1f", entry->value);
	return note;
}

int tool_numbers_apply(struct trace *trace, bool may_measure, char **error)
{
	const char *uuid = uuid_of(trace);
	VECTOR(struct trace_note) notes = {0};
	struct cache numbers = {0};
	char key[TOOL_COST_KEY_BYTES];
	int status = 0;

	if (!uuid || !is_worth_it(trace) || trace_metadata(trace, first_key(key)) ||
	    !find_numbers(uuid, may_measure, &numbers)) {
		cache_free(&numbers);
		return 0;
	}
	for (size_t i = 0; i < numbers.entries.count; i++)
		if (tool_cost_is_key(numbers.entries.items[i].key))
			*vector_add(&notes) = note_of(&numbers.entries.items[i]);
	trace_add_metadata(trace, notes.items, notes.count);
	if (error && notes.count)
		status = trace_store_metadata(trace, notes.items, notes.count, error);
	vector_free(&notes);
	cache_free(&numbers);
	return status;
}
