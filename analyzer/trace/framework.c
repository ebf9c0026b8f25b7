#include "trace/framework.h"

#include "trace/trace.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* By the start of a library's file name. */
static const struct {
	const char *start;
	enum framework framework;
} libraries[] = {
	{"libtorch", FRAMEWORK_PYTORCH},
	{"libc10", FRAMEWORK_PYTORCH},
	{"libjax", FRAMEWORK_JAX},
	{"xla_cuda", FRAMEWORK_JAX},
};

/* By the folder (or its beginning) in site-packages/ or dist-packages/. Triton's launches are
 * usually PyTorch's. */
static const struct {
	const char *folder;
	enum framework framework;
} packages[] = {
	{"torch", FRAMEWORK_PYTORCH},
	{"triton/", FRAMEWORK_PYTORCH},
	{"cupy", FRAMEWORK_CUPY},
	{"jax", FRAMEWORK_JAX},
};

static enum framework of_package(const char *path)
{
	const char *package = strstr(path, "-packages/");

	for (size_t i = 0; package && i < COUNT(packages); i++)
		if (!strncmp(package + strlen("-packages/"), packages[i].folder,
			     strlen(packages[i].folder)))
			return packages[i].framework;
	return FRAMEWORK_NONE;
}

enum framework framework_of_path(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < COUNT(libraries); i++)
		if (!strncmp(name, libraries[i].start, strlen(libraries[i].start)))
			return libraries[i].framework;
	return of_package(path);
}

enum framework framework_of(const struct trace_site *site)
{
	enum framework framework = FRAMEWORK_NONE;
	int depth;

	for (depth = 0; site && depth < site->depth && !framework; depth++)
		framework = site->frames[depth].framework;
	for (depth = 0; site && depth < site->python_depth && !framework; depth++)
		framework = site->python_frames[depth].framework;
	return framework;
}

const char *framework_name(enum framework framework)
{
	static const char *const names[FRAMEWORK_COUNT] = {
		[FRAMEWORK_PYTORCH] = "PyTorch",
		[FRAMEWORK_CUPY] = "CuPy",
		[FRAMEWORK_JAX] = "JAX",
	};

	return names[framework];
}
