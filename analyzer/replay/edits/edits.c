#include "replay/edits/edits.h"

#include "base/memory.h"
#include "base/mix.h"

#include <stdlib.h>
#include <string.h>

/* Readers of edits.def, of which only BASE is asked for here. */
enum { BUILDING = 1 << 0, BOUND = 1 << 1, RETIMING = 1 << 2, BASE = 1 << 3 };

/* Those of host functions: see edits.def. */
static const edit_mask base_bits = 0
#define EDIT_BIT(NAME, readers) | (BASE & (readers) ? EDIT_##NAME : 0)
#include "replay/edits/edits.def"
	;

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

/* Most are 0: several at a time. */
size_t edits_next(const edit_mask *edits, size_t from, size_t count)
{
	const size_t several = sizeof(uint64_t) / sizeof(*edits);
	uint64_t word = 0;

	for (; from + several <= count; from += several) {
		memcpy(&word, edits + from, sizeof(word));
		if (word)
			break;
	}
	while (from < count && !edits[from])
		from++;
	return from;
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
	struct edits like = *b; /* with a's, where a difference changes nothing */
	bool is_equal;

	if (!has_other_rates(a, b, model))
		like.pinned_end = a->pinned_end;
	if (are_streams_same(a, b, model))
		like.streams = a->streams;
	is_equal = a->added.count == b->added.count &&
		   is_same(a->added.items, b->added.items, a->added.count, sizeof(*a->added.items));
#define EDIT_ARRAY(type, field, count, readers)                                                    \
	is_equal = is_equal && is_same(a->field, like.field, count, sizeof(*a->field));
#define EDIT_RUN(type, field, readers) is_equal = is_equal && a->field == like.field;
#include "replay/edits/edits.def"
	return is_equal;
}

/* Two hashes, of which no word changes both alike. */
static void add_word(struct edits_key *key, uint64_t word)
{
	key->first = mix(key->first, word);
	key->second = (key->second ^ word << 23 ^ word >> 41) * UINT64_C(0xd6e8feb86659fd93);
	key->second ^= key->second >> 29;
}

/* Adds an array (or NULL) to the key. Most of it is 0, or none: words that are not 0 count one by one,
 * and behind each run of them its end and its length. */
static void add_array(struct edits_key *key, const void *array, size_t count, size_t element_bytes)
{
	const char *bytes = array;
	size_t length = array ? count * element_bytes : 0, run = 0;
	uint64_t word;

	for (size_t i = 0; i < length; i += sizeof(word)) {
		word = 0;
		memcpy(&word, bytes + i, length - i < sizeof(word) ? length - i : sizeof(word));
		if (word) {
			add_word(key, word);
			run++;
		} else if (run) {
			add_word(key, i);
			add_word(key, run);
			run = 0;
		}
	}
	/* So that no two arrays look like two others: from here backwards all can be told. */
	add_word(key, run);
	add_word(key, UINT64_MAX - length);
}

struct edits_key edits_key_of(const struct edits *edits, const struct model *model)
{
	const struct trace *trace = model->trace;
	struct edits_key key = {1, 2};

	add_array(&key, model->pinned_copies, ENGINE_COUNT, sizeof(*model->pinned_copies));
	add_array(&key, edits->added.items, edits->added.count, sizeof(*edits->added.items));
#define EDIT_ARRAY(type, field, count, readers)                                                    \
	add_array(&key, edits->field, count, sizeof(*edits->field));
#define EDIT_RUN(type, field, readers) add_word(&key, (uint64_t)edits->field);
#include "replay/edits/edits.def"
	return key;
}

struct edits *edits_copy_base(const struct edits *edits, const struct model *model)
{
	const struct trace *trace = model->trace;
	struct edits *copy = edits_create(model);

	for (size_t i = 0; i < edits->added.count; i++)
		*vector_add(&copy->added) = edits->added.items[i];
	for (size_t i = 0; i < trace->host_function_count; i++)
		copy->host_functions[i] = edits->host_functions[i] & base_bits;
#define EDIT_ARRAY(type, field, count, readers)                                                    \
	if (BASE & (readers) && edits->field) {                                                    \
		copy->field = memory_array(count, sizeof(*copy->field));                           \
		memcpy(copy->field, edits->field, (count) * sizeof(*copy->field));                 \
	}
#define EDIT_RUN(type, field, readers)                                                             \
	if (BASE & (readers))                                                                      \
		copy->field = edits->field;
#include "replay/edits/edits.def"
	return copy;
}

struct edits_key edits_base_key_of(const struct edits *edits, const struct model *model)
{
	const struct trace *trace = model->trace;
	struct edits_key key = {3, 4};

	add_array(&key, edits->added.items, edits->added.count, sizeof(*edits->added.items));
#define EDIT_ARRAY(type, field, count, readers)                                                    \
	if (BASE & (readers))                                                                      \
		add_array(&key, edits->field, count, sizeof(*edits->field));
#define EDIT_RUN(type, field, readers)                                                             \
	if (BASE & (readers))                                                                      \
		add_word(&key, (uint64_t)edits->field);
#include "replay/edits/edits.def"
	for (size_t i = 0; i < trace->host_function_count; i++)
		if (edits->host_functions[i] & base_bits) {
			add_word(&key, i);
			add_word(&key, edits->host_functions[i] & base_bits);
		}
	return key;
}

void edits_free(struct edits *edits)
{
#define EDIT_ARRAY(type, field, count, readers) free(edits->field);
#include "replay/edits/edits.def"
	vector_free(&edits->added);
	free(edits);
}
