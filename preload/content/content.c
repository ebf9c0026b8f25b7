#include "content/content.h"

#include "base/options.h"
#include "content/awaited.h"
#include "content/content_hash.h"
#include "content/look.h"
#include "content/memory_places.h"

/* cudaMemcpyKind */
#define COPY_TO_DEVICE 1
#define COPY_TO_HOST   2
#define COPY_DEFAULT   4

static bool content_on;

void content_initialize(void)
{
	/* first_use.h makes pages inaccessible: no hashes then. */
	content_on = options.content && !options_watch_memory();
	content_look_initialize();
}

static bool note_sent(struct record *record)
{
	const struct content_copy copy = {record->src, record->dst, record->size_bytes,
					  record->end_ns};
	struct content_looked looked;

	if (!content_look(&copy, false, &looked))
		return false;
	record->numbers = looked.numbers;
	if (looked.awaited) {
		record->has |= RECORD_HAS_OBJECT;
		record->object = looked.awaited;
	}
	return true;
}

static void note_fetched(struct record *record, bool is_waited)
{
	const struct content_copy copy = {record->dst, record->src, record->size_bytes,
					  record->end_ns};
	struct content_looked looked;

	/* Into pageable memory, even an asynchronous call waits. */
	if (!is_waited && places_is_pinned(copy.host, copy.bytes)) {
		content_await(&copy, record);
	} else if (content_look(&copy, true, &looked)) {
		record->numbers = looked.numbers;
	}
}

static __attribute__((noinline)) void note_content(struct record *record, bool is_waited)
{
	const uint64_t src = record->src, dst = record->dst;
	const uint8_t kind = record->copy_kind;

	/* At another depth the record is not kept; without a correlation id the copy is not
	 * known. */
	if (!content_on || recorder_thread.at.depth != 2 || record->result || !src || !dst ||
	    !(record->has & RECORD_HAS_CORRELATION) || recorder_thread.makes_node)
		return;
	/* With the default kind the kinds of memory tell the direction. */
	if (kind == COPY_DEFAULT && places_is_host(src, record->size_bytes) &&
	    places_is_host(dst, record->size_bytes))
		return;
	if ((kind == COPY_TO_DEVICE || kind == COPY_DEFAULT) && note_sent(record))
		return;
	if (kind == COPY_TO_HOST || kind == COPY_DEFAULT)
		note_fetched(record, is_waited);
}

void content_note(struct record *record, bool is_waited)
{
	if (is_waited)
		content_await_none();
	if (record->size_bytes >= CONTENT_HASHED_LEAST_BYTES)
		note_content(record, is_waited);
}
