#include "gate/places.h"

#include "base/mix.h"
#include "gate/command_words.h"
#include "gate/gate_texts.h"
#include "trace/short_name.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* Names in hostile traces may be of any length, and each of many places has its own. */
#define NAME_FORMAT "%.256s"

const char *places_function(const struct site *site, struct arena *arena)
{
	struct short_name name;

	if (!site->function || site->is_python)
		return site->function;
	/* One line is reached through many instances of a template: which one is chance. */
	return text_format(arena, "%s", short_name(&name, site->function, SHORT_NAME_FUNCTION));
}

const char *places_name(const struct site *site, struct arena *arena)
{
	const char *function = places_function(site, arena);
	const char *file = site->file ? site->file : site->module;

	if (!file)
		return "unknown";
	if (!function)
		return site->file ? text_format(arena, NAME_FORMAT, command_file_name(file))
				  : text_format(arena, NAME_FORMAT "+0x%" PRIx64,
						command_file_name(file), site->offset);
	return text_format(arena, NAME_FORMAT ":" NAME_FORMAT, command_file_name(file), function);
}

static const char *memory_word(unsigned int kind)
{
	switch (kind) {
#define MEMORY_KIND(symbol, number, word)                                                          \
	case number:                                                                               \
		return word;
#include "facts/memory_kinds.def"
#undef MEMORY_KIND
	default:
		return "?";
	}
}

static bool is_in_default_stream(const struct trace_operation *operation)
{
	return operation && operation->form->stream->flag == STREAM_NULL;
}

/* The call's kind: the function, and what it copies or sets, as far as that can be a cause. A copy of
 * pageable memory is of another kind than one of pinned memory. */
static const char *kind_of(const struct trace_call *call, struct arena *arena)
{
	const struct trace_operation *operation = call->operation;
	bool is_copy = operation && operation->form->kind == OPERATION_COPY;

	return text_format(
		arena, "%s%s%s%s%s%s%s", call->form->function->name, is_copy ? " (" : "",
		is_copy ? memory_word(operation->form->src_kind) : "", is_copy ? " to " : "",
		is_copy ? memory_word(operation->form->dst_kind) : "", is_copy ? ")" : "",
		is_in_default_stream(operation) ? " in the legacy default stream" : "");
}

/* Calls of one key are of one place and kind. */
static uint64_t key_of(const struct trace_call *call)
{
	const struct trace_operation *operation = call->operation;
	uint64_t key = mix(1, (uint64_t)(uintptr_t)call->form->site);

	key = mix(key, (uint64_t)(uintptr_t)call->form->function);
	if (!operation)
		return key;
	key = mix(key, (uint64_t)(uintptr_t)operation->form->name);
	key = mix(key, (uint64_t)operation->form->kind << 32 |
			       (uint64_t)operation->form->src_kind << 16 |
			       operation->form->dst_kind);
	return mix(key, is_in_default_stream(operation));
}

static struct place_calls describe_place(const struct trace *trace, const struct trace_call *call,
					 struct arena *arena)
{
	const char *kernel = call->operation ? call->operation->form->name : NULL;
	struct site site = site_describe(trace, call->form->site, kernel);

	return (struct place_calls){
		.place = places_name(&site, arena), .kind = kind_of(call, arena), .keys = 1};
}

/* Hostile sizes stay at the largest. */
static uint64_t add_bytes(uint64_t bytes, uint64_t more)
{
	return __builtin_add_overflow(bytes, more, &bytes) ? UINT64_MAX : bytes;
}

/* Adds the call to those of its key. */
static void add_call(struct places *places, struct place_calls *calls,
		     const struct trace_call *call, uint64_t key)
{
	calls->calls++;
	if (!call->operation)
		return;
	calls->bytes = add_bytes(calls->bytes, call->operation->form->size_bytes);
	calls->streams += map_add(&places->streams,
				  mix(key, (uint64_t)(uintptr_t)call->operation->form->stream), 0);
}

struct places places_collect(const struct trace *trace, struct arena *arena)
{
	struct places places = {0};

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		uint64_t key = key_of(call);
		size_t index = map_find(&places.kinds, key);

		if (index == MAP_NONE) {
			index = places.found.count;
			map_add(&places.kinds, key, index);
			*vector_add(&places.found) = describe_place(trace, call, arena);
		}
		assert(places.found.items);
		add_call(&places, &places.found.items[index], call, key);
	}
	return places;
}

size_t places_find(const struct places *places, const struct trace_call *call)
{
	return call ? map_find(&places->kinds, key_of(call)) : MAP_NONE;
}

/* By place, then kind. */
static int compare_places(const void *left, const void *right)
{
	const struct place_calls *a = left, *b = right;
	int order = strcmp(a->place, b->place);

	return order ? order : strcmp(a->kind, b->kind);
}

void places_sort_calls(place_calls_vector *found)
{
	struct place_calls *items = found->items;
	size_t kept = 0;

	vector_sort(found, compare_places);
	for (size_t i = 0; i < found->count; i++) {
		if (!kept || compare_places(&items[kept - 1], &items[i])) {
			items[kept++] = items[i];
			continue;
		}
		items[kept - 1].calls += items[i].calls;
		items[kept - 1].bytes = add_bytes(items[kept - 1].bytes, items[i].bytes);
		items[kept - 1].keys += items[i].keys;
		items[kept - 1].streams += items[i].streams;
	}
	found->count = kept;
}

void places_sort(struct places *places)
{
	places_sort_calls(&places->found);
	map_free(&places->kinds);
	map_free(&places->streams);
}

const struct place_calls *places_at(const place_calls_vector *found, const char *place,
				    const char *kind)
{
	const struct place_calls wanted = {.place = place, .kind = kind};

	if (!found->count)
		return NULL;
	return bsearch(&wanted, found->items, found->count, sizeof(wanted), compare_places);
}

void places_free(struct places *places)
{
	vector_free(&places->found);
	map_free(&places->kinds);
	map_free(&places->streams);
}
