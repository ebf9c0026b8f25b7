/* The traced program of code_test.c: `code_app SCENARIO`. It loads device code in all forms, and in all ways. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"
#include "scenario.h"

#define TEXT ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p) { ret; }\n"

/* NVIDIA's header of a fat binary, with 8 bytes behind it, and what the runtime gives the driver in its place. */
#define FATBIN                                                                                     \
	{                                                                                          \
		0xba55ed50, 1, 16, 8,                                                              \
		{                                                                                  \
			'f', 'a', 't', 'b', 'i', 'n', '.', '.'                                     \
		}                                                                                  \
	}
struct fatbin {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes;
	char code[8];
};
static const struct fatbin own_fatbin = FATBIN;
struct wrapper {
	uint32_t magic, version;
	const void *data;
	void *file;
};

static void load_data(const void *image, cudaError_t result)
{
	CUmodule module;
	const cuModuleLoadData_params params = {&module, image};

	fake_cuda_load(CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData, &params, result);
}

/* The same text in two places of memory, by two calls; one that the driver refuses; text of the program's own. */
static void scenario_texts(void)
{
	char *first = strdup(TEXT), *second = strdup(TEXT), *refused = strdup("refused");
	CUmodule module;
	CUlibrary library;
	const cuModuleLoadDataEx_params ex = {&module, second, 0, NULL, NULL};
	const cuLibraryLoadData_params data = {&library, "own", NULL, NULL, 0, NULL, NULL, 0};

	load_data(first, cudaSuccess);
	load_data(first, cudaSuccess);
	fake_cuda_load(CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx, &ex, cudaSuccess);
	load_data(refused, cudaErrorInvalidPtx);
	fake_cuda_load(CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData, &data, cudaSuccess);
	memset(first, ' ', strlen(first)); /* the driver has its copy, and so has the tracer */
	free(first);
	free(second);
	free(refused);
}

/* Machine code of three sections, the last of which is only in memory. */
static void scenario_elf(void)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Shdr sections[3];
		char code[24];
		char behind[100]; /* not of the image */
	} image;

	memset(&image, 'x', sizeof(image));
	image.header = (Elf64_Ehdr){.e_ident = ELFMAG,
				    .e_shoff = sizeof(image.header),
				    .e_shnum = 3,
				    .e_shentsize = sizeof(Elf64_Shdr)};
	image.sections[0] = (Elf64_Shdr){0};
	image.sections[1] = (Elf64_Shdr){.sh_type = SHT_PROGBITS,
					 .sh_offset = sizeof(image.header) + sizeof(image.sections),
					 .sh_size = sizeof(image.code)};
	image.sections[2] = (Elf64_Shdr){.sh_type = SHT_NOBITS, .sh_offset = 64, .sh_size = 4096};
	load_data(&image, cudaSuccess);
	printf("%zu\n", offsetof(__typeof__(image), behind));
}

/* From the heap, as such and in a wrapper; the program's own, as the runtime loads it. */
static void scenario_fatbins(void)
{
	struct fatbin *first = malloc(sizeof(*first)), *second = malloc(sizeof(*second));
	struct wrapper heap = {0x466243b1, 1, second, NULL},
		       own = {0x466243b1, 1, &own_fatbin, NULL};
	CUmodule module;
	const cuModuleLoadFatBinary_params params = {&module, first};

	*first = *second = (struct fatbin)FATBIN;
	second->code[7] = '2';
	fake_cuda_load(CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary, &params, cudaSuccess);
	load_data(&heap, cudaSuccess);
	load_data(&own, cudaSuccess);
	load_data(&own_fatbin, cudaSuccess);
	free(first);
	free(second);
}

/* A file, and one that is not there any more. */
static void scenario_files(void)
{
	char path[] = "/tmp/code_app.XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	CUmodule module;
	CUlibrary library;
	const cuModuleLoad_params load = {&module, path};
	const cuLibraryLoadFromFile_params from_file = {.library = &library, .fileName = path};

	fputs(TEXT, file);
	fclose(file);
	fake_cuda_load(CUPTI_DRIVER_TRACE_CBID_cuModuleLoad, &load, cudaSuccess);
	remove(path);
	fake_cuda_load(CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile, &from_file, cudaSuccess);
}

static void load_large(size_t size, char filled_with)
{
	char *text = malloc(size + 1);

	memset(text, filled_with, size);
	text[size] = '\0';
	load_data(text, cudaSuccess);
	free(text);
}

/* More than are kept, and one that is too large. */
static void scenario_many(void)
{
	char text[16];

	for (int i = 0; i < 2050; i++) {
		snprintf(text, sizeof(text), "text %d", i);
		load_data(text, cudaSuccess);
	}
	load_large(((size_t)32 << 20) + 1, 'x');
}

/* The second does not fit, the third does. */
static void scenario_large(void)
{
	load_large((size_t)20 << 20, 'a');
	load_large((size_t)20 << 20, 'b');
	load_large((size_t)10 << 20, 'c');
}

static const struct scenario scenarios[] = {
	{"texts", scenario_texts},
	{"elf", scenario_elf},
	{"fatbins", scenario_fatbins},
	{"files", scenario_files},
	{"many", scenario_many},
	{"large", scenario_large},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	cudaDeviceSynchronize();
	return 0;
}
