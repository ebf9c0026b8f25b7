#include "cupti_library.h"

#include "options.h"

#include <dlfcn.h>
#include <link.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

struct cupti_library cupti;

/* CUDA 12's records begin like CUDA 13's, and both callbacks' ids agree: these two majors. */
static const int majors[] = {13, 12};

/* A libcupti of the program comes first: two in one process would fight over the driver. */
static int find_loaded(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;

	if (!slash || strncmp(slash + 1, "libcupti", strlen("libcupti")))
		return 0;
	*(void **)data = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
	return *(void **)data != NULL;
}

/* The folder of a loaded libcudart: toolkits and wheels keep libcupti beside it or near it. */
static int find_beside_cudart(struct dl_phdr_info *info, size_t size, void *data)
{
	static const char *const places[] = {"", "../../cuda_cupti/lib/", "../extras/CUPTI/lib64/"};
	const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
	char path[PATH_MAX];

	if (!slash || strncmp(slash + 1, "libcudart", strlen("libcudart")))
		return 0;
	for (size_t major = 0; major < sizeof(majors) / sizeof(majors[0]); major++)
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !*(void **)data; i++) {
			snprintf(path, sizeof(path), "%.*s%slibcupti.so.%d",
				 (int)(slash + 1 - info->dlpi_name), info->dlpi_name, places[i],
				 majors[major]);
			*(void **)data = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
		}
	return *(void **)data != NULL;
}

static void *open_library(void)
{
	static const char *const folders[] = {"", STREAMTRACE_CUPTI_DIR "/",
					      "/usr/local/cuda/lib64/",
					      "/usr/local/cuda/extras/CUPTI/lib64/"};
	void *library = NULL;
	char path[PATH_MAX];

	if (options.cupti[0])
		return dlopen(options.cupti, RTLD_LAZY | RTLD_LOCAL);
	dl_iterate_phdr(find_loaded, &library);
	if (!library)
		dl_iterate_phdr(find_beside_cudart, &library);
	for (size_t major = 0; major < sizeof(majors) / sizeof(majors[0]); major++)
		for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && !library; i++) {
			snprintf(path, sizeof(path), "%slibcupti.so.%d", folders[i], majors[major]);
			library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
		}
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
