/* NCCL's rows. */
#include "store/private.h"

#include <stdio.h>

static int64_t or_null(int64_t value, int64_t null)
{
	return value == null ? ROW_NULL : value;
}

/* The communicator's own record may be lost, or in a ring that is read later. */
static void note_communicator(struct store *store, int64_t id)
{
	struct communicators_row row = communicators_null();
	bool is_new;

	row.id = id;
	intern(&store->communicators, &id, sizeof(id), &is_new);
	if (is_new)
		store_insert(store, STATEMENT_COMMUNICATOR, &row);
}

void store_communicator(struct store *store, const struct record *record)
{
	char unique_id[17];

	snprintf(unique_id, sizeof(unique_id), "%016llx", (unsigned long long)record->src);
	INSERT(store, COMMUNICATOR, .id = (int64_t)record->object,
	       .unique_id = record->src ? unique_id : NULL, .rank = or_null(record->result, -1),
	       .ranks = or_null((int64_t)record->numbers - 1, -1),
	       .device_id = or_null((int64_t)record->context - 1, -1),
	       .created_ns = or_null(record->start_ns, 0),
	       .destroyed_ns = or_null(record->end_ns, 0));
}

void store_collective(struct store *store, const struct record *record, uint32_t thread_id)
{
	store_note_thread(store, thread_id);
	if (record->object)
		note_communicator(store, (int64_t)record->object);
	INSERT(store, COLLECTIVE, .communicator_id = or_null((int64_t)record->object, 0),
	       .sequence = or_null((int64_t)record->dst, -1), .operation = record->function,
	       .size_bytes = (int64_t)record->size_bytes, .datatype = record->copy_kind,
	       .root_or_peer = or_null(record->result, -1),
	       .stream_handle = (int64_t)record->stream, .thread_id = thread_id,
	       .start_ns = record->start_ns, .end_ns = record->end_ns,
	       .group_id = or_null((int64_t)record->src, 0),
	       .site_id = store_site_id(store, record->site));
}

void store_collective_group(struct store *store, const struct record *record)
{
	INSERT(store, COLLECTIVE_GROUP, .id = (int64_t)record->object, .start_ns = record->start_ns,
	       .end_ns = record->end_ns);
}
