/* What the PTX in a program's file changes in what its trace tells: what kernels need, and what they race for. */
#include "build_trace.h"
#include "cmocka_test.h"
#include "device_code.h"
#include "findings/analysis.h"
#include "ptx/kernel_uses.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Both kernels take pointers that are not const: what they do is only in their code. */
#define COPY   "_Z4copyPfS_"
#define UPDATE "_Z6updatePf"
#define FILL   "_Z4fillPf"
#define PTX                                                                                        \
	".version 9.0\n.target sm_90\n.address_size 64\n"                                          \
	".entry " COPY "(.param .u64 p, .param .u64 q) { ld.param.u64 %rd1, [p];\n"                \
	"ld.param.u64 %rd2, [q]; ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret; }\n"   \
	".entry " UPDATE "(.param .u64 p) { ld.param.u64 %rd1, [p];\n"                             \
	"red.global.add.f32 [%rd1], 0f0; ret; }\n"                                                 \
	".entry " FILL "(.param .u64 p) { ld.param.u64 %rd1, [p];\n"                               \
	"st.global.f32 [%rd1], 0f0; ret; }\n"                                                      \
	".entry plain(.param .u64 p) { ret; }\n"

enum { IN = 51000000, OUT = 61000000, OTHER = 71000000 };

struct fixture {
	char *folder, *program, *file;
	struct trace *trace;
};

/* The launch with this id passes these to this kernel. */
#define LAUNCH(id, name, pointers)                                                                 \
	"INSERT OR IGNORE INTO strings (text) VALUES ('" name "');"                                \
	"UPDATE operations SET name_id = (SELECT id FROM strings WHERE text = '" name "')"         \
	"  WHERE correlation_id = " #id ";"                                                        \
	"UPDATE calls SET arguments_id = " #id " WHERE id = " #id ";"                              \
	"INSERT INTO launch_arguments SELECT " #id                                                 \
	", column1, column1, 0, column2 FROM (VALUES " pointers ");"

#define BUFFERS                                                                                    \
	"INSERT INTO allocation VALUES (51000000, 1000), (61000000, 1000), (71000000, 1000);"

/* A trace with these rows, of a program whose file has the PTX if has_code. */
static struct fixture load(const char *sql, bool has_code)
{
	struct fixture fixture = {.folder = make_folder()};
	struct device_code code = {.size = 0};
	char *prelude = read_file(PRELUDE_FILE, NULL), *all, *error = NULL;

	assert_true(asprintf(&fixture.program, "%s/app", fixture.folder) > 0);
	assert_true(asprintf(&fixture.file, "%s/trace.db", fixture.folder) > 0);
	assert_true(asprintf(&all,
			     "%s UPDATE modules SET path = '%s'; UPDATE devices SET "
			     "compute_capability_major = 9, compute_capability_minor = 0;" BUFFERS
			     "%s",
			     prelude, fixture.program, sql) > 0);
	build_trace(fixture.file, NULL, all);
	device_code_begin(&code);
	device_code_add_text(&code, 90, PTX);
	if (has_code)
		device_code_write(fixture.program, &code, ".nv_fatbin", SIZE_MAX);
	fixture.trace = trace_load(fixture.file, &error);
	if (!fixture.trace)
		fail_msg("%s", error);
	trace_resolve_kernels(fixture.trace);
	free(prelude);
	free(all);
	return fixture;
}

static void unload(struct fixture *fixture)
{
	trace_close(fixture->trace);
	remove_folder(fixture->folder);
	free(fixture->folder);
	free(fixture->program);
	free(fixture->file);
}

static const char *kernel_name(const struct fixture *fixture, size_t operation)
{
	return fixture->trace->operations[operation].form->name;
}

#define ONE_KERNEL "INSERT INTO operation VALUES ('kernel', NULL, 13, 31, 0, 0, 0, 10, NULL, NULL);"

TEST(test_uses_are_found)
{
	struct fixture fixture =
		load(ONE_KERNEL LAUNCH(1, COPY, "(0, 51000000), (1, 61000000)"), true);
	const struct kernel_uses *uses = trace_kernel_uses(fixture.trace, kernel_name(&fixture, 0));

	assert_non_null(uses);
	assert_int_equal(kernel_uses_at(uses, 0, 0), USE_READ);
	assert_int_equal(kernel_uses_at(uses, 1, 0), USE_WRITE);
	unload(&fixture);
	fixture = load(ONE_KERNEL LAUNCH(1, COPY, "(0, 51000000), (1, 61000000)"), false);
	assert_null(trace_kernel_uses(fixture.trace, kernel_name(&fixture, 0)));
	unload(&fixture);
}

/* Code that is younger than the trace may be another's. */
TEST(test_a_younger_file_is_not_read)
{
	struct fixture fixture =
		load(ONE_KERNEL LAUNCH(1, COPY, "(0, 51000000)") "INSERT INTO metadata VALUES "
								 "('start_ns', '1000000000')",
		     true);

	assert_null(trace_kernel_uses(fixture.trace, kernel_name(&fixture, 0)));
	unload(&fixture);
}

/* A kernel with a C name, launched through the driver: a program may have compiled it at run time. */
TEST(test_a_common_name_of_the_driver_is_not_looked_up)
{
	struct fixture fixture = load(ONE_KERNEL LAUNCH(1, "plain", "(0, 51000000)"), true);

	assert_non_null(trace_kernel_uses(fixture.trace, kernel_name(&fixture, 0)));
	unload(&fixture);
	fixture = load("INSERT INTO functions (id, name, class) VALUES (90, 'cuLaunchKernel', "
		       "'launch');" ONE_KERNEL LAUNCH(
			       1, "plain", "(0, 51000000)") "UPDATE calls SET function_id = 90",
		       true);
	assert_null(trace_kernel_uses(fixture.trace, kernel_name(&fixture, 0)));
	unload(&fixture);
}

/* Two kernels at once, in streams without an order: the first reads what the second reads, too. */
#define AT_ONCE(second)                                                                            \
	"INSERT INTO operation VALUES ('kernel', NULL, 23, 31, 0, 0, 0, 10, NULL, NULL),"          \
	"('kernel', NULL, 24, 32, 1, 1, 1, 12, NULL, NULL);" LAUNCH(                               \
		1, COPY, "(0, 51000000), (1, 61000000)") LAUNCH(2, COPY, second)

static size_t count_races(const char *sql, bool has_code)
{
	struct fixture fixture = load(sql, has_code);
	struct analysis *analysis = analysis_run(fixture.trace);
	const size_t count = analysis->races.count;

	analysis_free(analysis);
	unload(&fixture);
	return count;
}

TEST(test_what_both_read_is_no_race)
{
	static const char both_read[] = AT_ONCE("(0, 51000000), (1, 71000000)");
	static const char both_write[] = AT_ONCE("(0, 71000000), (1, 61000000)");

	assert_int_equal(count_races(both_read, false), 1);
	assert_int_equal(count_races(both_read, true), 0);
	assert_int_equal(count_races(both_write, false), 1);
	assert_int_equal(count_races(both_write, true), 1);
}

/* The second kernel needs what the first one wrote. */
static bool needs_first(const char *sql, bool has_code)
{
	struct fixture fixture = load(sql, has_code);
	struct model *model = model_build(fixture.trace);
	const node_index needs = model->operations[1].needs;
	const bool is_needed = needs != NODE_NONE &&
			       model->nodes[needs].end_ns >= fixture.trace->operations[0].end_ns;

	model_free(model);
	unload(&fixture);
	return is_needed;
}

#define ONE_BY_ONE                                                                                 \
	"INSERT INTO operation VALUES ('kernel', NULL, 13, 31, 0, 0, 0, 10, NULL, NULL),"          \
	"('kernel', NULL, 13, 32, 1, 1, 10, 12, NULL, NULL);"

TEST(test_needs)
{
	static const char writes_over[] = ONE_BY_ONE LAUNCH(1, COPY, "(0, 51000000), (1, 61000000)")
		LAUNCH(2, COPY, "(0, 71000000), (1, 61000000)");
	static const char reads_same[] = ONE_BY_ONE LAUNCH(1, COPY, "(0, 51000000), (1, 61000000)")
		LAUNCH(2, COPY, "(0, 51000000), (1, 71000000)");
	static const char reads_it[] = ONE_BY_ONE LAUNCH(1, COPY, "(0, 51000000), (1, 61000000)")
		LAUNCH(2, COPY, "(0, 61000000), (1, 71000000)");
	static const char updates_it[] = ONE_BY_ONE LAUNCH(1, COPY, "(0, 51000000), (1, 61000000)")
		LAUNCH(2, UPDATE, "(0, 61000000)");

	/* Nothing is known of the first kernel. */
	static const char unknown_before[] = ONE_BY_ONE LAUNCH(2, FILL, "(0, 61000000)");

	assert_true(needs_first(unknown_before, false));
	assert_true(needs_first(unknown_before, true));
	/* Perhaps it writes a part. */
	assert_true(needs_first(writes_over, false));
	assert_true(needs_first(writes_over, true));
	assert_true(needs_first(reads_same, false));
	assert_false(needs_first(reads_same, true));
	assert_true(needs_first(reads_it, true));
	assert_true(needs_first(updates_it, true));
}

/* The host writes pinned memory that a kernel was given, in the middle of the kernel. */
#define HOST_WRITES(address)                                                                       \
	"INSERT INTO copy_watches VALUES (NULL, 1, 1, " address                                    \
	", 4096, 1000000000, 2, 1005000000, 100, " address ", 40);"

TEST(test_host_writes_what_a_kernel_uses)
{
	static const char read[] =
		ONE_KERNEL LAUNCH(1, COPY, "(0, 51000000), (1, 61000000)") HOST_WRITES("51000000");
	static const char unused[] =
		ONE_KERNEL LAUNCH(1, "plain", "(0, 51000000)") HOST_WRITES("51000000");
	/* By which the host tells the kernel to go on. */
	static const char flag[] = ONE_KERNEL LAUNCH(1, COPY, "(0, 51000000), (1, 61000000)")
		HOST_WRITES("51000000") "UPDATE copy_watches SET watched_bytes = 8";
	/* The other argument begins before what is written. */
	static const char elsewhere[] = ONE_KERNEL LAUNCH(1, COPY, "(0, 51000000), (1, 51000200)")
		HOST_WRITES("51000000") "UPDATE copy_watches SET touch_address = 51000300";
	struct fixture fixture = load(read, true);
	struct analysis *analysis = analysis_run(fixture.trace);

	assert_int_equal(analysis->races.count, 1);
	assert_int_equal(analysis->races.items[0].certainty, RACE_POSSIBLE);
	assert_false(analysis->races.items[0].first_writes);
	analysis_free(analysis);
	unload(&fixture);
	assert_int_equal(count_races(read, false), 1);
	assert_int_equal(count_races(unused, false), 1);
	assert_int_equal(count_races(unused, true), 0);
	assert_int_equal(count_races(elsewhere, false), 0);
	assert_int_equal(count_races(flag, false), 0);
}

/* What the program loaded at run time: of these images none, one or more define the kernel. */
#define BY_DRIVER                                                                                  \
	"INSERT INTO functions (id, name, class) VALUES (90, 'cuLaunchKernel', "                   \
	"'launch');" ONE_KERNEL LAUNCH(1, "plain",                                                 \
				       "(0, 51000000)") "UPDATE calls SET function_id = 90;"
#define TEXT_IMAGE(opcode)                                                                         \
	"INSERT INTO code_images VALUES (NULL, CAST('.address_size 64 "                            \
	".entry plain(.param .u64 p) { ld.param.u64 %rd1, [p]; " opcode " ret; }' AS BLOB));"
#define READS	   TEXT_IMAGE("ld.global.f32 %f1, [%rd1];")
#define WRITES	   TEXT_IMAGE("st.global.f32 [%rd1], %f1;")
#define CODE_IMAGE "INSERT INTO code_images VALUES (NULL, X'7F454C4600') ;"
/* An ELF file's magic, and the names .text.plain and .text.other of sections. */
#define CODE_PLAIN "INSERT INTO code_images VALUES (NULL, X'7F454C46002E746578742E706C61696E00');"
#define CODE_OTHER "INSERT INTO code_images VALUES (NULL, X'7F454C46002E746578742E6F7468657200');"

/* USE_ bits of its argument; -1: nothing is known. */
static int uses_of_loaded(const char *sql)
{
	struct fixture fixture = load(sql, true);
	const struct kernel_uses *uses = trace_kernel_uses(fixture.trace, kernel_name(&fixture, 0));
	const int found = uses ? kernel_uses_at(uses, 0, 0) : -1;

	unload(&fixture);
	return found;
}

TEST(test_code_loaded_at_run_time)
{
	/* The kernel that was loaded is not the one that a file has by the same name. */
	assert_int_equal(uses_of_loaded(BY_DRIVER), -1);
	assert_int_equal(uses_of_loaded(BY_DRIVER READS), USE_READ);
	assert_int_equal(uses_of_loaded(BY_DRIVER READS WRITES), USE_READ | USE_WRITE);
	assert_int_equal(uses_of_loaded(BY_DRIVER READS CODE_OTHER CODE_IMAGE), USE_READ);
	assert_int_equal(uses_of_loaded(BY_DRIVER READS CODE_PLAIN), -1);
	assert_int_equal(uses_of_loaded(BY_DRIVER READS
					"INSERT INTO losses VALUES (NULL, 'code-lost', 1, 1, NULL, "
					"NULL);"),
			 -1);
}

RUN_TESTS(NULL, NULL)
