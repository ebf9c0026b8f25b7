/* Device code in files: as toolkits lay it down, packed and plain, and damaged. */
#include "base/memory.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "device_code.h"
#include "ptx/kernel_search.h"
#include "ptx/module_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAS_LZ4
#include <lz4.h>
#endif
#ifdef HAS_ZSTD
#include <zstd.h>
#endif

#define TEXT(name, opcode)                                                                         \
	".version 9.0\n.target sm_90\n.address_size 64\n"                                          \
	".visible .entry " name "(.param .u64 p)\n{\n\tld.param.u64 %rd1, [p];\n"                  \
	"\tatom.global.add.u32 %r1, [%rd2], 0;\n\t" opcode "\n\tret;\n}\n"
#define READS  "ld.global.u32 %r1, [%rd1];"
#define WRITES "st.global.u32 [%rd1], %r1;"

#define UNKNOWN -1

/* What the kernel uses of its parameter's memory, in these files, on this device; or UNKNOWN. */
static int uses_in(const struct kernel_file *files, size_t count, uint32_t architecture,
		   const char *kernel)
{
	const struct kernel_search search = {.files = files,
					     .file_count = count,
					     .architectures = &architecture,
					     .architecture_count = 1,
					     .names = &kernel,
					     .name_count = 1};
	struct kernel_answer *answer = kernel_search(&search);
	const int uses = answer->is_known ? kernel_uses_at(&answer->uses, 0, 0) : UNKNOWN;

	kernel_answers_free(answer, 1);
	return uses;
}

/* The same, of a file with this section. */
static int uses_of(const struct device_code *section, uint32_t architecture, const char *kernel)
{
	char *folder = make_folder(), *path = memory_format("%s/file", folder);
	int uses;

	device_code_write(path, section, ".nv_fatbin", SIZE_MAX);
	uses = uses_in(&(struct kernel_file){.path = path}, 1, architecture, kernel);
	device_code_write(path, section, "__nv_relfatbin", SIZE_MAX);
	assert_int_equal(uses,
			 uses_in(&(struct kernel_file){.path = path}, 1, architecture, kernel));
	remove_folder(folder);
	free(path);
	free(folder);
	return uses;
}

TEST(test_kernel_is_found)
{
	struct device_code section = {0};

	device_code_begin(&section);
	device_code_add_machine_code(&section, 90);
	device_code_add_text(&section, 90, TEXT("other", READS));
	section.size += 8; /* zeros between containers */
	device_code_begin(&section);
	device_code_add_machine_code(&section, 90);
	device_code_add_text(&section, 90, TEXT("_Z1kPj", WRITES) ".entry second() { ret; }");
	assert_int_equal(uses_of(&section, 90, "_Z1kPj"), USE_WRITE);
	assert_int_equal(uses_of(&section, 90, "other"), USE_READ);
	assert_int_equal(uses_of(&section, 90, "second"), 0);
	assert_int_equal(uses_of(&section, 90, "othe"), UNKNOWN);
}

/* The PTX that runs, or that the code was made of. */
TEST(test_architecture)
{
	struct device_code section = {0};

	device_code_begin(&section);
	device_code_add_text(&section, 75, TEXT("k", READS));
	device_code_add_machine_code(&section, 80);
	device_code_add_text(&section, 80, TEXT("k", WRITES));
	device_code_add_machine_code(&section, 86);
	device_code_add_text(&section, 90, TEXT("k", READS WRITES));
	assert_int_equal(uses_of(&section, 75, "k"), USE_READ);
	assert_int_equal(uses_of(&section, 80, "k"), USE_WRITE);
	assert_int_equal(uses_of(&section, 86, "k"), UNKNOWN); /* only code */
	assert_int_equal(uses_of(&section, 89, "k"), UNKNOWN);
	assert_int_equal(uses_of(&section, 90, "k"), USE_READ | USE_WRITE);
	assert_int_equal(uses_of(&section, 100, "k"), USE_READ | USE_WRITE); /* compiled there */
	assert_int_equal(uses_of(&section, 70, "k"), UNKNOWN);
}

TEST(test_specific_architecture)
{
	struct device_code section = {0};
	const char text[] = TEXT("k", WRITES);

	device_code_begin(&section);
	device_code_add(&section, 2, 90, 0x100011, "code", 4, 0);
	device_code_add(&section, 1, 90, 0x100011, text, strlen(text), 0);
	device_code_add_text(&section, 80, TEXT("k", READS));
	assert_int_equal(uses_of(&section, 90, "k"), USE_WRITE);
	assert_int_equal(uses_of(&section, 100, "k"), USE_READ);
}

/* Static kernels of several sources may have one name. */
TEST(test_all_versions_count)
{
	struct device_code section = {0};

	device_code_begin(&section);
	device_code_add_text(&section, 90, TEXT("k", READS));
	device_code_begin(&section);
	device_code_add_text(&section, 90, TEXT("k", WRITES));
	assert_int_equal(uses_of(&section, 90, "k"), USE_READ | USE_WRITE);
	device_code_begin(&section);
	device_code_add_text(&section, 90, ".address_size 64 .entry k( {"); /* damaged */
	assert_int_equal(uses_of(&section, 90, "k"), UNKNOWN);
}

#ifdef HAS_LZ4
TEST(test_lz4)
{
	static const char text[] = TEXT("k", WRITES);
	char packed[1024];
	struct device_code section = {0};
	const int size = LZ4_compress_default(text, packed, sizeof(text), sizeof(packed));

	device_code_begin(&section);
	device_code_add(&section, 1, 90, 0x2011, packed, (size_t)size, sizeof(text));
	assert_int_equal(uses_of(&section, 90, "k"), USE_WRITE);
	section.bytes[DEVICE_CODE_CONTAINER_BYTES + 56]--; /* the size that is stated */
	assert_int_equal(uses_of(&section, 90, "k"), UNKNOWN);
}
#endif

#ifdef HAS_ZSTD
TEST(test_zstd)
{
	static const char text[] = TEXT("k", WRITES);
	char packed[1024];
	struct device_code section = {0};
	const size_t size = ZSTD_compress(packed, sizeof(packed), text, sizeof(text), 3);

	device_code_begin(&section);
	device_code_add(&section, 1, 90, 0x8011, packed, size, sizeof(text));
	assert_int_equal(uses_of(&section, 90, "k"), USE_WRITE);
	section.bytes[DEVICE_CODE_CONTAINER_BYTES + DEVICE_CODE_ENTRY_BYTES + 20] ^= 1;
	assert_int_equal(uses_of(&section, 90, "k"), UNKNOWN);
	/* One that cannot be read may hide another version of any kernel. */
	device_code_begin(&section);
	device_code_add_text(&section, 90, TEXT("other", READS));
	assert_int_equal(uses_of(&section, 90, "other"), UNKNOWN);
}
#endif

TEST(test_stated_size_is_bounded)
{
	struct device_code section = {0};

	device_code_begin(&section);
	device_code_add(&section, 1, 90, 0x8011, "xxxx", 4, (size_t)1 << 60);
	assert_int_equal(uses_of(&section, 90, "k"), UNKNOWN);
}

/* Each byte of each header, and each length of the file: nothing crashes, and nothing wrong is known. */
TEST(test_damaged_files)
{
	char *folder = make_folder(), *path = memory_format("%s/file", folder);
	const struct kernel_file file = {.path = path};
	struct device_code section = {0}, damaged;

	device_code_begin(&section);
	device_code_add_machine_code(&section, 90);
	device_code_add_text(&section, 90, TEXT("k", WRITES));
	for (size_t size = 0; size < 1200; size += 7) {
		int uses;

		device_code_write(path, &section, ".nv_fatbin", size);
		uses = uses_in(&file, 1, 90, "k");
		assert_true(uses == UNKNOWN || uses == USE_WRITE);
	}
	for (size_t i = 0; i < DEVICE_CODE_CONTAINER_BYTES + 2 * DEVICE_CODE_ENTRY_BYTES + 8; i++)
		for (int value = 0; value < 256; value += 51) {
			damaged = section;
			damaged.bytes[i] = (char)value;
			device_code_write(path, &damaged, ".nv_fatbin", SIZE_MAX);
			uses_in(&file, 1, 90, "k");
		}
	remove_folder(folder);
	free(path);
	free(folder);
}

TEST(test_changed_file_is_unknown)
{
	char *folder = make_folder(), *path = memory_format("%s/file", folder);
	struct device_code section = {0};
	struct stat status;
	int64_t now_ns;

	device_code_begin(&section);
	device_code_add_text(&section, 90, TEXT("k", WRITES));
	device_code_write(path, &section, ".nv_fatbin", SIZE_MAX);
	assert_int_equal(stat(path, &status), 0);
	now_ns = status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;
	assert_int_equal(uses_in(&(struct kernel_file){path, "abcd", 0}, 1, 90, "k"), UNKNOWN);
	assert_int_equal(uses_in(&(struct kernel_file){path, NULL, now_ns}, 1, 90, "k"), USE_WRITE);
	assert_int_equal(uses_in(&(struct kernel_file){path, NULL, now_ns - 1}, 1, 90, "k"),
			 UNKNOWN);
	assert_int_equal(uses_in(&(struct kernel_file){"/nowhere", NULL, 0}, 1, 90, "k"), UNKNOWN);
	assert_int_equal(uses_in(&(struct kernel_file){folder, NULL, 0}, 1, 90, "k"), UNKNOWN);
	remove_folder(folder);
	free(path);
	free(folder);
}

/* More kernels and files than are read side by side. */
TEST(test_many_files)
{
	enum { FILES = 3, CONTAINERS = 40 };
	char *folder = make_folder(), *paths[FILES], *names[FILES * CONTAINERS];
	struct kernel_file files[FILES] = {{0}};
	const uint32_t architecture = 90;
	const struct kernel_search search = {.files = files,
					     .file_count = FILES,
					     .architectures = &architecture,
					     .architecture_count = 1,
					     .names = (const char *const *)names,
					     .name_count = FILES * CONTAINERS};
	struct kernel_answer *answers;

	for (size_t i = 0; i < FILES; i++) {
		struct device_code section = {0};

		for (size_t k = 0; k < CONTAINERS; k++) {
			char *text;

			names[i * CONTAINERS + k] = memory_format("k%zu", i * CONTAINERS + k);
			text = memory_format(".address_size 64\n.entry %s(.param .u64 p) {"
					     "ld.param.u64 %%rd1, [p]; %s }",
					     names[i * CONTAINERS + k], k % 2 ? READS : WRITES);
			device_code_begin(&section);
			device_code_add_text(&section, 90, text);
			free(text);
		}
		paths[i] = memory_format("%s/file%zu", folder, i);
		files[i].path = paths[i];
		device_code_write(paths[i], &section, ".nv_fatbin", SIZE_MAX);
	}
	answers = kernel_search(&search);
	for (size_t i = 0; i < FILES * CONTAINERS; i++) {
		assert_true(answers[i].is_known);
		assert_int_equal(kernel_uses_at(&answers[i].uses, 0, 0),
				 i % CONTAINERS % 2 ? USE_READ : USE_WRITE);
		free(names[i]);
	}
	kernel_answers_free(answers, FILES * CONTAINERS);
	for (size_t i = 0; i < FILES; i++)
		free(paths[i]);
	remove_folder(folder);
	free(folder);
}

#define SOURCE                                                                                     \
	"__global__ void scale(float *x, float *y, int n) { if (threadIdx.x < n) x[threadIdx.x] "  \
	"= "                                                                                       \
	"y[threadIdx.x]; }\n"

/* nvcc's own files, packed by zstd and by LZ4. */
TEST(test_files_of_nvcc)
{
	static const char *const modes[] = {"size", "speed"};
	char *folder, *path, *source, *command;
	FILE *file;

	if (system("nvcc --help 2>/dev/null | grep -q compress-mode"))
		skip(); /* no nvcc, or before 12.8 */
	folder = make_folder();
	source = memory_format("%s/scale.cu", folder);
	path = memory_format("%s/scale.o", folder);
	file = fopen(source, "w");
	assert_non_null(file);
	fputs(SOURCE, file);
	fclose(file);
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		command = memory_format("nvcc -arch=sm_90 -compress-mode=%s -c %s -o %s", modes[i],
					source, path);
		assert_int_equal(system(command), 0);
		free(command);
#if defined(HAS_LZ4) && defined(HAS_ZSTD)
		assert_int_equal(
			uses_in(&(struct kernel_file){.path = path}, 1, 90, "_Z5scalePfS_i"),
			USE_WRITE);
#endif
	}
	remove_folder(folder);
	free(path);
	free(source);
	free(folder);
}

/* What the kernel uses, by this image, on a device of sm_90. */
static int uses_of_image(const void *bytes, size_t size, const char *kernel)
{
	const uint32_t architecture = 90;
	const bool is_of_image = true;
	const struct kernel_image image = {bytes, size};
	const struct kernel_search search = {.architectures = &architecture,
					     .architecture_count = 1,
					     .names = &kernel,
					     .name_count = 1,
					     .images = &image,
					     .image_count = 1,
					     .are_of_images = &is_of_image};
	struct kernel_answer *answer = kernel_search(&search);
	const int uses = answer->is_known ? kernel_uses_at(&answer->uses, 0, 0) : UNKNOWN;

	kernel_answers_free(answer, 1);
	return uses;
}

/* Its machine code is the one that runs: of sm_90 without text nothing is known, whatever sm_80 does. */
TEST(test_fat_binary_as_image)
{
	struct device_code image = {0};

	device_code_begin(&image);
	device_code_add_text(&image, 80, TEXT("k", READS));
	assert_int_equal(uses_of_image(image.bytes, image.size, "k"), USE_READ);
	device_code_add_text(&image, 90, TEXT("k", WRITES));
	device_code_add_machine_code(&image, 90);
	assert_int_equal(uses_of_image(image.bytes, image.size, "k"), USE_WRITE);
	for (size_t size = 0; size < image.size; size++)
		uses_of_image(image.bytes, size, "k");
}

/* ptxas -lineinfo keeps the text in the machine code. */
TEST(test_text_in_machine_code)
{
	static const char *const options[] = {"-lineinfo", ""};

	for (size_t i = 0; i < 2; i++) {
		char *folder = make_folder();
		char *command = memory_format("cd %s && nvcc -arch=sm_90 %s -cubin -o k k.cu "
					      ">nvcc.log 2>&1",
					      folder, options[i]);
		char *source = memory_format("%s/k.cu", folder),
		     *path = memory_format("%s/k", folder);
		size_t size;
		char *code;
		FILE *file = fopen(source, "w");

		assert_non_null(file);
		fputs("extern \"C\" __global__ void k(float *p) { p[threadIdx.x] = 1; }\n", file);
		fclose(file);
		if (system(command))
			skip(); /* there is no nvcc here */
		code = read_file(path, &size);
		assert_int_equal(uses_of_image(code, size, "k"), i ? UNKNOWN : USE_WRITE);
		for (size_t cut = 0; cut < size; cut += 61)
			uses_of_image(code, cut, "k");
		free(code);
		free(path);
		free(source);
		free(command);
		remove_folder(folder);
		free(folder);
	}
}

RUN_TESTS(NULL, NULL)
