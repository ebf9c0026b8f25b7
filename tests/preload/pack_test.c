/* Records, packed and read again (facts/call_blocks.h). The lists before the records, which the store
 * makes of the notes, are made here by the manual in schema.sql. */
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "facts/call_blocks.h"
#include "recorder/pack.h"

enum { BYTES = 16 << 10, THREAD = 77, FIRST_ID = 1000, MOST_RECORDS = 4000 };

static struct packer packer;
static _Alignas(64) uint8_t memory[BYTES];
static struct packed *const packed = (void *)memory;
static uint8_t bytes[2 * BYTES];
static struct call_block block;

static uint8_t *put(uint8_t *at, uint64_t value)
{
	for (; value > 127; value /= 128)
		*at++ = (uint8_t)(128 + value % 128);
	*at++ = (uint8_t)value;
	return at;
}

/* The numbers of has's bits in a shape: those of schema.sql. */
static uint64_t shape_bits(uint32_t has)
{
	static const unsigned bits[][2] = {
		{RECORD_IS_PER_THREAD, 2}, {RECORD_HAS_CORRELATION, 4},	 {RECORD_HAS_STREAM, 8},
		{RECORD_HAS_OBJECT, 16},   {RECORD_HAS_DST, 32},	 {RECORD_HAS_SRC, 64},
		{RECORD_HAS_SIZE, 128},	   {RECORD_HAS_COPY_KIND, 1024},
	};
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		sum += has & bits[i][0] ? bits[i][1] : 0;
	return sum;
}

/* A site's and a set's id is its address here. */
static struct row_bytes make_bytes(void)
{
	const struct packed_note *note = NULL;
	uint8_t *at = put(bytes, packed->shape_count);

	while ((note = packed_next_note(packed, note)))
		if (note->kind == PACKED_SHAPE)
			at = put(put(put(at, note->function), shape_bits(note->number)),
				 note->value);
	at = put(at, packed->argument_count);
	for (note = NULL; (note = packed_next_note(packed, note));)
		if (note->kind == PACKED_ARGUMENTS)
			at = put(at, note->value);
	memcpy(at, packed->records, packed->record_bytes);
	at += packed->record_bytes;
	return (struct row_bytes){bytes, (size_t)(at - bytes)};
}

static void open_block(void)
{
	call_block_open(&block, &(struct call_blocks_row){.first_id = FIRST_ID,
							  .thread_id = THREAD,
							  .calls = packed->calls,
							  .bytes = make_bytes()});
}

/* As many of them as fit. */
static size_t pack(const struct record *records, size_t count)
{
	size_t i = 0;

	packer_begin(&packer, packed, BYTES);
	while (i < count && packer_add(&packer, &records[i]))
		i++;
	packer_end(&packer);
	assert_int_equal(packed->calls, i);
	assert_in_range(sizeof(*packed) + packed->record_bytes +
				packed->note_count * sizeof(struct packed_note),
			0, BYTES);
	return i;
}

#define IF(bit, field) (record->has & RECORD_HAS_##bit ? (int64_t)record->field : ROW_NULL)

static void check_row(const struct calls_row *row, const struct record *record, int64_t id)
{
	const int64_t arguments = (intptr_t)record->arguments;

	assert_int_equal(row->id, id);
	assert_int_equal(row->thread_id, THREAD);
	assert_int_equal(row->function_id, record->function);
	assert_int_equal(row->start_ns, record->start_ns);
	assert_int_equal(row->end_ns,
			 record->end_ns < record->start_ns ? record->start_ns : record->end_ns);
	assert_int_equal(row->result, record->result);
	assert_int_equal(row->api_path, 0);
	assert_int_equal(row->per_thread_stream, (record->has & RECORD_IS_PER_THREAD) != 0);
	assert_int_equal(row->site_id, record->site ? (intptr_t)record->site : ROW_NULL);
	assert_int_equal(row->correlation_id, IF(CORRELATION, correlation));
	assert_int_equal(row->stream_handle, IF(STREAM, stream));
	assert_int_equal(row->object, IF(OBJECT, object));
	assert_int_equal(row->dst, IF(DST, dst));
	assert_int_equal(row->src, IF(SRC, src));
	assert_int_equal(row->size_bytes, IF(SIZE, size_bytes));
	assert_int_equal(row->copy_kind, IF(COPY_KIND, copy_kind));
	assert_int_equal(row->arguments_id, arguments ? arguments : ROW_NULL);
	assert_int_equal(row->numbers, record->numbers ? (int64_t)record->numbers : ROW_NULL);
}

/* All of them, in as many blocks as it takes. */
static int check(const struct record *records, size_t count)
{
	int blocks = 0;

	for (size_t done = 0, fit; done < count; done += fit, blocks++) {
		struct calls_row row;

		fit = pack(&records[done], count - done);
		assert_int_not_equal(fit, 0);
		open_block();
		for (size_t i = 0; i < fit; i++) {
			assert_true(call_block_next(&block, &row));
			check_row(&row, &records[done + i], FIRST_ID + (int64_t)i);
		}
		assert_false(call_block_next(&block, &row));
		assert_false(call_block_is_damaged(&block));
	}
	return blocks;
}

/* A program's loop: each call a copy, a launch and a query. */
static void make_loop(struct record *records, int count)
{
	int64_t time_ns = 1795333462469912568;

	for (int i = 0; i < count; i++, time_ns += 900) {
		struct record *record = &records[i];

		*record = (struct record){
			.function = (uint16_t)(40 + i % 3),
			.kind = RECORD_CALL,
			.copy_kind = 1,
			.start_ns = time_ns,
			.end_ns = time_ns + 500 + i % 7,
			.stream = 0x7f0012345678,
			.dst = 0x7f5500000000,
			.correlation = (uint32_t)(1000 + i),
			.has = i % 3 ? RECORD_HAS_STREAM | RECORD_HAS_CORRELATION
				     : RECORD_HAS_DST | RECORD_HAS_COPY_KIND,
			.site = (void *)(intptr_t)(1 + i % 3),
			.serial = (uint64_t)i,
		};
	}
}

TEST(test_a_loop_takes_few_bytes)
{
	static struct record records[MOST_RECORDS];

	make_loop(records, MOST_RECORDS);
	check(records, MOST_RECORDS);
	/* Two bytes for each time, one for the rest, at most one for the correlation. */
	assert_int_equal(pack(records, 2000), 2000);
	assert_in_range(packed->record_bytes, 1, 2000 * 6 + 100);
}

static uint64_t random_bits(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Any bits anywhere. */
TEST(test_any_value_comes_back)
{
	static struct record records[MOST_RECORDS];

	for (int i = 0; i < MOST_RECORDS; i++) {
		struct record *record = &records[i];

		for (size_t k = 0; k < sizeof(*record) / 8; k++) {
			const uint64_t bits = random_bits() >> random_bits() % 64;

			memcpy((char *)record + 8 * k, &bits, 8);
		}
		record->kind = RECORD_CALL;
		record->has &= 2 * RECORD_HAS_TOOL - 1;
		record->function %= 300;
		/* What ends before it begins is stored so that it does not. */
		record->start_ns >>= 1;
		record->end_ns >>= 1;
	}
	assert_true(check(records, MOST_RECORDS) > 1);
}

TEST(test_more_shapes_and_arguments_than_a_block_has)
{
	static struct record records[MOST_RECORDS];

	make_loop(records, MOST_RECORDS);
	for (int i = 0; i < MOST_RECORDS; i++)
		records[i].site = (void *)(intptr_t)(i + 1);
	assert_in_range(pack(records, MOST_RECORDS), CALL_BLOCK_SHAPES_MOST - 1,
			CALL_BLOCK_SHAPES_MOST);
	check(records, MOST_RECORDS);
	make_loop(records, MOST_RECORDS);
	for (int i = 0; i < MOST_RECORDS; i++)
		records[i].arguments = (void *)(intptr_t)(i % 600 + 1);
	assert_in_range(pack(records, MOST_RECORDS), 1, CALL_BLOCK_ARGUMENTS_MOST);
	check(records, MOST_RECORDS);
}

TEST(test_what_the_writer_needs_beside_the_bytes)
{
	struct record records[4];

	make_loop(records, 4);
	records[0].has |= RECORD_HAS_CORRELATION;
	records[0].correlation = 5;
	records[1].end_ns = records[1].start_ns - 1000;
	records[2].end_ns = records[2].start_ns - 1001;
	records[3].has |= RECORD_HAS_TOOL;
	records[3].tool_outside_ns = 11;
	records[3].tool_inside_ns = 12;
	records[3].tool_entry_ns = 13;
	assert_int_equal(pack(records, 4), 4);
	assert_int_equal(packed->backward, 1);
	assert_int_equal(packed->least_correlation, 5);
	assert_int_equal(packed->most_correlation, 1002);
	for (const struct packed_note *note = NULL; (note = packed_next_note(packed, note));)
		if (note->kind == PACKED_TOOL_COST) {
			assert_int_equal(note->value, UINT64_C(11) << 32 | 12);
			assert_int_equal(note->number, 13);
			assert_int_equal(note->function, records[3].function);
			return;
		}
	fail();
}

/* Damaged bytes are noticed or give other values; nothing is read beyond them (a sanitizer's build). */
TEST(test_damaged_bytes)
{
	static struct record records[200];
	struct row_bytes whole;
	uint8_t *copy;

	make_loop(records, 200);
	pack(records, 200);
	whole = make_bytes();
	for (size_t size = 0; size < whole.count; size++) {
		struct calls_row row;

		copy = malloc(size + 1);
		memcpy(copy, whole.start, size);
		call_block_open(&block,
				&(struct call_blocks_row){.calls = 200, .bytes = {copy, size}});
		while (call_block_next(&block, &row))
			;
		assert_true(call_block_is_damaged(&block));
		free(copy);
	}
	for (int i = 0; i < 20000; i++) {
		struct calls_row row;

		copy = malloc(whole.count);
		memcpy(copy, whole.start, whole.count);
		for (int k = 0; k < 3; k++)
			copy[random_bits() % whole.count] = (uint8_t)random_bits();
		call_block_open(&block, &(struct call_blocks_row){.calls = 200,
								  .bytes = {copy, whole.count}});
		while (call_block_next(&block, &row))
			;
		free(copy);
	}
	call_block_open(&block, &(struct call_blocks_row){.calls = -1, .bytes = whole});
	assert_true(call_block_is_damaged(&block));
}

RUN_TESTS(NULL, NULL)
