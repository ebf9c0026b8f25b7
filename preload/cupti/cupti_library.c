#include "cupti/cupti_library.h"

#include "api/cudarts.h"
#include "base/loaded.h"
#include "base/options.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct cupti_library cupti;

/* CUDA 12's records begin like CUDA 13's, and their callbacks' ids agree: these majors, newest
 * first. */
static const int majors[] = {13, 12};
#define MAJOR_COUNT (sizeof(majors) / sizeof(majors[0]))

/* Paths are static: this runs once, on a thread of the program whose stack may have 16 KB. */

/* The program's own libcupti is preferred: two in one process would conflict. */
static void *open_loaded(void)
{
	static char path[PATH_MAX];
	void *library = NULL;

	for (int i = 0; !library && loaded_library("libcupti", i, path); i++)
		library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	return library;
}

static void *open_in(const char *folder, int major)
{
	static char path[2 * PATH_MAX];

	snprintf(path, sizeof(path), "%slibcupti.so.%d", folder, major);
	return dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

/* Searches near a loaded libcudart: toolkits and wheels keep libcupti beside it or close by. */
static void *open_beside_cudart(int major)
{
	static const char *const folders[] = {"", "../../cuda_cupti/lib/",
					      "../extras/CUPTI/lib64/"};
	static char cudart[PATH_MAX], folder[PATH_MAX + 64];
	void *library = NULL;
	char *slash;

	for (int i = 0; !library && loaded_library("libcudart", i, cudart); i++) {
		slash = strrchr(cudart, '/');
		if (!slash)
			continue;
		slash[1] = '\0';
		for (size_t j = 0; !library && j < sizeof(folders) / sizeof(folders[0]); j++) {
			snprintf(folder, sizeof(folder), "%s%s", cudart, folders[j]);
			library = open_in(folder, major);
		}
	}
	return library;
}

static void *open_major(int major)
{
	static const char *const folders[] = {"", STREAMTRACE_CUPTI_DIR "/",
					      "/usr/local/cuda/lib64/",
					      "/usr/local/cuda/extras/CUPTI/lib64/"};
	void *library = open_beside_cudart(major);

	for (size_t i = 0; !library && i < sizeof(folders) / sizeof(folders[0]); i++)
		library = open_in(folders[i], major);
	return library;
}

/* Recognized by the symbols' versions: wheels change the file's name, and links lack the number. */
static bool is_cudart_loaded(int major)
{
	bool is_loaded = false;

#define IS_LOADED(id, node, cupti_major, ...)                                                      \
	is_loaded |= major == cupti_major && loaded_symbol("libcudart", "cudaMalloc", #node);
	CUDARTS(IS_LOADED, )
#undef IS_LOADED
	return is_loaded;
}

/* The program's own major is tried before a newer one: its toolkit's libcupti fits its driver. */
static void *open_library(void)
{
	void *library = open_loaded();

	for (size_t i = 0; !library && i < MAJOR_COUNT; i++)
		if (is_cudart_loaded(majors[i]))
			library = open_major(majors[i]);
	for (size_t i = 0; !library && i < MAJOR_COUNT; i++)
		library = open_major(majors[i]);
	return library;
}

bool cupti_library_load(char *reason, size_t size)
{
	bool is_asked = options.cupti[0] != '\0';
	void *library = is_asked ? dlopen(options.cupti, RTLD_LAZY | RTLD_LOCAL) : open_library();
	const char *missing = NULL, *error = dlerror(); /* taken: the program is not to find it */

	if (!library) {
		snprintf(reason, size, "%s",
			 is_asked && error
				 ? error
				 : "libcupti.so not found: set STREAMTRACE_CUPTI to its path");
		return false;
	}
#define X(name)                                                                                    \
	cupti.name = (__typeof__(cupti.name))dlsym(library, #name);                                \
	if (!cupti.name)                                                                           \
		missing = #name;
	CUPTI_FUNCTIONS(X)
#undef X
	dlerror();
	if (missing)
		snprintf(reason, size, "libcupti is too old: it has no %s", missing);
	return !missing;
}
