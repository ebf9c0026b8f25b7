#include "cmocka_test.h"
#include "base/memory.h"
#include "viewer/viewer.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static int digit_value(char digit)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(digits, digit);

	assert_true(at && digit);
	return (int)(at - digits);
}

/* What is behind a place in the elements that were written: a page's way. malloc'ed. */
static uint8_t *unpack(const char *page, struct pack_place place, size_t size)
{
	char *head = memory_format("<script type=\"text/plain\" id=\"b%d\">", place.block);
	const char *text = strstr(page, head);
	size_t length, packed_size = 0;
	uLongf all = place.offset + size + (1u << 20);
	uint8_t *packed, *bytes = memory_array(all, 1), *part = memory_array(size + 1, 1);

	assert_non_null(text);
	text += strlen(head);
	length = strcspn(text, "<");
	assert_int_equal(length % 4, 0);
	packed = memory_array(length + 1, 1);
	for (size_t i = 0; i < length; i += 4) {
		uint32_t group = 0;

		for (size_t k = 0; k < 4; k++)
			group = group << 6 |
				(text[i + k] == '=' ? 0 : (uint32_t)digit_value(text[i + k]));
		packed[packed_size++] = (uint8_t)(group >> 16);
		if (text[i + 2] != '=')
			packed[packed_size++] = (uint8_t)(group >> 8);
		if (text[i + 3] != '=')
			packed[packed_size++] = (uint8_t)group;
	}
	assert_int_equal(uncompress(bytes, &all, packed, packed_size), Z_OK);
	assert_true(all >= place.offset + size);
	memcpy(part, bytes + place.offset, size);
	free(packed);
	free(bytes);
	free(head);
	return part;
}

/* What pack_write() writes; freed with free(). */
static char *write_pack(struct pack *pack)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_true(pack_write(pack, out));
	fclose(out);
	return text;
}

/* Bytes of any size come back, from the block that was said. */
TEST(test_pack)
{
	static const size_t sizes[] = {1, 2, 3, 200000, 0, 5, 300000};
	enum { COUNT = sizeof(sizes) / sizeof(*sizes) };
	struct pack pack = {.first_id = 1};
	struct pack_place places[COUNT];
	uint8_t *bytes[COUNT];
	char *page;

	for (size_t i = 0; i < COUNT; i++) {
		bytes[i] = memory_array(sizes[i] + 1, 1);
		for (size_t k = 0; k < sizes[i]; k++)
			bytes[i][k] = (uint8_t)(k * 7 + i);
		places[i] = pack_add(&pack, bytes[i], sizes[i]);
	}
	assert_int_equal(places[0].block, 1);
	assert_int_equal(places[3].block, 1);
	assert_int_equal(places[3].offset, 6);
	assert_int_equal(places[5].block, 3);
	page = write_pack(&pack);
	for (size_t i = 0; i < COUNT; i++) {
		uint8_t *found = unpack(page, places[i], sizes[i]);

		assert_memory_equal(found, bytes[i], sizes[i]);
		free(found);
		free(bytes[i]);
	}
	free(page);
	pack_free(&pack);
}

/* A bin of the finest level is 10 ns here: 2048 << 2 bins in 81920 ns. */
#define END_NS 81920

TEST(test_levels)
{
	struct levels *levels = levels_create(END_NS, 8192);
	const struct level_bin *bins;

	levels_add(levels, VIEWER_KERNEL, 5, 25); /* half of bin 0, all of 1, half of 2 */
	levels_add(levels, VIEWER_H2D, 27, 28);	  /* a tenth of bin 2 */
	levels_add(levels, VIEWER_CALL, 81918, INT64_MAX / 2); /* the end of the last */
	levels_add(levels, VIEWER_CALL, -50, -20);	       /* outside */
	levels_add(levels, VIEWER_WAIT, 400, 400);	       /* a point */
	assert_int_equal(levels_finish(levels), 2);
	bins = levels_bins(levels, 1);
	assert_in_range(bins[0].fill, 126, 129);
	assert_int_equal(bins[0].class, VIEWER_KERNEL);
	assert_int_equal(bins[1].fill, 255);
	assert_in_range(bins[2].fill, 152, 155);
	assert_int_equal(bins[2].class, VIEWER_KERNEL);
	assert_int_equal(bins[3].fill, 0);
	assert_in_range(bins[40].fill, 1, 2);
	assert_int_equal(bins[40].class, VIEWER_WAIT);
	assert_in_range(bins[8191].fill, 50, 53);
	bins = levels_bins(levels, 0);
	assert_in_range(bins[0].fill, 133, 136); /* 21 of 40 ns */
	assert_int_equal(bins[1].fill, 0);
	assert_in_range(bins[2047].fill, 12, 15);
	levels_free(levels);
}

/* Events that all fill everything are quick, and no bin is more than full. */
TEST(test_full_levels)
{
	struct levels *levels = levels_create(1000000, (size_t)1 << 30);
	size_t count;

	for (int i = 0; i < 1000000; i++)
		levels_add(levels, VIEWER_KERNEL, 0, 1000000);
	count = levels_finish(levels);
	assert_int_equal(count, 7);
	for (size_t i = 0; i < LEVELS_FIRST_BINS << 2 * (count - 1); i++)
		assert_int_equal(levels_bins(levels, count - 1)[i].fill, 255);
	levels_free(levels);
}

static uint64_t read_number(const uint8_t **at)
{
	uint64_t number = 0;
	int shift = 0;

	do
		number |= (uint64_t)(**at & 127) << shift;
	while ((shift += 7) && *(*at)++ & 128);
	return number;
}

static int64_t read_signed(const uint8_t **at)
{
	uint64_t number = read_number(at);

	return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

static struct pack_place place_of(const json_t *row)
{
	return (struct pack_place){(int)json_integer_value(json_array_get(row, 0)),
				   (size_t)json_integer_value(json_array_get(row, 1))};
}

/* Of the three events below: of 18 numbers one takes 9 bytes, five take 2. */
#define COLUMN_BYTES 31

/* Columns come back as lane.h says, sorted by start. */
TEST(test_lane)
{
	static const struct lane_event given[] = {
		{.start_ns = 900, .end_ns = 1000, .amount = 4096, .id = 7, .link = -1, .thing = 2},
		{.start_ns = -5,
		 .end_ns = 300,
		 .wait_ns = 130,
		 .id = 9,
		 .link = 5,
		 .class = VIEWER_CALL},
		{.start_ns = 900, .end_ns = INT64_MAX / 2, .id = 8, .link = 700, .thing = 1},
	};
	static const int order[] = {1, 0, 2};
	struct pack first = {0}, second = {.first_id = 1};
	struct lane_packs packs = {&first, &second};
	lane_event_vector events = {0};
	json_t *lane = json_object(), *row;
	int64_t start_ns, link = 0, id = 0;
	const uint8_t *at;
	uint8_t *bytes;
	char *page;

	for (size_t i = 0; i < 3; i++)
		*vector_add(&events) = given[i];
	lane_pack(lane, &events, 2000, true, &packs);
	assert_null(json_object_get(lane, "count"));
	assert_null(json_object_get(lane, "levels"));
	assert_int_equal(json_array_size(json_object_get(lane, "chunks")), 1);
	row = json_array_get(json_object_get(lane, "chunks"), 0);
	assert_int_equal(json_integer_value(json_array_get(row, 2)), 3);
	start_ns = json_integer_value(json_array_get(row, 3));
	assert_int_equal(start_ns, -5);
	assert_int_equal(json_integer_value(json_array_get(row, 4)), INT64_MAX / 2);
	assert_int_equal(json_integer_value(json_array_get(row, 6)), 7);
	assert_int_equal(json_integer_value(json_array_get(row, 7)), 9);
	page = write_pack(&first);
	at = bytes = unpack(page, place_of(row), COLUMN_BYTES);
	for (int i = 0; i < 3; i++)
		assert_int_equal(start_ns += (int64_t)read_number(&at), given[order[i]].start_ns);
	for (int i = 0; i < 3; i++)
		assert_int_equal(read_number(&at),
				 given[order[i]].end_ns - given[order[i]].start_ns);
	for (int i = 0; i < 3; i++)
		assert_int_equal(read_number(&at), given[order[i]].thing);
	assert_int_equal(read_number(&at), 130);
	assert_int_equal(read_number(&at), 4096);
	assert_int_equal(read_number(&at), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(link += read_signed(&at), given[order[i]].link);
	for (int i = 0; i < 3; i++)
		assert_int_equal(id += read_signed(&at), given[order[i]].id);
	assert_int_equal(at - bytes, COLUMN_BYTES);
	free(bytes);
	free(page);
	vector_free(&events);
	json_decref(lane);
	pack_free(&first);
	pack_free(&second);
}

/* Events of a replayed run refer to those of the measured one: where it is, how much later and longer. */
TEST(test_based_lane)
{
	enum { COUNT = LANE_LEAST_BASED, FIRST = LANE_CHUNK_EVENTS - 4 };
	struct pack first = {0}, second = {.first_id = 1};
	struct lane_packs packs = {&first, &second};
	lane_event_vector events = {0};
	json_t *lane = json_object(), *chunks, *row;
	const uint8_t *at;
	uint8_t *bytes;
	char *page;

	/* The last four of chunk 0, then every second one of chunk 1; all 7 ns later and 1 shorter. */
	for (int i = 0; i < 4 + COUNT; i++)
		*vector_add(&events) = (struct lane_event){
			.start_ns = 10 * i + 7,
			.end_ns = 10 * i + 11,
			.base_start_ns = 10 * i,
			.base_end_ns = 10 * i + 5,
			.amount = 3,
			.place = 1 + (uint32_t)(i < 4 ? FIRST + i : FIRST + 4 + 2 * (i - 4)),
			.id = i,
			.link = -1};
	lane_pack(lane, &events, 400000, true, &packs);
	chunks = json_object_get(lane, "chunks");
	/* Too few of one chunk have no base, nor have those that they are packed with. */
	assert_int_equal(json_array_size(chunks), 2);
	assert_int_equal(json_array_size(json_array_get(chunks, 0)), 8);
	row = json_array_get(chunks, 1);
	assert_int_equal(json_array_size(row), 9);
	assert_int_equal(json_integer_value(json_array_get(row, 2)), 4);
	assert_int_equal(json_integer_value(json_array_get(row, 8)), 1);
	page = write_pack(&first);
	at = bytes = unpack(page, place_of(row), 17);
	assert_int_equal(read_signed(&at), 2 * (COUNT - 4));
	for (int i = 1; i < 4; i++)
		assert_int_equal(read_signed(&at), 2);
	assert_int_equal(read_signed(&at), 7);
	for (int i = 1; i < 4; i++)
		assert_int_equal(read_signed(&at), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(read_signed(&at), -1);
	for (int i = 0; i < 4; i++)
		assert_int_equal(read_number(&at), 3);
	assert_int_equal(at - bytes, 17);
	free(bytes);
	free(page);
	vector_free(&events);
	json_decref(lane);
	pack_free(&first);
	pack_free(&second);
}

/* Many events have levels; the first is where the first look is, and without events there are no chunks. */
TEST(test_large_lane)
{
	struct pack first = {0}, second = {.first_id = 1};
	struct lane_packs packs = {&first, &second};
	lane_event_vector events = {0};
	json_t *lane = json_object(), *levels;

	for (int i = 0; i < 40000; i++)
		*vector_add(&events) = (struct lane_event){
			.start_ns = 10 * i, .end_ns = 10 * i + 5, .id = i, .link = -1};
	lane_pack(lane, &events, 800000, true, &packs);
	assert_int_equal(json_array_size(json_object_get(lane, "chunks")), 3);
	levels = json_object_get(lane, "levels");
	assert_int_equal(json_array_size(levels), 3);
	assert_int_equal(place_of(json_array_get(json_array_get(levels, 0), 0)).block, 0);
	assert_int_equal(json_array_size(json_array_get(levels, 1)), 4);
	assert_true(json_is_array(json_array_get(json_array_get(levels, 1), 1)));
	assert_true(json_is_null(json_array_get(json_array_get(levels, 1), 2)));
	lane_pack(lane, &events, 800000, false, &packs);
	assert_int_equal(json_integer_value(json_object_get(lane, "count")), 40000);
	assert_int_equal(json_integer_value(json_object_get(lane, "busy_ns")), 200000);
	assert_int_equal(json_integer_value(json_object_get(lane, "end_ns")), 399995);
	assert_int_equal(json_array_size(json_object_get(lane, "chunks")), 0);
	assert_int_equal(json_array_size(json_object_get(lane, "levels")), 3);
	vector_free(&events);
	json_decref(lane);
	pack_free(&first);
	pack_free(&second);
}

/* Rows become differences from the row before, also from another lane's. */
TEST(test_short_rows)
{
	static const json_int_t expected[][9] = {{0, 1000, 3, 500, 90, 20, 7, 4, -1},
						 {2, -990, 1, -450, 8, 0, -4, 0, 6},
						 {2, 5, 2, 60, 12, -3, 2, 1, -1}};
	json_t *lanes = json_pack(
		"[{s:[[i,i,i,i,i,i,i,i]]}, {s:[]}, {s:[[i,i,i,i,i,i,i,i,i],[i,i,i,i,i,i,i,i]]}]",
		"chunks", 0, 1000, 3, 500, 590, 70, 7, 11, "chunks", "chunks", 2, 10, 1, 50, 58, 8,
		3, 3, 6, 2, 15, 2, 110, 122, 15, 5, 6);
	size_t at = 0;

	lane_shorten_rows(lanes);
	for (size_t i = 0; i < json_array_size(lanes); i++) {
		json_t *chunks = json_object_get(json_array_get(lanes, i), "chunks");

		for (size_t k = 0; k < json_array_size(chunks); k++, at++) {
			json_t *row = json_array_get(chunks, k);

			assert_int_equal(json_array_size(row), expected[at][8] < 0 ? 8 : 9);
			for (size_t n = 0; n < json_array_size(row); n++)
				assert_int_equal(json_integer_value(json_array_get(row, n)),
						 expected[at][n]);
		}
	}
	assert_int_equal(at, 3);
	json_decref(lanes);
}

/* The page's program is the one that its policy names, and texts become no markup. */
TEST(test_page)
{
	static const char evil[] = "</script><img src=x onerror='alert(1)'>\"&";
	struct viewer viewer = {0};
	char *text, *policy;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	viewer_init(&viewer);
	assert_false(viewer_add(&viewer, json_object(), NULL));
	assert_true(viewer_add(&viewer, json_pack("{s:s}", "name", evil),
			       memory_format("<section class=\"process\"></section>")));
	assert_true(viewer_write(&viewer, evil, json_pack("[{s:s}]", "name", evil), out));
	fclose(out);
	assert_null(strstr(text, "<img"));
	assert_non_null(
		strstr(text, "<main>\n<aside>\n<section class=\"process\"></section></aside>"));
	assert_non_null(strstr(text, "{\"name\":\"\\u003c/script\\u003e\\u003cimg "));
	assert_non_null(strstr(text, "<title>&#60;/script&#62;&#60;img "));
	policy = memory_format("script-src 'sha256-%s'; style-src 'sha256-%s'", viewer_script_hash,
			       viewer_style_hash);
	assert_non_null(strstr(text, policy));
	assert_int_equal(strlen(viewer_script_hash), 44);
	assert_null(strstr(viewer_script, "</script"));
	assert_null(strstr(viewer_script, "innerHTML"));
	free(policy);
	free(text);
	viewer_free(&viewer);
}

RUN_TESTS(NULL, NULL)
