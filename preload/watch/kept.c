#include "watch/kept.h"

#include <string.h>
#include <sys/mman.h>

enum item_kind { ITEM_BLOCK, ITEM_ROW, ITEM_FILLER };

/* What precedes each item. Items lie behind each other; none reaches over the memory's end, before which a filler
 * takes what is left. */
struct item {
	uint32_t bytes; /* with this head; a multiple of ITEM_ALIGN */
	uint16_t kind;
	uint16_t name_bytes; /* of a row's name, with its 0; 0: it has none */
	uint32_t thread_id;
	uint32_t unused;
	int64_t last_ns; /* when its last record began */
	uint64_t unused_too;
};

#define ITEM_ALIGN sizeof(struct item)
#define LARGEST	   8 /* an item takes this part of the memory at most */

static struct {
	uint8_t *memory;
	size_t bytes;
	uint64_t begin, end; /* positions, which only grow */
	int64_t since_ns;
} kept;

bool kept_begin(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	kept.memory = memory;
	kept.bytes = bytes / ITEM_ALIGN * ITEM_ALIGN;
	return true;
}

static struct item *item_at(uint64_t position)
{
	return (void *)(kept.memory + position % kept.bytes);
}

static void drop_oldest(void)
{
	const struct item *oldest = item_at(kept.begin);

	if (oldest->kind == ITEM_BLOCK && oldest->last_ns > kept.since_ns)
		kept.since_ns = oldest->last_ns;
	kept.begin += oldest->bytes;
}

static struct item *put_item(size_t bytes, enum item_kind kind)
{
	struct item *item;

	while (kept.end + bytes - kept.begin > kept.bytes)
		drop_oldest();
	item = item_at(kept.end);
	*item = (struct item){.bytes = (uint32_t)bytes, .kind = (uint16_t)kind};
	kept.end += bytes;
	return item;
}

/* Room for so many bytes behind a head; NULL: they are too many. */
static struct item *add_item(size_t bytes, enum item_kind kind)
{
	const size_t whole =
		(sizeof(struct item) + bytes + ITEM_ALIGN - 1) / ITEM_ALIGN * ITEM_ALIGN;
	const size_t left = kept.bytes - kept.end % kept.bytes;

	if (whole > kept.bytes / LARGEST)
		return NULL;
	if (left < whole)
		put_item(left, ITEM_FILLER);
	return put_item(whole, kind);
}

/* The notes stay at the end of the block's memory, which becomes as small as it can be. */
void kept_add_block(const struct packed *packed, uint32_t thread_id)
{
	const size_t align = sizeof(struct packed_note);
	const size_t front = (sizeof(*packed) + packed->record_bytes + align - 1) / align * align;
	const size_t notes = packed->note_count * sizeof(struct packed_note);
	struct item *item = add_item(front + notes, ITEM_BLOCK);
	struct packed *copy;

	if (!item)
		return;
	copy = (void *)(item + 1);
	item->thread_id = thread_id;
	item->last_ns = packed->last_start_ns;
	memcpy(copy, packed, sizeof(*packed) + packed->record_bytes);
	copy->bytes = (uint32_t)(front + notes);
	memcpy((uint8_t *)copy + front, (const uint8_t *)packed + packed->bytes - notes, notes);
}

void kept_add_row(const struct host_row *row)
{
	const size_t name_bytes = row->name ? strlen(row->name) + 1 : 0;
	struct item *item = add_item(sizeof(*row) + name_bytes, ITEM_ROW);

	if (!item)
		return;
	item->name_bytes = (uint16_t)name_bytes;
	memcpy(item + 1, row, sizeof(*row));
	if (name_bytes)
		memcpy((uint8_t *)(item + 1) + sizeof(*row), row->name, name_bytes);
}

int64_t kept_since_ns(void)
{
	return kept.since_ns;
}

void kept_begin_again(int64_t now_ns)
{
	kept.since_ns = now_ns;
}

size_t kept_bytes(void)
{
	return (size_t)(kept.end - kept.begin);
}

void kept_take_all(void (*take_block)(struct store *store, const struct packed *packed,
				      uint32_t thread_id),
		   void (*take_row)(struct store *store, const struct host_row *row),
		   struct store *store)
{
	for (; kept.begin < kept.end; kept.begin += item_at(kept.begin)->bytes) {
		const struct item *item = item_at(kept.begin);
		struct host_row row;

		if (item->kind == ITEM_BLOCK)
			take_block(store, (const void *)(item + 1), item->thread_id);
		if (item->kind == ITEM_ROW) {
			memcpy(&row, item + 1, sizeof(row));
			if (item->name_bytes)
				row.name = (const char *)(item + 1) + sizeof(row);
			take_row(store, &row);
		}
	}
	/* Memory that was used is used again first. */
	kept.begin = kept.end = 0;
}

void kept_after_fork(void)
{
	if (kept.memory)
		munmap(kept.memory, kept.bytes);
	memset(&kept, 0, sizeof(kept));
}
