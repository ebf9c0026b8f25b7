#include "trace/framework.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* By the start of a library's file name, or a part of its path. */
static const struct {
	const char *text;
	bool is_file_name;
	enum framework framework;
} libraries[] = {
	{"libtorch", true, FRAMEWORK_PYTORCH},	    {"libc10", true, FRAMEWORK_PYTORCH},
	{"/torch/", false, FRAMEWORK_PYTORCH},	    {"/cupy/", false, FRAMEWORK_CUPY},
	{"/cupy_backends/", false, FRAMEWORK_CUPY}, {"/jaxlib/", false, FRAMEWORK_JAX},
	{"/jax_plugins/", false, FRAMEWORK_JAX},    {"/jax_cuda", false, FRAMEWORK_JAX},
};

/* Behind site-packages/ or dist-packages/. Triton's launches are PyTorch's, as a rule. */
static const struct {
	const char *folder;
	enum framework framework;
} packages[] = {
	{"torch/", FRAMEWORK_PYTORCH}, {"triton/", FRAMEWORK_PYTORCH}, {"cupy/", FRAMEWORK_CUPY},
	{"cupyx/", FRAMEWORK_CUPY},    {"jax/", FRAMEWORK_JAX},	       {"jaxlib/", FRAMEWORK_JAX},
};

static enum framework of_library(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < COUNT(libraries); i++)
		if (libraries[i].is_file_name
			    ? !strncmp(name, libraries[i].text, strlen(libraries[i].text))
			    : strstr(path, libraries[i].text) != NULL)
			return libraries[i].framework;
	return FRAMEWORK_NONE;
}

static enum framework of_python_file(const char *file)
{
	const char *package = strstr(file, "-packages/");

	for (size_t i = 0; package && i < COUNT(packages); i++)
		if (!strncmp(package + strlen("-packages/"), packages[i].folder,
			     strlen(packages[i].folder)))
			return packages[i].framework;
	return FRAMEWORK_NONE;
}

enum framework framework_of(const struct trace_site *site)
{
	enum framework framework = FRAMEWORK_NONE;
	int depth;

	for (depth = 0; site && depth < site->depth && !framework; depth++)
		if (site->frames[depth].module)
			framework = of_library(site->frames[depth].module);
	for (depth = 0; site && depth < site->python_depth && !framework; depth++)
		framework = of_python_file(site->python_frames[depth].file);
	return framework;
}
