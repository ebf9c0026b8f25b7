#include "viewer/lane.h"

#include "base/minmax.h"
#include "base/sort.h"

#include <string.h>

/* Ten bytes hold any number of 64 bits. */
#define NUMBER_BYTES 10

static size_t put_number(uint8_t *to, uint64_t number)
{
	size_t size = 0;

	for (; number >= 128; number >>= 7)
		to[size++] = (uint8_t)(number | 128);
	to[size++] = (uint8_t)number;
	return size;
}

static uint64_t fold_sign(int64_t number)
{
	return number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1;
}

enum column { COLUMN_START, COLUMN_DURATION, COLUMN_THING, COLUMN_AMOUNT, COLUMN_LINK, COLUMN_ID };

static uint64_t value_of(const struct lane_event *event, const struct lane_event *before,
			 enum column column)
{
	switch (column) {
	case COLUMN_START:
		return (uint64_t)(event->start_ns - before->start_ns);
	case COLUMN_DURATION:
		return (uint64_t)(event->end_ns - event->start_ns);
	case COLUMN_THING:
		return event->thing;
	case COLUMN_AMOUNT:
		return event->class == VIEWER_CALL ? (uint64_t)event->wait_ns : event->amount;
	case COLUMN_LINK:
		return fold_sign(event->link - before->link);
	default:
		return fold_sign(event->id - before->id);
	}
}

/* Of a chunk with a base. */
enum based_column { BASED_PLACE, BASED_SHIFT, BASED_LONGER, BASED_AMOUNT, BASED_COLUMNS };

/* Times of a trace may be far apart. */
static int64_t time_difference(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t shift_of(const struct lane_event *event)
{
	return time_difference(event->start_ns, event->base_start_ns);
}

static uint64_t based_value(const struct lane_event *event, const struct lane_event *before,
			    enum based_column column)
{
	switch (column) {
	case BASED_PLACE:
		return fold_sign((int64_t)event->place - before->place);
	case BASED_SHIFT:
		return fold_sign(time_difference(shift_of(event), shift_of(before)));
	case BASED_LONGER:
		return fold_sign(
			time_difference(time_difference(event->end_ns, event->start_ns),
					time_difference(event->base_end_ns, event->base_start_ns)));
	default:
		return value_of(event, before, COLUMN_AMOUNT);
	}
}

static json_t *place_array(struct pack_place place)
{
	return json_pack("[i, I]", place.block, (json_int_t)place.offset);
}

static void append_number(json_t *array, int64_t number)
{
	json_array_append_new(array, json_integer(number));
}

#define NO_BASE SIZE_MAX

/* Which chunk of the measured lane has the event. */
static size_t base_of(const struct lane_event *event)
{
	return event->place ? (event->place - 1) / LANE_CHUNK_EVENTS : NO_BASE;
}

static size_t put_columns(const struct lane_event *events, size_t count, size_t base,
			  uint8_t *bytes)
{
	int columns = base == NO_BASE ? COLUMN_ID + 1 : BASED_COLUMNS;
	size_t size = 0;

	for (int column = 0; column < columns; column++) {
		/* The first start is in the row, and the base's first place is 0. */
		struct lane_event before = {
			.start_ns = base == NO_BASE ? events[0].start_ns : 0,
			.place = base == NO_BASE ? 0 : (uint32_t)(base * LANE_CHUNK_EVENTS) + 1};

		for (size_t i = 0; i < count; i++) {
			size += put_number(bytes + size,
					   base == NO_BASE
						   ? value_of(&events[i], &before, column)
						   : based_value(&events[i], &before, column));
			before = events[i];
		}
	}
	return size;
}

/* The chunk's row. */
static json_t *pack_chunk(const struct lane_event *events, size_t count, size_t base,
			  struct pack *pack)
{
	uint8_t *bytes = memory_array(count, (COLUMN_ID + 1) * NUMBER_BYTES);
	int64_t last_ns = 0, sum_ns = 0, least = INT64_MAX, most = INT64_MIN;
	size_t size = put_columns(events, count, base, bytes);
	json_t *row;

	for (size_t i = 0; i < count; i++) {
		last_ns = max_ns(last_ns, events[i].end_ns);
		sum_ns += events[i].end_ns - events[i].start_ns;
		least = min_ns(least, events[i].id);
		most = max_ns(most, events[i].id);
	}
	row = place_array(pack_add(pack, bytes, size));
	append_number(row, (int64_t)count);
	append_number(row, events[0].start_ns);
	append_number(row, last_ns);
	append_number(row, sum_ns);
	append_number(row, least);
	append_number(row, most);
	if (base != NO_BASE)
		append_number(row, (int64_t)base);
	free(bytes);
	return row;
}

/* How many of the events go into the next chunk. *base: the measured chunk that it is based on, or NO_BASE. */
static size_t next_chunk(const struct lane_event *events, size_t count, size_t *base)
{
	size_t most = count < LANE_CHUNK_EVENTS ? count : LANE_CHUNK_EVENTS, same = 0;

	*base = base_of(&events[0]);
	while (same < most && base_of(&events[same]) == *base)
		same++;
	if (same >= LANE_LEAST_BASED || same == count)
		return same;
	*base = NO_BASE;
	return most < LANE_LEAST_BASED ? most : LANE_LEAST_BASED;
}

static json_t *pack_chunks(const lane_event_vector *events, struct pack *pack)
{
	json_t *chunks = json_array();

	for (size_t i = 0, count; i < events->count; i += count) {
		size_t base;

		count = next_chunk(events->items + i, events->count - i, &base);
		json_array_append_new(chunks, pack_chunk(events->items + i, count, base, pack));
	}
	return chunks;
}

static bool is_empty(const struct level_bin *bins)
{
	for (size_t i = 0; i < LANE_TILE_BINS; i++)
		if (bins[i].fill)
			return false;
	return true;
}

static json_t *pack_tile(const struct level_bin *bins, struct pack *pack)
{
	uint8_t bytes[2 * LANE_TILE_BINS];

	if (is_empty(bins))
		return json_null();
	for (size_t i = 0; i < LANE_TILE_BINS; i++) {
		bytes[i] = bins[i].fill;
		bytes[LANE_TILE_BINS + i] = bins[i].class;
	}
	return place_array(pack_add(pack, bytes, sizeof(bytes)));
}

/* A bin for at most four events: where a page draws bins, as many as pixels of most screens are in sight. */
static json_t *pack_levels(const lane_event_vector *events, int64_t end_ns,
			   const struct lane_packs *packs)
{
	struct levels *levels = levels_create(end_ns, events->count / 4);
	json_t *array = json_array();
	size_t count;

	for (size_t i = 0; i < events->count; i++) {
		const struct lane_event *event = &events->items[i];
		int64_t waits_from_ns = event->end_ns - event->wait_ns;

		if (event->wait_ns < event->end_ns - event->start_ns)
			levels_add(levels, event->class, event->start_ns, waits_from_ns);
		if (event->wait_ns > 0)
			levels_add(levels, VIEWER_WAIT, waits_from_ns, event->end_ns);
	}
	count = levels_finish(levels);
	for (size_t level = 0; level < count; level++) {
		struct pack *pack = level ? packs->second : packs->first;
		const struct level_bin *bins = levels_bins(levels, level);
		json_t *tiles = json_array();

		for (size_t i = 0; i < LEVELS_FIRST_BINS << 2 * level; i += LANE_TILE_BINS)
			json_array_append_new(tiles, pack_tile(bins + i, pack));
		json_array_append_new(array, tiles);
	}
	levels_free(levels);
	return array;
}

static void sort_events(lane_event_vector *events)
{
	struct sort_key *keys = memory_array(events->count, sizeof(*keys));
	bool is_sorted = true;

	for (size_t i = 0; i < events->count; i++) {
		keys[i] = (struct sort_key){sort_signed(events->items[i].start_ns), (uint32_t)i};
		is_sorted &= !i || keys[i - 1].key <= keys[i].key;
	}
	if (!is_sorted) {
		sort_by_key_once(keys, events->count);
		sort_elements(events->items, sizeof(*events->items), keys, events->count);
	}
	free(keys);
}

/* What chunks would say. */
static void set_sums(json_t *object, const lane_event_vector *events)
{
	int64_t busy_ns = 0, last_ns = 0;

	for (size_t i = 0; i < events->count; i++) {
		busy_ns += events->items[i].end_ns - events->items[i].start_ns;
		last_ns = max_ns(last_ns, events->items[i].end_ns);
	}
	json_object_set_new(object, "count", json_integer((json_int_t)events->count));
	json_object_set_new(object, "busy_ns", json_integer(busy_ns));
	json_object_set_new(object, "start_ns",
			    json_integer(events->count ? events->items[0].start_ns : 0));
	json_object_set_new(object, "end_ns", json_integer(last_ns));
}

void lane_pack(json_t *object, lane_event_vector *events, int64_t end_ns, bool has_events,
	       const struct lane_packs *packs)
{
	bool is_small = events->count <= LANE_FEW_EVENTS;

	sort_events(events);
	if (!has_events)
		set_sums(object, events);
	json_object_set_new(object, "chunks",
			    has_events
				    ? pack_chunks(events, is_small ? packs->first : packs->second)
				    : json_array());
	if (!is_small)
		json_object_set_new(object, "levels", pack_levels(events, end_ns, packs));
}

/* As pack_chunk() appends them. */
enum row_member {
	ROW_BLOCK,
	ROW_OFFSET,
	ROW_COUNT,
	ROW_FIRST,
	ROW_LAST,
	ROW_SUM,
	ROW_LEAST,
	ROW_MOST,
	ROW_NUMBERS
};

static void set_number(json_t *row, enum row_member member, int64_t number)
{
	json_integer_set(json_array_get(row, member), number);
}

/* before: the numbers of the row before, which become those of this one. */
static void shorten_row(json_t *row, int64_t *before)
{
	int64_t now[ROW_NUMBERS], length_ns;

	for (size_t i = 0; i < ROW_NUMBERS; i++)
		now[i] = json_integer_value(json_array_get(row, i));
	length_ns = time_difference(now[ROW_LAST], now[ROW_FIRST]);
	set_number(row, ROW_OFFSET, now[ROW_OFFSET] - before[ROW_OFFSET]);
	set_number(row, ROW_FIRST, time_difference(now[ROW_FIRST], before[ROW_FIRST]));
	set_number(row, ROW_LAST, length_ns);
	set_number(row, ROW_SUM, time_difference(length_ns, now[ROW_SUM]));
	set_number(row, ROW_LEAST, now[ROW_LEAST] - before[ROW_LEAST]);
	set_number(row, ROW_MOST, now[ROW_MOST] - now[ROW_LEAST]);
	memcpy(before, now, sizeof(now));
}

void lane_shorten_rows(json_t *lanes)
{
	int64_t before[ROW_NUMBERS] = {0};

	for (size_t i = 0; i < json_array_size(lanes); i++) {
		json_t *chunks = json_object_get(json_array_get(lanes, i), "chunks");

		for (size_t k = 0; k < json_array_size(chunks); k++)
			shorten_row(json_array_get(chunks, k), before);
	}
}
