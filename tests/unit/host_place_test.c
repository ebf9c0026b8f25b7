/* Which frame of a look names the line on whose behalf the host worked before a call. */
#include "cmocka_test.h"
#include "detectors/evidence/host_place.h"

#define NUMPY "/opt/venv/lib/python3.12/site-packages/numpy/lib/_function_base.py"
#define PYTHON(...)                                                                                \
	{                                                                                          \
		.python_depth = sizeof((struct trace_python_frame[]){__VA_ARGS__}) /               \
				sizeof(struct trace_python_frame),                                 \
		.python_frames = (const struct trace_python_frame[])                               \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define NATIVE(...)                                                                                \
	{                                                                                          \
		.depth = sizeof((struct trace_frame[]){__VA_ARGS__}) / sizeof(struct trace_frame), \
		.frames = (const struct trace_frame[])                                             \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

static const char app[] = "/home/u/app", libc[] = "/usr/lib/libc.so.6";

static const struct trace_site deep_look =
	PYTHON({.file = NUMPY, .function = "pad", .line = 5},
	       {.file = "/home/u/augment.py", .function = "prepare", .line = 7},
	       {.file = "/home/u/train.py", .function = "main", .line = 43});

static int inner_of(const struct trace_site *look, const struct trace_site *call)
{
	const struct host_place place = host_place_between(look, NULL, call);

	assert_ptr_equal(place.site, look);
	return place.inner;
}

static void python_parts_in_the_loop(void **state)
{
	const struct trace_site call =
		PYTHON({.file = "/home/u/step.py", .function = "run", .line = 2},
		       {.file = "/home/u/train.py", .function = "main", .line = 40});

	(void)state;
	assert_int_equal(inner_of(&deep_look, &call), 2);
}

static void python_parts_in_a_callee(void **state)
{
	const struct trace_site call =
		PYTHON({.file = "/home/u/augment.py", .function = "prepare", .line = 9},
		       {.file = "/home/u/train.py", .function = "main", .line = 43});

	(void)state;
	assert_int_equal(inner_of(&deep_look, &call), 1);
}

/* The line calls prepare() and send() at once: neither is on the way to the other. */
static void python_parts_below_one_line(void **state)
{
	const struct trace_site call =
		PYTHON({.file = "/home/u/send.py", .function = "send", .line = 3},
		       {.file = "/home/u/train.py", .function = "main", .line = 43});

	(void)state;
	assert_int_equal(inner_of(&deep_look, &call), 2);
}

/* At a loop's end the call after it comes from its caller: the call before it tells the line. */
static void python_parts_from_the_call_before(void **state)
{
	const struct trace_site since =
		PYTHON({.file = "/home/u/step.py", .function = "run", .line = 2},
		       {.file = "/home/u/train.py", .function = "main", .line = 40},
		       {.file = "/home/u/app.py", .function = "app", .line = 5});
	const struct trace_site call =
		PYTHON({.file = "/home/u/app.py", .function = "app", .line = 6});
	const struct trace_site look =
		PYTHON({.file = "/home/u/augment.py", .function = "prepare", .line = 7},
		       {.file = "/home/u/train.py", .function = "main", .line = 43},
		       {.file = "/home/u/app.py", .function = "app", .line = 5});

	(void)state;
	assert_int_equal(host_place_between(&look, &since, &call).inner, 1);
	assert_int_equal(host_place_between(&look, &call, &since).inner, 1);
	assert_int_equal(host_place_between(&look, &since, NULL).inner, 1);
	assert_int_equal(host_place_between(&look, NULL, &call).inner, 2);
}

static void python_shares_nothing(void **state)
{
	const struct trace_site call =
		PYTHON({.file = "/home/u/other.py", .function = "main", .line = 43});

	(void)state;
	assert_int_equal(inner_of(&deep_look, &call), 1);
	assert_int_equal(inner_of(&deep_look, NULL), 1);
}

/* The stacks part inside of a library: the program's line that called it is named. */
static void python_parts_in_a_library(void **state)
{
	const struct trace_site call =
		PYTHON({.file = NUMPY, .function = "pad", .line = 6},
		       {.file = "/home/u/augment.py", .function = "prepare", .line = 7},
		       {.file = "/home/u/train.py", .function = "main", .line = 43});

	(void)state;
	assert_int_equal(inner_of(&deep_look, &call), 1);
}

/* The thread's start is shared, which is no code of the program. */
static void python_shares_only_a_library(void **state)
{
	const struct trace_site look =
		PYTHON({.file = "/home/u/load.py", .function = "fill", .line = 3},
		       {.file = "/usr/lib/python3.12/threading.py", .function = "run", .line = 9});
	const struct trace_site call =
		PYTHON({.file = "/home/u/send.py", .function = "send", .line = 4},
		       {.file = "/usr/lib/python3.12/threading.py", .function = "run", .line = 9});

	(void)state;
	assert_int_equal(inner_of(&look, &call), 0);
}

static void python_of_libraries_only(void **state)
{
	const struct trace_site look = PYTHON({.file = NUMPY, .function = "pad", .line = 5},
					      {.file = NUMPY, .function = "stack", .line = 50});
	const struct trace_site call = PYTHON({.file = NUMPY, .function = "stack", .line = 51});

	(void)state;
	assert_int_equal(inner_of(&look, &call), 1);
	assert_int_equal(inner_of(&look, NULL), 0);
}

static const struct trace_site native_look =
	NATIVE({.module = libc, .offset = 1, .function = "memcpy", .is_library = true},
	       {.module = app, .offset = 20, .function = "fill"},
	       {.module = app, .offset = 10, .function = "main"},
	       {.module = libc, .offset = 9, .function = "start", .is_library = true});

static void native_parts_in_the_loop(void **state)
{
	const struct trace_site call =
		NATIVE({.module = app, .offset = 12, .function = "main"},
		       {.module = libc, .offset = 9, .function = "start", .is_library = true});

	(void)state;
	assert_int_equal(inner_of(&native_look, &call), 2);
}

static void native_parts_in_a_callee(void **state)
{
	const struct trace_site call =
		NATIVE({.module = app, .offset = 22, .function = "fill"},
		       {.module = app, .offset = 10, .function = "main"},
		       {.module = libc, .offset = 9, .function = "start", .is_library = true});

	(void)state;
	assert_int_equal(inner_of(&native_look, &call), 1);
}

/* Both functions are in one that main() calls: their calls have one return address. */
static void native_of_inlined_functions(void **state)
{
	const struct trace_site look =
		NATIVE({.module = app, .offset = 11, .function = "evaluate"},
		       {.module = app, .offset = 9, .function = "main"});
	const struct trace_site call = NATIVE({.module = app, .offset = 70, .function = "loop"},
					      {.module = app, .offset = 9, .function = "main"});

	(void)state;
	assert_int_equal(inner_of(&look, &call), 0);
}

static void native_shares_only_a_library(void **state)
{
	const struct trace_site call =
		NATIVE({.module = app, .offset = 70, .function = "other"},
		       {.module = libc, .offset = 9, .function = "start", .is_library = true});

	(void)state;
	assert_int_equal(inner_of(&native_look, &call), 1);
}

static void native_shares_nothing(void **state)
{
	const struct trace_site call = NATIVE({.module = app, .offset = 70, .function = "other"});

	(void)state;
	assert_int_equal(inner_of(&native_look, &call), 1);
}

static void native_of_libraries_only(void **state)
{
	const struct trace_site look =
		NATIVE({.module = libc, .offset = 1, .function = "memcpy", .is_library = true},
		       {.module = libc, .offset = 9, .function = "start", .is_library = true});

	(void)state;
	assert_int_equal(inner_of(&look, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(python_parts_in_the_loop),
		cmocka_unit_test(python_parts_in_a_callee),
		cmocka_unit_test(python_parts_below_one_line),
		cmocka_unit_test(python_parts_from_the_call_before),
		cmocka_unit_test(python_shares_nothing),
		cmocka_unit_test(python_parts_in_a_library),
		cmocka_unit_test(python_shares_only_a_library),
		cmocka_unit_test(python_of_libraries_only),
		cmocka_unit_test(native_parts_in_the_loop),
		cmocka_unit_test(native_parts_in_a_callee),
		cmocka_unit_test(native_of_inlined_functions),
		cmocka_unit_test(native_shares_only_a_library),
		cmocka_unit_test(native_shares_nothing),
		cmocka_unit_test(native_of_libraries_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
