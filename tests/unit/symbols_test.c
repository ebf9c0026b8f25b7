/*
 * Resolves return addresses of this program itself. #line directives give it the inlined
 * functions that a launch in nvcc's output consists of.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "trace/short_name.h"
#include "trace/trace.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uintptr_t recorded;

void traced_call(void);
__attribute__((noinline)) void traced_call(void)
{
	recorded = (uintptr_t)__builtin_return_address(0);
	__asm__ volatile("" ::: "memory");
}

/* Functions that do the same would become one: their comments keep them apart. */
/* clang-format off */
#line 879 "/toolkit/include/cuda_runtime.h"
static inline __attribute__((always_inline)) void cudaMalloc_wrapper(void) { traced_call(); __asm__ volatile(""); }
#line 40 "/home/user/app.cu"
static inline __attribute__((always_inline)) void helper(void) { cudaMalloc_wrapper(); }
#line 50 "/home/user/app.cu"
__attribute__((noinline)) static void step(void) { helper(); __asm__ volatile("# step"); }
#line 60 "/home/user/app.cu"
__attribute__((noinline)) static void direct(void) { traced_call(); __asm__ volatile("# direct"); }
#line 70 "/tmp/tmpxft_00_0-6_app.cudafe1.stub.c"
__attribute__((noinline)) static void __device_stub__Z6kernelv(void) { cudaMalloc_wrapper(); __asm__ volatile("# stub"); }
#line 147 "/opt/library/include/thrust/util.h"
static inline __attribute__((always_inline)) void synchronize(void) { cudaMalloc_wrapper(); __asm__ volatile("# util"); }
#line 80 "/opt/library/include/thrust/reduce.inl"
static inline __attribute__((always_inline)) void reduce(void) { synchronize(); __asm__ volatile("# reduce"); }
#line 84 "/home/user/app.cu"
__attribute__((noinline)) static void sum(void) { reduce(); __asm__ volatile("# sum"); }
#line 90 "/opt/library/include/thrust/transform.h"
__attribute__((noinline)) static void transform(void) { synchronize(); __asm__ volatile("# transform"); }
#line 47 "symbols_test.c"
/* clang-format on */

static int find_base(struct dl_phdr_info *info, size_t size, void *base)
{
	*(uintptr_t *)base = info->dlpi_addr;
	return 1; /* the first one is the program */
}

/* The frame of the last call of traced_call(), resolved. */
static struct trace_frame resolve(const char *build_id, const char *module)
{
	char *folder = make_folder(), path[256], sql[1024], self[512] = "", *error;
	struct trace_frame frame;
	struct trace *trace;
	uintptr_t base = 0;

	if (!module && readlink("/proc/self/exe", self, sizeof(self) - 1) > 0)
		module = self;
	dl_iterate_phdr(find_base, &base);
	snprintf(path, sizeof(path), "%s/trace.db", folder);
	snprintf(sql, sizeof(sql),
		 "INSERT INTO modules VALUES (1, '%s', %s); INSERT INTO call_sites VALUES (1, 1);"
		 "INSERT INTO frames (site_id, depth, module_id, offset) VALUES (1, 0, 1, %llu)",
		 module, build_id, (unsigned long long)(recorded - base));
	build_trace(path, NULL, sql);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	trace_resolve_sites(trace);
	frame = trace->sites[0].frames[0];
	frame.file = frame.file ? strdup(frame.file) : NULL;
	frame.function = frame.function ? strdup(frame.function) : NULL;
	frame.through = frame.through ? strdup(frame.through) : NULL;
	trace_close(trace);
	remove_folder(folder);
	free(folder);
	return frame;
}

/* Stores what is found of a frame, and then drops it from the file: whether it is looked up again. */
static bool is_looked_up_again(const char *module)
{
	char *folder = make_folder(), path[256], sql[1024], *error;
	struct trace *trace;
	uintptr_t base = 0;
	bool is_found;

	dl_iterate_phdr(find_base, &base);
	snprintf(path, sizeof(path), "%s/trace.db", folder);
	snprintf(sql, sizeof(sql),
		 "INSERT INTO modules VALUES (1, '/proc/self/exe', NULL), (2, '%s', NULL);"
		 "INSERT INTO call_sites VALUES (1, 2);"
		 "INSERT INTO frames (site_id, depth, module_id, offset) VALUES (1, 0, 1, %llu),"
		 " (1, 1, 2, 64)",
		 module, (unsigned long long)(recorded - base));
	build_trace(path, NULL, sql);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	trace_resolve_sites(trace);
	assert_int_equal(trace->sites[0].frames[0].line, 60);
	assert_int_equal(trace_store_sites(trace, &error), 0);
	trace_close(trace);
	change_trace(path, "UPDATE frames SET function = NULL, file = NULL, line = NULL");
	trace = trace_load(path, &error);
	assert_non_null(trace);
	trace_resolve_sites(trace);
	is_found = trace->sites[0].frames[0].line == 60;
	trace_close(trace);
	remove_folder(folder);
	free(folder);
	return is_found;
}

TEST(test_stored_lines)
{
	direct();
	assert_false(is_looked_up_again("/proc/self/exe"));
	assert_true(is_looked_up_again("/nonexistent/app"));
}

static void forget(struct trace_frame *frame)
{
	free((char *)frame->function);
	free((char *)frame->file);
	free((char *)frame->through);
}

static void check(struct trace_frame frame, const char *function, const char *file, int line)
{
	assert_string_equal(frame.function, function);
	assert_string_equal(frame.file, file);
	assert_int_equal(frame.line, line);
	forget(&frame);
}

TEST(test_line_of_the_call)
{
	direct();
	check(resolve("NULL", NULL), "direct", "/home/user/app.cu", 60);
}

/* Not the wrapper in cuda_runtime.h, not the function around both: the one that called it. */
TEST(test_inlined_wrapper)
{
	step();
	check(resolve("NULL", NULL), "helper", "/home/user/app.cu", 40);
}

static void check_through(struct trace_frame frame, const char *function, bool is_library_line)
{
	if (function)
		assert_string_equal(frame.through, function);
	else
		assert_null(frame.through);
	assert_int_equal(frame.is_library_line, is_library_line);
}

/* Neither the library's inner header nor its outer one: the line that called that. */
TEST(test_library_of_headers)
{
	struct trace_frame frame;

	sum();
	frame = resolve("NULL", NULL);
	check_through(frame, "reduce", false);
	check(frame, "sum", "/home/user/app.cu", 84);
	step();
	frame = resolve("NULL", NULL);
	check_through(frame, NULL, false);
	check(frame, "helper", "/home/user/app.cu", 40);
}

/* Not inlined into the program's function: the next frame is the program's. */
TEST(test_frame_of_a_header)
{
	struct trace_frame frame;

	transform();
	frame = resolve("NULL", NULL);
	assert_true(frame.is_library_line);
	check(frame, "transform", "/opt/library/include/thrust/transform.h", 90);
}

#ifdef HAS_CXX
void call_through_inlined(void);
void call_through_frames(void);
void call_back(void);

static const char *file_of(const struct trace_frame *frame)
{
	return strrchr(frame->file, '/') + 1;
}

/* As the C++ compiler at hand writes it. */
TEST(test_templates)
{
	struct trace_frame frame;
	struct short_name name;

	call_through_inlined();
	frame = resolve("NULL", NULL);
	assert_string_equal(file_of(&frame), "inlined.cpp");
	assert_int_equal(frame.line, 8);
	assert_string_equal(frame.function, "call_through_inlined");
	assert_string_equal(short_name(&name, frame.through, SHORT_NAME_FUNCTION), "fast::v2::sum");
	assert_false(frame.is_library_line);
	forget(&frame);
	call_through_frames();
	frame = resolve("NULL", NULL);
	assert_string_equal(file_of(&frame), "fast_sum.hpp");
	assert_true(frame.is_library_line);
	forget(&frame);
	/* What the library calls back is the program's. */
	call_back();
	frame = resolve("NULL", NULL);
	assert_string_equal(file_of(&frame), "inlined.cpp");
	assert_int_equal(frame.line, 21);
	assert_null(frame.through);
	forget(&frame);
}
#endif

/* Nothing but plumbing: the outermost, whose name says which kernel. */
TEST(test_stub)
{
	__device_stub__Z6kernelv();
	check(resolve("NULL", NULL), "__device_stub__Z6kernelv",
	      "/tmp/tmpxft_00_0-6_app.cudafe1.stub.c", 70);
}

TEST(test_other_build)
{
	struct trace_frame frame;

	direct();
	frame = resolve("'0123456789012345678901234567890123456789'", NULL);
	assert_null(frame.function);
	assert_null(frame.file);
}

TEST(test_missing_module)
{
	direct();
	assert_null(resolve("NULL", "/no/such/file").function);
	assert_null(resolve("NULL", "[vdso]").function);
	/* A file, but no ELF file. */
	assert_null(resolve("NULL", SCHEMA_FILE).function);
}

RUN_TESTS(NULL, NULL)
