#include "replay/edits/edits.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/mix.h"

#include <stdlib.h>
#include <string.h>

struct edits *edits_create(const struct model *model)
{
	struct edits *edits = memory_array(1, sizeof(*edits));

	edits->operations = memory_array(model->trace->operation_count, sizeof(*edits->operations));
	edits->calls = memory_array(model->trace->call_count, sizeof(*edits->calls));
	edits->host_functions =
		memory_array(model->trace->host_function_count, sizeof(*edits->host_functions));
	return edits;
}

void edits_move(struct edits *edits, const struct model *model, size_t operation, uint32_t stream)
{
	uint32_t *streams = edits->streams;

	if (stream == edits_stream_of(edits, model, operation))
		return;
	if (!streams) {
		streams = memory_array(model->operation_count, sizeof(*streams));
		for (size_t i = 0; i < model->operation_count; i++)
			streams[i] = edits_stream_of(edits, model, i);
		edits->streams = streams;
	}
	streams[operation] = stream;
}

uint32_t edits_add_stream(struct edits *edits, const struct model *model, uint32_t parent,
			  enum stream_flag flag)
{
	*vector_add(&edits->added) = (struct order_added){parent, flag};
	return (uint32_t)(model->trace->stream_count + edits->added.count - 1);
}

void edits_pin(struct edits *edits, const struct model *model,
	       const struct trace_operation *operation)
{
	edits->operations[operation - model->trace->operations] |= EDIT_PIN;
}

void edits_double_buffer(struct edits *edits, const struct model *model,
			 const struct trace_operation *operation)
{
	edits->operations[operation - model->trace->operations] |= EDIT_DOUBLE_BUFFER;
}

void edits_wait_for_earlier(struct edits *edits, const struct model *model,
			    const struct trace_event_wait *wait,
			    const struct trace_event_wait *earlier)
{
	const struct trace *trace = model->trace;

	if (!edits->records)
		edits->records = memory_array(trace->event_wait_count, sizeof(*edits->records));
	edits->records[wait - trace->event_waits] =
		earlier ? (uint32_t)(earlier - trace->event_waits) + 1 : NO_RECORD;
}

void edits_own_queue(struct edits *edits, const struct model *model,
		     const struct trace_operation *operation)
{
	edits->operations[operation - model->trace->operations] |= EDIT_OWN_QUEUE;
}

void edits_prefer(struct edits *edits, const struct model *model,
		  const struct trace_operation *operation)
{
	edits->operations[operation - model->trace->operations] |= EDIT_PREFER;
}

void edits_issue_behind(struct edits *edits, const struct model *model,
			const struct trace_operation *operation,
			const struct trace_operation *other)
{
	const struct trace *trace = model->trace;
	size_t index = (size_t)(operation - trace->operations);

	if (!edits->behind)
		edits->behind = memory_array(trace->operation_count, sizeof(*edits->behind));
	edits->operations[index] |= EDIT_BEHIND;
	edits->behind[index] = (uint32_t)(other - trace->operations);
}

void edits_drop_operation(struct edits *edits, const struct model *model,
			  const struct trace_operation *operation)
{
	edits->operations[operation - model->trace->operations] |= EDIT_DROP;
}

void edits_set_duration(struct edits *edits, const struct model *model,
			const struct trace_operation *operation, int64_t duration_ns)
{
	size_t index = (size_t)(operation - model->trace->operations);

	if (!edits->operations_ns)
		edits->operations_ns =
			memory_array(model->trace->operation_count, sizeof(*edits->operations_ns));
	edits->operations[index] |= EDIT_DURATION;
	edits->operations_ns[index] = duration_ns;
}

void edits_drop_wait(struct edits *edits, const struct model *model, const struct trace_call *call)
{
	edits->calls[call - model->trace->calls] |= EDIT_NO_WAIT;
}

void edits_narrow_wait(struct edits *edits, const struct model *model,
		       const struct trace_call *call, const struct trace_operation *operation)
{
	size_t index = (size_t)(call - model->trace->calls);

	if (!edits->narrowed)
		edits->narrowed = memory_array(model->trace->call_count, sizeof(*edits->narrowed));
	edits->calls[index] |= EDIT_NARROW;
	edits->narrowed[index] = (uint32_t)(operation - model->trace->operations);
}

void edits_drop_call(struct edits *edits, const struct model *model, const struct trace_call *call)
{
	edits->calls[call - model->trace->calls] |= EDIT_NO_WAIT | EDIT_GONE;
}

void edits_set_call_time(struct edits *edits, const struct model *model,
			 const struct trace_call *call, int64_t own_ns)
{
	size_t index = (size_t)(call - model->trace->calls);

	if (!edits->calls_ns)
		edits->calls_ns = memory_array(model->trace->call_count, sizeof(*edits->calls_ns));
	edits->calls[index] |= EDIT_OWN_TIME;
	edits->calls_ns[index] = own_ns;
}

void edits_drop_work(struct edits *edits, const struct model *model, const struct trace_call *call)
{
	edits->calls[call - model->trace->calls] |= EDIT_NO_WORK;
}

/* At once: what so many calls save then fits into an int64_t. */
#define MOST_LESS_NS 10000000000

void edits_shorten_work(struct edits *edits, const struct model *model,
			const struct trace_call *call, int64_t less_ns)
{
	size_t index = (size_t)(call - model->trace->calls);

	if (!edits->less_work_ns)
		edits->less_work_ns =
			memory_array(model->trace->call_count, sizeof(*edits->less_work_ns));
	edits->calls[index] |= EDIT_LESS_WORK;
	edits->less_work_ns[index] =
		min_ns(edits->less_work_ns[index] + min_ns(less_ns, MOST_LESS_NS), MOST_LESS_NS);
}

void edits_set_work(struct edits *edits, const struct model *model, const struct trace_call *call,
		    int64_t work_ns)
{
	size_t index = (size_t)(call - model->trace->calls);

	if (!edits->works_ns)
		edits->works_ns = memory_array(model->trace->call_count, sizeof(*edits->works_ns));
	if (edits->calls[index] & EDIT_SET_WORK)
		work_ns = min_ns(work_ns, edits->works_ns[index]);
	edits->calls[index] |= EDIT_SET_WORK;
	edits->works_ns[index] = work_ns;
}

void edits_drop_host_function(struct edits *edits, const struct model *model,
			      const struct trace_host_function *function)
{
	edits->host_functions[function - model->trace->host_functions] |=
		EDIT_NOT_RUN | EDIT_AT_ONCE;
}

void edits_run_at_once(struct edits *edits, const struct model *model,
		       const struct trace_host_function *function)
{
	edits->host_functions[function - model->trace->host_functions] |= EDIT_AT_ONCE;
}

void edits_work_ahead(struct edits *edits, const struct model *model, const struct trace_call *call,
		      const struct trace_call *after)
{
	size_t index = (size_t)(call - model->trace->calls);

	if (!edits->ahead)
		edits->ahead = memory_array(model->trace->call_count, sizeof(*edits->ahead));
	edits->calls[index] |= EDIT_NO_WORK | EDIT_WORK_AHEAD;
	edits->ahead[index] = (uint32_t)(after - model->trace->calls);
}

void edits_make_node(struct edits *edits, const struct model *model,
		     const struct trace_operation *operation, int64_t between_ns)
{
	edits->operations[operation - model->trace->operations] |= EDIT_NODE;
	edits->between_nodes_ns = between_ns;
}

static bool is_same(const void *a, const void *b, size_t count, size_t element_bytes)
{
	return a == b || !count || (a && b && memcmp(a, b, count * element_bytes) == 0);
}

static bool are_streams_same(const struct edits *a, const struct edits *b,
			     const struct model *model)
{
	if (a->streams && b->streams)
		return is_same(a->streams, b->streams, model->operation_count, sizeof(*a->streams));
	for (size_t i = 0; a->streams != b->streams && i < model->operation_count; i++)
		if (edits_stream_of(a, model, i) != edits_stream_of(b, model, i))
			return false;
	return true;
}

/* Whether copies that both pin take other times. */
static bool has_other_rates(const struct edits *a, const struct edits *b, const struct model *model)
{
	const struct trace *trace = model->trace;

	for (size_t i = 0; a->pinned_end != b->pinned_end && i < trace->operation_count; i++) {
		struct copy_rate rate = model->pinned_copies[trace->operations[i].form->engine];

		if (a->operations[i] & EDIT_PIN &&
		    (rate.bytes_per_ns <= 0 || rate.slower > 0 || rate.faster > 0))
			return true;
	}
	return false;
}

bool edits_equal(const struct edits *a, const struct edits *b, const struct model *model)
{
	const struct trace *trace = model->trace;

	return a->is_best_case == b->is_best_case && !has_other_rates(a, b, model) &&
	       a->added.count == b->added.count &&
	       is_same(a->added.items, b->added.items, a->added.count, sizeof(*a->added.items)) &&
	       is_same(a->operations, b->operations, trace->operation_count,
		       sizeof(*a->operations)) &&
	       is_same(a->calls, b->calls, trace->call_count, sizeof(*a->calls)) &&
	       is_same(a->narrowed, b->narrowed, trace->call_count, sizeof(*a->narrowed)) &&
	       is_same(a->operations_ns, b->operations_ns, trace->operation_count,
		       sizeof(*a->operations_ns)) &&
	       is_same(a->calls_ns, b->calls_ns, trace->call_count, sizeof(*a->calls_ns)) &&
	       is_same(a->less_work_ns, b->less_work_ns, trace->call_count,
		       sizeof(*a->less_work_ns)) &&
	       is_same(a->works_ns, b->works_ns, trace->call_count, sizeof(*a->works_ns)) &&
	       is_same(a->ahead, b->ahead, trace->call_count, sizeof(*a->ahead)) &&
	       is_same(a->behind, b->behind, trace->operation_count, sizeof(*a->behind)) &&
	       is_same(a->records, b->records, trace->event_wait_count, sizeof(*a->records)) &&
	       a->between_nodes_ns == b->between_nodes_ns &&
	       is_same(a->host_functions, b->host_functions, trace->host_function_count,
		       sizeof(*a->host_functions)) &&
	       are_streams_same(a, b, model);
}

/* Two hashes, of which no word changes both alike. */
static void add_word(struct edits_key *key, uint64_t word)
{
	key->first = mix(key->first, word);
	key->second = (key->second ^ word << 23 ^ word >> 41) * UINT64_C(0xd6e8feb86659fd93);
	key->second ^= key->second >> 29;
}

/* Another array, or NULL. Most of an array of edits is 0: of that only how much it is counts. */
static void add_array(struct edits_key *key, const void *array, size_t count, size_t element_bytes)
{
	const char *bytes = array;
	size_t length = array ? count * element_bytes : 0, zeros = 0;
	uint64_t word;

	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = 0;
		memcpy(&word, bytes + i, length - i < sizeof(word) ? length - i : sizeof(word));
		if (!word) {
			zeros++;
			continue;
		}
		add_word(key, zeros);
		add_word(key, word);
		zeros = 0;
	}
	/* Where it ends, which is no count of zeros: so that no two arrays look like two others. */
	add_word(key, UINT64_MAX - length);
}

struct edits_key edits_key_of(const struct edits *edits, const struct model *model)
{
	const struct trace *trace = model->trace;
	const int64_t numbers[] = {edits->between_nodes_ns, (int64_t)edits->pinned_end,
				   edits->is_best_case};
	struct edits_key key = {1, 2};

	add_array(&key, numbers, sizeof(numbers) / sizeof(*numbers), sizeof(*numbers));
	add_array(&key, model->pinned_copies, ENGINE_COUNT, sizeof(*model->pinned_copies));
	add_array(&key, edits->operations, trace->operation_count, sizeof(*edits->operations));
	add_array(&key, edits->calls, trace->call_count, sizeof(*edits->calls));
	add_array(&key, edits->narrowed, trace->call_count, sizeof(*edits->narrowed));
	add_array(&key, edits->operations_ns, trace->operation_count,
		  sizeof(*edits->operations_ns));
	add_array(&key, edits->calls_ns, trace->call_count, sizeof(*edits->calls_ns));
	add_array(&key, edits->less_work_ns, trace->call_count, sizeof(*edits->less_work_ns));
	add_array(&key, edits->works_ns, trace->call_count, sizeof(*edits->works_ns));
	add_array(&key, edits->ahead, trace->call_count, sizeof(*edits->ahead));
	add_array(&key, edits->behind, trace->operation_count, sizeof(*edits->behind));
	add_array(&key, edits->records, trace->event_wait_count, sizeof(*edits->records));
	add_array(&key, edits->host_functions, trace->host_function_count,
		  sizeof(*edits->host_functions));
	add_array(&key, edits->streams, model->operation_count, sizeof(*edits->streams));
	add_array(&key, edits->added.items, edits->added.count, sizeof(*edits->added.items));
	return key;
}

struct edits_key edits_streams_key_of(const struct edits *edits, const struct model *model)
{
	struct edits_key key = {3, 4};

	add_word(&key, edits->is_best_case);
	add_array(&key, edits->streams, model->operation_count, sizeof(*edits->streams));
	add_array(&key, edits->added.items, edits->added.count, sizeof(*edits->added.items));
	add_array(&key, edits->records, model->trace->event_wait_count, sizeof(*edits->records));
	for (size_t i = 0; i < model->trace->host_function_count; i++)
		if (edits->host_functions[i] & EDIT_TO_THREAD)
			add_word(&key, i);
	return key;
}

void edits_free(struct edits *edits)
{
	vector_free(&edits->added);
	free(edits->streams);
	free(edits->host_functions);
	free(edits->behind);
	free(edits->records);
	free(edits->ahead);
	free(edits->less_work_ns);
	free(edits->works_ns);
	free(edits->calls_ns);
	free(edits->operations_ns);
	free(edits->narrowed);
	free(edits->calls);
	free(edits->operations);
	free(edits);
}
