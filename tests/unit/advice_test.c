/* What a fix says, by who made the calls. */
#include "findings/advice.h"
#include "base/memory.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "findings/detector_table.h"
#include "trace/framework.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The folder that the environment lies in says nothing. */
#define SITE_PACKAGES "/home/user/torch/venv/lib/python3.12/site-packages/"
#define TORCH	      SITE_PACKAGES "torch/lib/libc10_cuda.so"
#define CUPY	      SITE_PACKAGES "cupy/_core/core.cpython-312-x86_64-linux-gnu.so"
#define JAX	      SITE_PACKAGES "jaxlib/libjax_common.so"
#define PYTHON	      "/usr/bin/python3.12"

static enum framework framework(const char *innermost, const char *outer, const char *python_file)
{
	const struct trace_frame frames[] = {
		{.framework = innermost ? framework_of_path(innermost) : FRAMEWORK_NONE},
		{.framework = outer ? framework_of_path(outer) : FRAMEWORK_NONE}};
	const struct trace_python_frame python = {
		.framework = python_file ? framework_of_path(python_file) : FRAMEWORK_NONE};
	const struct trace_site site = {.depth = 2,
					.frames = frames,
					.python_depth = python_file ? 1 : 0,
					.python_frames = &python};

	return framework_of(&site);
}

TEST(test_frameworks)
{
	assert_int_equal(framework(TORCH, PYTHON, "train.py"), FRAMEWORK_PYTORCH);
	assert_int_equal(framework("/opt/libtorch/lib/libtorch_cuda.so", NULL, NULL),
			 FRAMEWORK_PYTORCH);
	assert_int_equal(framework(CUPY, PYTHON, NULL), FRAMEWORK_CUPY);
	assert_int_equal(framework(JAX, PYTHON, NULL), FRAMEWORK_JAX);
	/* The library that a framework called made the call for it. */
	assert_int_equal(framework("/usr/lib/libcublas.so.13", CUPY, NULL), FRAMEWORK_CUPY);
	assert_int_equal(framework(PYTHON, PYTHON, SITE_PACKAGES "triton/runtime/jit.py"),
			 FRAMEWORK_PYTORCH);
	assert_int_equal(framework(PYTHON, PYTHON, SITE_PACKAGES "jax/_src/api.py"), FRAMEWORK_JAX);
	assert_int_equal(framework("/home/user/own.so", PYTHON, "train.py"), FRAMEWORK_NONE);
	assert_int_equal(framework(NULL, NULL, "/home/user/torch_tools/a.py"), FRAMEWORK_NONE);
	assert_int_equal(framework_of(NULL), FRAMEWORK_NONE);
}

/* Each detector has words for each framework, and says what its own fix relies on. */
TEST(test_every_detector)
{
	for (size_t i = 0; detectors[i]; i++) {
		for (enum framework framework = 0; framework < FRAMEWORK_COUNT; framework++) {
			const struct advice *advice =
				advice_find(detectors[i]->id, framework, SITUATION_ANY);

			if (!advice)
				fail_msg("%s has no advice for framework %d", detectors[i]->id,
					 framework);
			assert_non_null(advice->relies_on);
			assert_non_null(advice->price);
			assert_int_equal(advice->fix == NULL, framework == FRAMEWORK_NONE);
			/* A program in Python calls no CUDA function. */
			if (framework != FRAMEWORK_NONE)
				assert_null(strstr(advice->relies_on, "cudaEvent"));
		}
	}
	assert_null(advice_find("no-detector", FRAMEWORK_NONE, SITUATION_ANY));
}

TEST(test_situations)
{
	const char *id = "pageable-copy";
	enum framework torch = FRAMEWORK_PYTORCH;

	assert_non_null(strstr(advice_find(id, torch, SITUATION_TO_DEVICE)->fix, "pin_memory"));
	assert_non_null(strstr(advice_find(id, torch, SITUATION_TO_HOST)->fix, "non_blocking"));
	assert_non_null(strstr(advice_find(id, torch, SITUATION_SCALAR)->fix, ".item()"));
	assert_non_null(
		strstr(advice_find("serial-stream", torch, SITUATION_KERNELS)->fix, "fused=True"));
	/* A wait for a copy to the device is one of PyTorch, not the program's synchronize(). */
	assert_non_null(
		strstr(advice_find("sync-in-loop", torch, SITUATION_TO_DEVICE)->fix, "pin_memory"));
	assert_ptr_equal(advice_find("free-sync", torch, SITUATION_SCALAR),
			 advice_find("free-sync", torch, SITUATION_ANY));
}

/* What a report says of two copies from pageable memory of a program that calls through module. */
static struct finding find(const char *module, int64_t size_bytes, bool is_python)
{
	char *folder = make_folder(), path[256], *sql, *error;
	char *prelude = read_file(PRELUDE_FILE, NULL);
	struct analysis *analysis;
	struct finding finding;
	struct trace *trace;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	sql = memory_format(
		"%s INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, "
		"host,"
		" device) VALUES ('kernel', NULL, 13, 11, 0, 0, 0, 50, NULL, NULL),"
		" ('d2h', 'pageable', 13, 12, 1, 60, 50, 60, 11000000, 61000000),"
		" ('kernel', NULL, 13, 11, 60, 60, 60, 90, NULL, NULL);"
		"UPDATE operations SET size_bytes = %lld WHERE kind = 2;"
		"INSERT INTO modules VALUES (9, '%s', NULL);"
		"UPDATE frames SET module_id = 9, file = NULL, line = NULL WHERE %d;"
		"INSERT INTO python_frames SELECT 12, 0, 'train.py', 30, 'Model.step' WHERE %d;",
		prelude, (long long)size_bytes, module, is_python, is_python);
	build_trace(path, NULL, sql);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	analysis = analysis_run(trace);
	assert_true(analysis->findings.count >= 1);
	finding = analysis->findings.items[0];
	analysis_free(analysis);
	trace_close(trace);
	remove_folder(folder);
	free(folder);
	free(prelude);
	free(sql);
	return finding;
}

TEST(test_fix_of_a_finding)
{
	struct finding finding = find(TORCH, 1000000, true);

	assert_string_equal(finding.id, "pageable-copy");
	assert_ptr_equal(finding.fix,
			 advice_find(finding.id, FRAMEWORK_PYTORCH, SITUATION_TO_HOST)->fix);
	finding = find(TORCH, 4, true);
	assert_ptr_equal(finding.fix,
			 advice_find(finding.id, FRAMEWORK_PYTORCH, SITUATION_SCALAR)->fix);
	/* Pinning is not what it costs. */
	assert_true(finding.is_other_advice);
	finding = find(CUPY, 4, true);
	assert_ptr_equal(finding.fix,
			 advice_find(finding.id, FRAMEWORK_CUPY, SITUATION_SCALAR)->fix);
	/* In C the detector's own, though a framework's library made the call. */
	finding = find(TORCH, 1000000, false);
	assert_ptr_equal(finding.fix, detector_pageable_copy.fix);
	assert_ptr_equal(finding.relies_on,
			 advice_find(finding.id, FRAMEWORK_NONE, SITUATION_TO_HOST)->relies_on);
}

RUN_TESTS(NULL, NULL)
