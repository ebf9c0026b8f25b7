#include "cmocka_test.h"
#include "trace/source_tree.h"

static void check_root(const char *folder, const char *source, const char *root)
{
	struct source_tree tree = source_tree_of(folder, source);

	if (root)
		assert_string_equal(tree.root, root);
	else
		assert_null(tree.root);
	source_tree_free(&tree);
}

TEST(test_roots)
{
	/* make, in the project or in src/. */
	check_root("/home/user/app", "main.cu", "/home/user/app");
	check_root("/home/user/app", "src/main.cu", "/home/user/app");
	check_root("/workspace", "main.cu", "/workspace");
	/* CMake, in a folder below the project or beside its sources. */
	check_root("/home/user/app/build", "/home/user/app/main.cu", "/home/user/app");
	check_root("/home/user/app/build/src", "/home/user/app/src/main.cu", "/home/user/app");
	check_root("/home/user/app/build/sim", "/home/user/app/sim/deep/main.cu", "/home/user/app");
	check_root("/home/user/app/build", "../src/./main.cu", "/home/user/app");
	check_root("/work/app/build", "/work/app/src/main.cu", "/work/app");
	/* Elsewhere: what both have in common is no project. */
	check_root("/tmp/build", "/home/user/app/src/main.cu", "/home/user/app");
	check_root("/home/user/build", "/home/user/app/src/main.cu", "/home/user/app");
	check_root("/home/user/build", "/home/user/app/sim/main.cu", "/home/user/app/sim");
	check_root(NULL, "/home/user/app/main.cu", "/home/user/app");
	/* Nothing is known: mapped away, or the whole machine. */
	check_root(".", "src/main.cu", NULL);
	check_root(NULL, NULL, NULL);
	check_root("/", "/main.cu", NULL);
	check_root("/home/user/app", NULL, "/home/user/app");
}

TEST(test_headers)
{
	static const char *const headers[] = {
		"a.h",	"/x/a.cuh", "/x/a.inl", "/usr/include/c++/12/vector", "/x.y/Eigen/Dense",
		"a.HPP"};
	static const char *const sources[] = {"a.c",	   "/x/a.cu", "/x/a.cpp",
					      "/x.h/a.cc", "a.f90",   "a.CPP"};

	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		if (!source_is_header(headers[i]))
			fail_msg("%s is a header", headers[i]);
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		if (source_is_header(sources[i]))
			fail_msg("%s is no header", sources[i]);
}

/* A program in /home/user/app, built by CMake, with a unit of the same. */
static bool is_library(const char *file)
{
	struct source_tree tree =
		source_tree_of("/home/user/app/build", "/home/user/app/src/main.cu");
	bool found = source_is_library(file, &tree, &tree);

	source_tree_free(&tree);
	return found;
}

TEST(test_own_files)
{
	static const char *const own[] = {
		"/home/user/app/src/main.cu", "/home/user/app/include/util.h",
		"/home/user/app/build/generated/table.inc", "/home/user/app/src/../include/app.cuh",
		/* Sources of another folder that are compiled into the program. */
		"/home/user/common/timer.cpp",
		/* Not folders of the name. */
		"/home/user/app/src/cube.h", "/home/user/app/src/thrust.h",
		"/home/user/app/src/vendor-timer.h"};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (is_library(own[i]))
			fail_msg("%s is the program's own", own[i]);
}

TEST(test_libraries)
{
	static const char *const libraries[] = {
		"/usr/local/cuda/include/cccl/thrust/system/cuda/detail/util.h",
		"/usr/local/cuda/bin/../targets/x86_64-linux/include/cub/util_device.cuh",
		"/usr/include/c++/12/bits/invoke.h", "/usr/include/eigen3/Eigen/src/Core/Assign.h",
		"/opt/kokkos/include/Kokkos_Parallel.hpp",
		"/home/user/miniconda3/include/thrust/reduce.h", "/home/user/eigen/Eigen/Dense",
		"/home/user/venv/lib/python3.12/site-packages/torch/include/c10/core/Device.h",
		/* Copies in the project. */
		"/home/user/app/third_party/json/json.hpp",
		"/home/user/app/build/_deps/kokkos-src/core/src/Kokkos_Core.cpp",
		"/home/user/app/include/Eigen/src/Core/Assign.h",
		"/home/user/app/eigen-3.4.0/Eigen/Core", "/home/user/app/src/cub/block/reduce.cuh"};

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (!is_library(libraries[i]))
			fail_msg("%s is a library's", libraries[i]);
}

/* A unit of another tree than the program's, and a header that was given as ../include. */
TEST(test_units)
{
	struct source_tree none = {0};
	struct source_tree program = source_tree_of("/home/user/app", "main.cu");
	struct source_tree other = source_tree_of("/home/user/solver/src", "solve.cu");
	struct source_tree installed = source_tree_of("/opt/app/build", "/opt/app/src/main.cu");
	struct source_tree copy = source_tree_of("/home/user/app/build/_deps/kokkos-build",
						 "/home/user/app/build/_deps/kokkos-src/a.cpp");

	assert_false(source_is_library("/home/user/solver/src/solve.h", &program, &other));
	assert_false(
		source_is_library("/home/user/solver/src/../include/solve.h", &program, &other));
	assert_true(source_is_library("/home/user/solver/include/solve.h", &program, &other));
	assert_true(
		source_is_library("/home/user/app/build/_deps/kokkos-src/a.h", &program, &copy));
	/* A product that was built where it is installed. */
	assert_false(source_is_library("/opt/app/include/app.h", &installed, &installed));
	/* Relative, where the build mapped its folders away. */
	assert_false(source_is_library("src/util.h", &none, &none));
	assert_true(source_is_library("third_party/json.h", &none, &none));
	assert_true(source_is_library("/usr/include/x.h", &none, &none));
	assert_true(source_is_library("/home/user/lib/x.h", &none, &none));
	source_tree_free(&program);
	source_tree_free(&other);
	source_tree_free(&installed);
	source_tree_free(&copy);
}

RUN_TESTS(NULL, NULL)
