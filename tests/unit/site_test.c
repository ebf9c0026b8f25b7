#include "cmocka_test.h"
#include "trace/site.h"

#define APP	    "/home/user/app/saxpy"
#define CU	    "/home/user/app/saxpy.cu"
#define STUB	    "/tmp/tmpxft_00002614_00000000-6_saxpy.cudafe1.stub.c"
#define FRAMES(...) ((const struct trace_frame[]){__VA_ARGS__})

/* Depth of the application's frame, or -1. */
static int find(const struct trace_frame *frames, int depth, const char *kernel)
{
	struct trace_site site = {.depth = depth, .frames = frames};
	const struct trace_frame *frame = site_application_frame(&site, kernel);

	return frame ? (int)(frame - frames) : -1;
}

/* What nvcc 13 -O0 makes of scale<<<>>>(): five frames for one line. */
TEST(test_unoptimized_template_launch)
{
	const struct trace_frame *frames =
		FRAMES({.module = APP,
			.function = "_ZL25__cudaLaunchKernel_helperP9CUkern_st4dim3S1_PPvmP1"
				    "1CUstream_st",
			.file = "/usr/local/cuda/include/crt/device_functions.h",
			.line = 2963},
		       {.module = APP,
			.function = "_ZL33__device_stub__Z5scaleIfEvPT_S0_iPffi",
			.file = STUB,
			.line = 1},
		       {.module = APP,
			.function = "_Z28__wrapper__device_stub_scaleIfEvRPT_RS0_Ri",
			.file = STUB,
			.line = 2},
		       {.module = APP, .function = "_Z5scaleIfEvPT_S0_i", .file = CU, .line = 5},
		       {.module = APP, .function = "_ZL6helperPf", .file = CU, .line = 18});

	assert_int_equal(find(frames, 5, NULL), 4);
	assert_int_equal(find(frames, 5, "_Z5scaleIfEvPT_S0_i"), 4);
}

/* Without debug information the names of the symbol table must do. */
TEST(test_names_alone)
{
	const struct trace_frame *frames =
		FRAMES({.module = APP, .function = "_Z24__device_stub__Z5plainPfPf"},
		       {.module = APP, .function = "_Z5plainPf"},
		       {.module = APP, .function = "_ZN3app4stepEPf"});

	assert_int_equal(find(frames, 3, NULL), 2);
}

/* The inlined stub of a static kernel has no linkage name, and the kernel has no L. */
TEST(test_inlined_stub)
{
	const struct trace_frame *plain =
		FRAMES({.module = APP, .function = "scale<float>", .file = CU, .line = 5},
		       {.module = APP, .function = "main"});
	const struct trace_frame *local =
		FRAMES({.module = APP, .function = "_ZL6hiddenPf", .file = CU, .line = 2},
		       {.module = APP, .function = "main"});

	assert_int_equal(find(plain, 2, "_ZN2ns5scaleIfEEvPT_S1_i"), 1);
	assert_int_equal(find(plain, 2, NULL), 0);
	assert_int_equal(find(local, 2, "_Z6hiddenPf"), 1);
}

/* A host function may be named like the kernel that it launches. */
TEST(test_overload_of_the_kernel)
{
	const struct trace_frame *mangled = FRAMES({.module = APP, .function = "_Z5scalePfi"});
	const struct trace_frame *plain =
		FRAMES({.module = APP, .function = "scale", .file = CU, .line = 9});

	assert_int_equal(find(mangled, 1, "_Z5scalePf"), 0);
	assert_int_equal(find(plain, 1, "_Z5scaleIfEvPT_S0_i"), 0);
	assert_int_equal(find(plain, 1, "_Z7rescalePf"), 0);
}

TEST(test_libraries)
{
	const struct trace_frame *frames =
		FRAMES({.module = "/opt/lib/libstrace.so"},
		       {.module = "/usr/lib/libcupti.so.13", .function = "callback"},
		       {.module = "/usr/lib/libcuda.so.1"},
		       {.module = "/site-packages/libcudart-d0da41ae.so.11.0"},
		       {.module = "/opt/lib/libstrace_try.so", .function = "cudaFree"},
		       {.module = "/opt/lib/libstrace_touch.so", .function = "nanosleep"},
		       {.module = "/usr/lib/libcudadebugger-free.so", .offset = 16});

	assert_int_equal(find(frames, 7, NULL), 6);
	assert_int_equal(find(frames, 6, NULL), -1);
}

/* A static runtime lies in the program, and its names are the runtime's. */
TEST(test_static_runtime)
{
	const struct trace_frame *frames =
		FRAMES({.module = APP, .function = "libcudart_static_0c2c39bb"},
		       {.module = APP, .function = "cudaMemcpyAsync"},
		       {.module = APP, .function = "_Z10cudaMallocIfE9cudaErrorPPT_m"},
		       {.module = APP, .function = "_Z9cudaCheck9cudaError"});
	const struct trace_frame *own =
		FRAMES({.module = APP, .function = "cudaCheck", .file = CU, .line = 3});

	assert_int_equal(find(frames, 4, NULL), 3);
	assert_int_equal(find(own, 1, NULL), 0);
}

#define OWN	"/home/user/app/libown.so"
#define CUBLAS	"/usr/local/cuda/lib64/libcublas.so.13.0.0.19"
#define TORCH	"/home/user/venv/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so"
#define PYTHON	"/usr/bin/python3.12"
#define LIBRARY .is_library = true

TEST(test_the_application_is_behind_the_libraries)
{
	const struct trace_frame *frames =
		FRAMES({.module = "/usr/lib/libcuda.so.1", LIBRARY},
		       {.module = "/usr/lib/libcublasLt.so.13", LIBRARY},
		       {.module = CUBLAS, LIBRARY}, {.module = OWN, .function = "multiply"},
		       {.module = APP, .function = "main", .file = CU, .line = 9});

	assert_int_equal(find(frames, 5, NULL), 3);
	/* Nobody's own: the library that made the call. */
	assert_int_equal(find(frames, 3, NULL), 1);
}

static struct site describe(const struct trace_frame *frames, int depth,
			    const struct trace_python_frame *python_frames, int python_depth)
{
	struct trace_site site = {.depth = depth,
				  .frames = frames,
				  .python_depth = python_depth,
				  .python_frames = python_frames};

	/* Nothing to demangle: no trace is asked. */
	return site_describe(NULL, &site, NULL);
}

TEST(test_the_library_is_told)
{
	const struct trace_frame *frames =
		FRAMES({.module = "/usr/lib/libcudart.so.13", LIBRARY},
		       {.module = "/usr/lib/libffi.so.8", LIBRARY}, {.module = CUBLAS, LIBRARY},
		       {.module = APP, .file = CU, .line = 9});
	struct site site = describe(frames, 4, NULL, 0);

	assert_int_equal(site.line, 9);
	assert_string_equal(site.through, CUBLAS);
	assert_null(describe(frames + 3, 1, NULL, 0).through);
	assert_null(describe(frames, 3, NULL, 0).through);
	assert_string_equal(describe(frames, 3, NULL, 0).module, CUBLAS);
}

/* Headers of libraries that were not inlined, and one that was: the outermost is told. */
TEST(test_libraries_of_headers)
{
	const struct trace_frame *frames =
		FRAMES({.module = APP,
			.function = "sync",
			.file = "/usr/include/cub/util.cuh",
			.is_library_line = true},
		       {.module = APP,
			.function = "reduce",
			.file = "/usr/include/thrust/reduce.h",
			.is_library_line = true},
		       {.module = APP, .file = CU, .line = 84},
		       {.module = APP, .file = CU, .line = 90, .through = "transform"});
	struct site site = describe(frames, 4, NULL, 0);

	assert_int_equal(find(frames, 4, NULL), 2);
	assert_int_equal(site.line, 84);
	assert_string_equal(site.through_function, "reduce");
	assert_null(site.through);
	assert_string_equal(describe(frames + 3, 1, NULL, 0).through_function, "transform");
	/* Nothing of the program's own is known. */
	assert_int_equal(find(frames, 2, NULL), 0);
}

TEST(test_python_lines)
{
	const struct trace_python_frame python[] = {
		{.file = "/usr/lib/python3.12/contextlib.py", .function = "inner", .line = 81},
		{.file = "/home/user/venv/lib/python3.12/site-packages/torch/nn.py",
		 .function = "Linear.forward",
		 .line = 5},
		{.file = "<frozen runpy>", .function = "run", .line = 1},
		{.file = "train.py", .function = "Model.forward", .line = 30},
		{.file = "train.py", .function = "main", .line = 40},
	};
	const struct trace_frame *torch =
		FRAMES({.module = TORCH, .file = "a.cpp", .line = 3, LIBRARY},
		       {.module = PYTHON, LIBRARY});
	const struct trace_frame *own =
		FRAMES({.module = OWN, .file = CU, .line = 4}, {.module = PYTHON, LIBRARY});
	const struct trace_frame *embedded = FRAMES(
		{.module = TORCH, LIBRARY}, {.module = "/usr/lib/libpython3.12.so.1.0", LIBRARY},
		{.module = APP, .file = CU, .line = 9});
	struct site site = describe(torch, 2, python, 5);

	assert_string_equal(site.file, "train.py");
	assert_int_equal(site.line, 30);
	assert_string_equal(site.function, "Model.forward");
	assert_null(site.module);
	assert_string_equal(site.through, TORCH);
	/* Only libraries: the innermost of them. */
	assert_int_equal(describe(torch, 2, python, 3).line, 81);
	/* The line of an extension of one's own is nearer, if it is known. */
	assert_int_equal(describe(own, 2, python, 5).line, 4);
	own = FRAMES({.module = OWN}, {.module = PYTHON, LIBRARY});
	assert_int_equal(describe(own, 2, python, 5).line, 30);
	assert_string_equal(describe(own, 2, python, 5).through, OWN);
	/* The program that Python runs in is further away. */
	assert_int_equal(describe(embedded, 3, python, 5).line, 30);
	assert_int_equal(describe(NULL, 0, python, 5).line, 30);
}

TEST(test_what_is_a_library)
{
	static const char *const libraries[] = {
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
		"/lib64/libm.so.6",
		CUBLAS,
		TORCH,
		"/opt/hpcx/lib/libucp.so",
		"/home/user/miniconda3/lib/libmkl_rt.so",
		"/home/user/conda/envs/train/lib/libcufftw.so",
		"/home/user/cudnn/libcudnn_ops.so.9",
		"/home/user/.pyenv/versions/3.12.1/lib/libpython3.12.so.1.0",
		"/home/user/.pyenv/versions/3.12.1/lib/python3.12/lib-dynload/_ctypes.so",
		"/home/user/venv/bin/python3",
	};
	static const char *const own[] = {APP, OWN, "/work/build/libmodel.so",
					  "/home/user/envs/cartpole.so",
					  "/home/user/app/my.cpython-312-x86_64-linux-gnu.so"};

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (!site_is_library(libraries[i], APP))
			fail_msg("%s is a library", libraries[i]);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (site_is_library(own[i], APP))
			fail_msg("%s is not a library", own[i]);
	/* The program is not one, wherever it lies, and what lies beside it neither. */
	assert_false(site_is_library("/usr/bin/blender", "/usr/bin/blender"));
	assert_true(site_is_library("/usr/lib/libx.so", "/usr/bin/blender"));
	assert_false(site_is_library("/opt/app/lib/libown.so", "/opt/app/bin/app"));
	assert_true(site_is_library("/opt/app2/lib/libown.so", "/opt/app/bin/app"));
	assert_true(site_is_library("/usr/lib/libx.so", NULL));
	/* An interpreter's code is nobody's own. */
	assert_true(site_is_library(PYTHON, PYTHON));
	assert_true(site_is_library("/opt/py/lib/libx.so", "/opt/py/bin/python3.12"));
	assert_true(site_is_program("/usr/bin/python3.12", "python3.12"));
	assert_false(site_is_program("/usr/bin/python3.12", "python3"));
}

TEST(test_no_frames)
{
	assert_null(site_application_frame(NULL, NULL));
	assert_int_equal(find(NULL, 0, NULL), -1);
	/* An address without a symbol is the application's as far as anyone can tell. */
	assert_int_equal(find(FRAMES({.module = APP, .offset = 16}), 1, "_Z1kv"), 0);
	assert_int_equal(find(FRAMES({.offset = 16}), 1, NULL), 0);
}

/* Names of more than the filter remembers, and numbers that lie about them. */
TEST(test_odd_stub_names)
{
	char name[5000] = "__device_stub__Z";
	size_t i;

	for (i = 16; i < sizeof(name) - 1; i++)
		name[i] = 'a';
	assert_int_equal(
		find(FRAMES({.module = APP, .function = name}, {.module = APP, .function = "main"}),
		     2, NULL),
		1);
	assert_int_equal(
		find(FRAMES({.module = APP, .function = "_Z99999999999999999999__device_stub__Z1k"},
			    {.module = APP, .function = "_Z1k"},
			    {.module = APP, .function = "main"}),
		     3, NULL),
		2);
	assert_int_equal(
		find(FRAMES({.module = APP, .function = "__device_stub_"},
			    {.module = APP, .function = "_Z"}, {.module = APP, .function = ""}),
		     3, NULL),
		1);
}

RUN_TESTS(NULL, NULL)
