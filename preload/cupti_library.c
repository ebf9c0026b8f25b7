#include "cupti_library.h"

#include "loaded.h"
#include "options.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct cupti_library cupti;

/* CUDA 12's records begin like CUDA 13's, and both callbacks' ids agree: these two majors. */
static const int majors[] = {13, 12};

/* Paths are static: this runs once, on a thread of the program whose stack may have 16 KB. */

/* A libcupti of the program comes first: two in one process would fight over the driver. */
static void *open_loaded(void)
{
	static char path[PATH_MAX];
	void *library = NULL;

	for (int i = 0; !library && loaded_library("libcupti", i, path); i++)
		library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	return library;
}

static void *open_in(const char *folder)
{
	static char path[2 * PATH_MAX];
	void *library = NULL;

	for (size_t i = 0; !library && i < sizeof(majors) / sizeof(majors[0]); i++) {
		snprintf(path, sizeof(path), "%slibcupti.so.%d", folder, majors[i]);
		library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	}
	return library;
}

/* Near a loaded libcudart: toolkits and wheels keep libcupti beside it or not far. */
static void *open_beside_cudart(void)
{
	static const char *const places[] = {"", "../../cuda_cupti/lib/", "../extras/CUPTI/lib64/"};
	static char cudart[PATH_MAX], folder[PATH_MAX + 64];
	void *library = NULL;
	char *slash;

	for (int i = 0; !library && loaded_library("libcudart", i, cudart); i++) {
		slash = strrchr(cudart, '/');
		if (!slash)
			continue;
		slash[1] = '\0';
		for (size_t j = 0; !library && j < sizeof(places) / sizeof(places[0]); j++) {
			snprintf(folder, sizeof(folder), "%s%s", cudart, places[j]);
			library = open_in(folder);
		}
	}
	return library;
}

static void *open_library(void)
{
	static const char *const folders[] = {"", STREAMTRACE_CUPTI_DIR "/",
					      "/usr/local/cuda/lib64/",
					      "/usr/local/cuda/extras/CUPTI/lib64/"};
	void *library;

	if (options.cupti[0])
		return dlopen(options.cupti, RTLD_LAZY | RTLD_LOCAL);
	library = open_loaded();
	if (!library)
		library = open_beside_cudart();
	for (size_t i = 0; !library && i < sizeof(folders) / sizeof(folders[0]); i++)
		library = open_in(folders[i]);
	dlerror(); /* the program is not to find our failures there */
	return library;
}

bool cupti_library_load(char *reason, size_t size)
{
	void *library = open_library();
	const char *missing = NULL;

	if (!library) {
		snprintf(reason, size, "libcupti.so not found: set STREAMTRACE_CUPTI to its path");
		return false;
	}
#define X(name)                                                                                    \
	cupti.name = (__typeof__(cupti.name))dlsym(library, #name);                                \
	if (!cupti.name)                                                                           \
		missing = #name;
	CUPTI_FUNCTIONS(X)
#undef X
	if (missing)
		snprintf(reason, size, "libcupti has no %s: too old", missing);
	return !missing;
}
