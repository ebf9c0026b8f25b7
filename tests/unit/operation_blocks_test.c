/* Operations and launch arguments in blocks, written here by the manual in schema.sql, are read as rows of
 * their tables. */
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"
#include "trace/trace.h"
#include "trace/unpack_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES                                                                                      \
	"INSERT INTO functions VALUES (1, 'cudaLaunchKernel', 'launch');"                          \
	"INSERT INTO contexts VALUES (1, 0, 7);"                                                   \
	"INSERT INTO streams (context_id, id) VALUES (1, 7);"                                      \
	"INSERT INTO strings VALUES (1, 'sum');"                                                   \
	"INSERT INTO kernel_configurations VALUES (5, 1, 2, 3, 4, 32, 2, 1, 40, 16, 8, 0);"        \
	"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path,"       \
	" per_thread_stream, correlation_id, arguments_id) VALUES"                                 \
	" (1, 77, 1, 900, 901, 0, 0, 0, 9, 300), (2, 77, 1, 902, 903, 0, 0, 0, 8, 301);"

/* Three operations. In a shape 2 * v + 1 stands for v, and 0 for NULL.
 * 1. new shape 0: a kernel on device 0, context 1, stream 7, of configuration 5 (11); starts at 1000
 *    (2000: 0xd0 0x0f), takes 50, correlation 9 (18)
 * 2. new shape 1 with bits: an asynchronous copy H2D of pinned memory on channel 2 of type 2, graph node 4,
 *    of 100 bytes (201: 0xc9 0x01) before; size differs (2); starts 10 before the last end (19), takes 0,
 *    correlation 8 (1), 28 bytes more (56)
 * 3. shape 0 with bits: no times (4), correlation 20 (24) */
#define KERNEL "00 0301030F0000000000000000 0B 00 00 D00F 32 12"
#define COPY   "03 0501030F0505030507030000 00 09 C901 02 13 00 01 38"
#define BLOCK  KERNEL COPY "01 04 18"

/* Two sets: parameter 0 at address 64 (128: 0x80 0x01), parameter 3 from its byte 8 on (2 * 6 + 1) at 4096
 * (8192: 0x80 0x40); parameter 0, 4 before the address of the first one (7). */
#define SETS "02 00 8001 0D 08 8040 01 00 07"

#define OPERATIONS(count, bytes)                                                                   \
	"INSERT INTO operation_blocks VALUES (5, " #count ", X'" bytes "');"
#define ARGUMENTS(count, bytes)                                                                    \
	"INSERT INTO argument_blocks VALUES (300, " #count ", 3, X'" bytes "');"

static void build(const char *sql)
{
	build_trace(path, NULL, NAMES);
	change_trace_spaced(path, sql);
}

static struct trace *load(void)
{
	char *error;
	struct trace *trace = trace_load(path, &error);

	if (!trace)
		fail_msg("%s", error);
	return trace;
}

static void check_kernel(const struct trace_operation *kernel)
{
	assert_int_equal(kernel->form->kind, OPERATION_KERNEL);
	assert_int_equal(kernel->start_ns, 1000);
	assert_int_equal(kernel->end_ns, 1050);
	assert_int_equal(kernel->form->blocks, 2 * 3 * 4);
	assert_int_equal(kernel->form->block_threads, 64);
	assert_int_equal(kernel->form->thread_registers, 40);
	assert_int_equal(kernel->form->block_shared_bytes, 24);
	assert_string_equal(kernel->form->name, "sum");
	assert_int_equal(kernel->form->channel_id, UINT32_MAX);
	assert_int_equal(kernel->call->start_ns, 900);
}

static void check_copy(const struct trace_operation *copy)
{
	assert_int_equal(copy->form->kind, OPERATION_COPY);
	assert_int_equal(copy->form->engine, ENGINE_H2D);
	assert_int_equal(copy->start_ns, 1040);
	assert_int_equal(copy->end_ns, 1040);
	assert_int_equal(copy->form->size_bytes, 128);
	assert_int_equal(copy->form->channel_id, 2);
	assert_int_equal(copy->form->src_kind, MEMORY_PINNED);
	assert_true(copy->form->is_async);
	assert_int_equal(copy->call->start_ns, 902);
}

static void check_argument(const struct trace_argument *argument, int parameter, int offset_bytes,
			   int address)
{
	assert_int_equal(argument->parameter, parameter);
	assert_int_equal(argument->offset_bytes, offset_bytes);
	assert_int_equal(argument->address, address);
}

static void check_trace(void)
{
	struct trace *trace = load();

	assert_int_equal(trace->operation_count, 2);
	assert_int_equal(trace->untimed_operations, 1);
	check_kernel(&trace->operations[0]);
	check_copy(&trace->operations[1]);
	assert_int_equal(trace->calls[0].form->arguments->count, 2);
	check_argument(&trace->calls[0].form->arguments->items[0], 0, 0, 64);
	check_argument(&trace->calls[0].form->arguments->items[1], 3, 8, 4096);
	assert_int_equal(trace->calls[1].form->arguments->count, 1);
	check_argument(&trace->calls[1].form->arguments->items[0], 0, 0, 60);
	trace_close(trace);
}

static void check_unpack(int64_t operations)
{
	struct trace_unpacked unpacked;
	char *error;

	assert_int_equal(trace_unpack(path, &unpacked, &error), 0);
	assert_int_equal(unpacked.operations, operations);
	assert_int_equal(unpacked.calls, 0);
}

TEST_IN_FOLDER(test_a_block_is_its_rows)
{
	build(OPERATIONS(3, BLOCK) ARGUMENTS(2, SETS));
	check_trace();
	check_unpack(3);
	check_trace();
	check_unpack(0);
}

/* Copies of one shape: of 128 bytes at 1000, the same at 1001, of 129 without times, the same at 1002, of 130
 * at 1003; in a block of its own another of shape 0, of 99. */
TEST_IN_FOLDER(test_what_changes)
{
	static const int sizes[] = {128, 128, 129, 130, 99};
	struct trace *trace;

	build(OPERATIONS(
		5,
		"01 0501030F0505030507030000 00 09 C901 02 D00F 00 12 38"
		"00 02 00 02  01 06 02 02  00 02 00 02  01 02 02 00 02 02") "INSERT INTO "
									    "operation_blocks "
									    "VALUES"
									    " (10, 1, X'00 "
									    "0501030F05050305070300"
									    "00 00 09 C701 D80F 00 "
									    "12');" ARGUMENTS(
										    2, SETS));
	trace = load();
	assert_int_equal(trace->operation_count, 5);
	assert_int_equal(trace->untimed_operations, 1);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(trace->operations[i].start_ns, 1000 + i);
		assert_int_equal(trace->operations[i].form->size_bytes, sizes[i]);
	}
	assert_ptr_equal(trace->operations[0].form, trace->operations[1].form);
	trace_close(trace);
}

static void check_wrong(const char *sql, const char *expected)
{
	struct trace_unpacked unpacked;
	char *error;

	build(sql);
	assert_null(trace_load(path, &error));
	if (!strstr(error, expected))
		fail_msg("'%s' where '%s' is expected", error, expected);
	free(error);
	assert_int_equal(trace_unpack(path, &unpacked, &error), -1);
	free(error);
}

TEST_IN_FOLDER(test_wrong_blocks)
{
	check_wrong(OPERATIONS(4, BLOCK) ARGUMENTS(2, SETS), "are damaged");
	check_wrong(OPERATIONS(2, BLOCK) ARGUMENTS(2, SETS), "are damaged");
	check_wrong(OPERATIONS(-3, BLOCK) ARGUMENTS(2, SETS), "operations is out of range");
	/* Shape 2 where there is none yet; more bits than there are. */
	check_wrong(OPERATIONS(1, "04" KERNEL) ARGUMENTS(2, SETS), "are damaged");
	check_wrong(OPERATIONS(3, KERNEL COPY "01 0C 18") ARGUMENTS(2, SETS), "are damaged");
	/* What is out of range in a row is so here: kind 5, and 9 bytes fewer than none. */
	check_wrong(OPERATIONS(1, "00 0B01030F0000000000000000 00 00 00 02 00 02")
			    ARGUMENTS(2, SETS),
		    "kind is out of range");
	check_wrong(OPERATIONS(1, "01 0501030F0000000000000000 00 00 01 02 02 00 02 11")
			    ARGUMENTS(2, SETS),
		    "size_bytes is out of range");
	check_wrong(OPERATIONS(1, "00 0301030F0000000000000000 0D 00 00 02 00 02")
			    ARGUMENTS(2, SETS),
		    "kernel_configurations has no row 6");
	check_wrong(OPERATIONS(3, BLOCK) ARGUMENTS(3, SETS), "are damaged");
	check_wrong(OPERATIONS(3, BLOCK) ARGUMENTS(1, SETS), "are damaged");
	/* A set of 65; a parameter before the first one. */
	check_wrong(OPERATIONS(3, BLOCK) ARGUMENTS(1, "41 00"), "are damaged");
	check_wrong(OPERATIONS(3, BLOCK) ARGUMENTS(1, "01 02 00"), "parameter is out of range");
	check_wrong(OPERATIONS(3, BLOCK) "INSERT INTO operation_blocks VALUES (6, 3, X'" BLOCK
					 "');",
		    "id");
	check_wrong("INSERT INTO operation_blocks VALUES (9223372036854775806, 3, X'" BLOCK "')",
		    "");
}

/* So many of the bytes, of which one is changed, between two pieces of SQL. */
static void try_bytes(const char *before, const char *digits, size_t bytes, const char *behind)
{
	char sql[512];
	struct trace *trace;
	char *error = NULL;

	snprintf(sql, sizeof(sql), "%s%.*s%s", before, (int)bytes * 2, digits, behind);
	build(sql);
	trace = trace_load(path, &error);
	/* Of fewer bytes there are not as many rows. */
	if (bytes < strlen(digits) / 2)
		assert_null(trace);
	trace_close(trace);
	free(error);
}

static void change_byte(char *digits, unsigned int bits)
{
	char byte[3] = {digits[0], digits[1]};

	snprintf(byte, sizeof(byte), "%02X", (unsigned int)strtoul(byte, NULL, 16) ^ bits);
	memcpy(digits, byte, 2);
}

/* Noticed, or other values; nothing is read beyond them (a sanitizer's build). */
static void check_damage(const char *before, const char *bytes, const char *behind)
{
	static const unsigned int changes[] = {0x01, 0x80, 0xff};
	char digits[256] = "";

	for (size_t used = 0; *bytes; bytes++)
		if (*bytes != ' ')
			digits[used++] = *bytes;
	for (size_t i = 0; i < strlen(digits) / 2; i++) {
		try_bytes(before, digits, i, behind);
		for (int k = 0; k < 3; k++) {
			change_byte(&digits[2 * i], changes[k]);
			try_bytes(before, digits, strlen(digits) / 2, behind);
			change_byte(&digits[2 * i], changes[k]);
		}
	}
}

TEST_IN_FOLDER(test_damaged_bytes)
{
	check_damage("INSERT INTO operation_blocks VALUES (5, 3, X'", BLOCK,
		     "');" ARGUMENTS(2, SETS));
	check_damage("INSERT INTO argument_blocks VALUES (300, 2, 3, X'", SETS,
		     "');" OPERATIONS(3, BLOCK));
}

RUN_TESTS(NULL, NULL)
