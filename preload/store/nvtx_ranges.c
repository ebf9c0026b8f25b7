#include "base/atoms.h"
#include "base/hash.h"
#include "base/losses.h"
#include "store/private.h"
#include "store/window_rows.h"

#include <stdlib.h>
#include <string.h>

/* At most so many are kept: a program may begin ranges and never end them. */
#define OPEN_MOST 65536
#define BUCKETS	  8192 /* a power of two */
#define NO_INDEX  UINT32_MAX

/* A range whose begin or end has been read. */
struct nvtx_open {
	uint64_t key; /* 0: unused */
	uint32_t next;
	bool has_begin, is_stored;
	struct nvtx_ranges_row row;
};

struct nvtx_table {
	struct nvtx_open *items;
	uint32_t count, capacity, unused; /* count: items ever used */
	uint32_t buckets[BUCKETS];
	int64_t last_id;
};

static uint32_t *bucket_of(struct nvtx_table *table, uint64_t key)
{
	return &table->buckets[hash_word(key) >> 32 & (BUCKETS - 1)];
}

static bool grow_items(struct nvtx_table *table)
{
	uint32_t capacity = table->capacity ? table->capacity * 2 : 64;
	struct nvtx_open *bigger;

	if (table->count < table->capacity)
		return true;
	if (table->count == OPEN_MOST)
		return false;
	bigger = realloc(table->items, capacity * sizeof(*bigger));
	if (!bigger)
		return false;
	memset(bigger + table->capacity, 0, (capacity - table->capacity) * sizeof(*bigger));
	table->items = bigger;
	table->capacity = capacity;
	return true;
}

static struct nvtx_table *table_of(struct store *store)
{
	struct nvtx_table *table = store->nvtx_table;

	if (table)
		return table;
	table = calloc(1, sizeof(*table));
	if (!table || !grow_items(table)) {
		free(table);
		return NULL;
	}
	table->unused = NO_INDEX;
	memset(table->buckets, 0xff, sizeof(table->buckets));
	return store->nvtx_table = table;
}

/* The index of an unused item; NO_INDEX: no room. */
static uint32_t take_item(struct nvtx_table *table)
{
	uint32_t index = table->unused;

	if (index != NO_INDEX) {
		table->unused = table->items[index].next;
		return index;
	}
	return grow_items(table) ? table->count++ : NO_INDEX;
}

/* The key's item, added if it is new; NULL: no room. */
static struct nvtx_open *find_open(struct nvtx_table *table, uint64_t key)
{
	uint32_t *bucket = bucket_of(table, key), index = *bucket;

	while (index != NO_INDEX && table->items[index].key != key)
		index = table->items[index].next;
	if (index != NO_INDEX)
		return &table->items[index];
	index = take_item(table);
	if (index == NO_INDEX)
		return NULL;
	table->items[index] =
		(struct nvtx_open){.key = key, .next = *bucket, .row = nvtx_ranges_null()};
	*bucket = index;
	return &table->items[index];
}

static void forget_open(struct nvtx_table *table, struct nvtx_open *open)
{
	const uint32_t index = (uint32_t)(open - table->items);
	uint32_t *link = bucket_of(table, open->key);

	while (*link != index)
		link = &table->items[*link].next;
	*link = open->next;
	open->key = 0;
	open->next = table->unused;
	table->unused = index;
}

static int64_t text_id(struct store *store, struct atom *atom)
{
	if (atom->row_generation != store->generation) {
		atom->row_generation = store->generation;
		atom->row_id = store_string_id(store, (const char *)atom->words);
	}
	return atom->row_id;
}

static int64_t name_id(struct store *store, const struct range_fields *range)
{
	char text[RANGE_TEXT_BYTES + 1];

	if (range->name)
		return text_id(store, range->name);
	if (!range->text_bytes || range->text_bytes > RANGE_TEXT_BYTES)
		return ROW_NULL;
	memcpy(text, range->text, range->text_bytes);
	text[range->text_bytes] = '\0';
	return store_string_id(store, text);
}

static void note_begin(struct store *store, struct nvtx_open *open,
		       const struct range_fields *range, uint32_t thread_id)
{
	open->has_begin = true;
	open->row.id = ++store->nvtx_table->last_id;
	open->row.is_pushed = range->kind == RECORD_RANGE_PUSH;
	open->row.thread_id = thread_id;
	open->row.start_ns = range->time_ns;
	open->row.name_id = name_id(store, range);
	open->row.domain_id = range->domain ? text_id(store, range->domain) : ROW_NULL;
	open->row.color = range->has_color ? range->color : ROW_NULL;
	store_note_thread(store, thread_id);
}

/* Whether it belongs to a window; an open range belongs to each that follows. */
static bool is_wanted(const struct nvtx_ranges_row *row)
{
	const int64_t end_ns = row->end_ns == ROW_NULL ? INT64_MAX - 1 : row->end_ns;

	return window_rows_include((uint64_t)row->start_ns, (uint64_t)end_ns + 1, 0);
}

static void store_row(struct store *store, struct nvtx_open *open)
{
	if (!open->is_stored && !is_wanted(&open->row))
		return;
	open->is_stored = true;
	store_insert(store, STATEMENT_NVTX_RANGE, &open->row);
}

void store_nvtx_range(struct store *store, const struct record *record, uint32_t thread_id)
{
	const union range_record range = {.record = *record};
	struct nvtx_table *table = table_of(store);
	struct nvtx_open *open;

	open = table && range.fields.id ? find_open(table, range.fields.id) : NULL;
	if (!open) {
		losses_count(LOSS_RANGE, 1);
		return;
	}
	if (range.fields.kind == RECORD_RANGE_END) {
		open->row.end_ns = range.fields.time_ns;
		open->row.end_thread_id = thread_id;
	} else {
		note_begin(store, open, &range.fields, thread_id);
	}
	if (!open->has_begin || open->row.end_ns == ROW_NULL)
		return;
	if (open->row.end_ns < open->row.start_ns)
		open->row.end_ns = open->row.start_ns;
	store_row(store, open);
	forget_open(table, open);
}

void store_open_ranges(struct store *store)
{
	struct nvtx_table *table = store->nvtx_table;

	for (uint32_t i = 0; table && i < table->count; i++)
		if (table->items[i].key && table->items[i].has_begin && !table->items[i].is_stored)
			store_row(store, &table->items[i]);
}

void store_nvtx_ranges_free(struct store *store)
{
	if (store->nvtx_table)
		free(store->nvtx_table->items);
	free(store->nvtx_table);
}
