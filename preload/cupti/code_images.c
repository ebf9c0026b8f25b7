#include "cupti/code_images.h"

#include "base/loaded.h"
#include "base/losses.h"
#include "base/options.h"
#include "store/store.h"

#include <elf.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* NVIDIA's fatbinary.h and fatBinaryCtl.h have the layouts: nothing else begins with these. */
#define FATBIN_MAGIC	     0xba55ed50u
#define FATBIN_WRAPPER_MAGIC 0x466243b1u

struct fatbin_header {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes; /* behind the header */
};

struct fatbin_wrapper {
	uint32_t magic, version;
	const void *fatbin;
};

struct image {
	struct image *next;
	size_t size;
	char bytes[];
};

static struct image *_Atomic images;	     /* queued for the writer */
static _Atomic uint64_t hashes[IMAGES_MOST]; /* of the images so far, in any order; 0: none */
static _Atomic uint64_t kept_bytes;

static const CUpti_CallbackId calls[] = {
	CUPTI_DRIVER_TRACE_CBID_cuModuleLoad,	    CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData,
	CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx, CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary,
	CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData,  CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile,
};

void code_images_enable(CUpti_SubscriberHandle subscriber)
{
	for (size_t i = 0; options.races && i < sizeof(calls) / sizeof(calls[0]); i++)
		cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, calls[i]);
}

/* FNV-1a. */
static uint64_t hash_of(const char *bytes, size_t size)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}

enum adding { IS_NEW, IS_KNOWN, NO_ROOM };

static enum adding add_hash(uint64_t hash)
{
	for (size_t i = 0; i < IMAGES_MOST; i++) {
		_Atomic uint64_t *slot = &hashes[(hash + i) % IMAGES_MOST];
		uint64_t known = 0;

		if (atomic_compare_exchange_strong(slot, &known, hash))
			return IS_NEW;
		if (known == hash)
			return IS_KNOWN;
	}
	return NO_ROOM;
}

static bool take_bytes(size_t size)
{
	if (atomic_fetch_add(&kept_bytes, size) <= IMAGES_BYTES_MOST - size)
		return true;
	atomic_fetch_sub(&kept_bytes, size);
	return false;
}

static void keep_image(const char *bytes, size_t size)
{
	enum adding adding = size > IMAGES_BYTES_MOST ? NO_ROOM : add_hash(hash_of(bytes, size));
	struct image *image = NULL;

	if (adding == IS_KNOWN)
		return;
	if (adding == IS_NEW && take_bytes(size))
		image = malloc(sizeof(*image) + size);
	if (!image) {
		losses_count(LOSS_CODE, 1);
		return;
	}
	image->size = size;
	memcpy(image->bytes, bytes, size);
	image->next = atomic_load(&images);
	while (!atomic_compare_exchange_weak(&images, &image->next, image))
		;
}

static uint64_t later_end(uint64_t end, uint64_t start, uint64_t bytes)
{
	return start + bytes > end ? start + bytes : end;
}

/* Whatever its headers name. The driver has accepted it, so they are sound. */
static size_t elf_bytes(const char *elf)
{
	Elf64_Ehdr header;
	uint64_t end;

	memcpy(&header, elf, sizeof(header));
	end = later_end(sizeof(header), header.e_shoff,
			(uint64_t)header.e_shnum * sizeof(Elf64_Shdr));
	end = later_end(end, header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr));
	for (unsigned i = 0; i < header.e_shnum; i++) {
		Elf64_Shdr section;

		memcpy(&section, elf + header.e_shoff + i * sizeof(section), sizeof(section));
		if (section.sh_type != SHT_NOBITS)
			end = later_end(end, section.sh_offset, section.sh_size);
	}
	return end;
}

static void keep_code(const void *code)
{
	struct fatbin_wrapper wrapper = {.fatbin = code};
	struct fatbin_header header;

	/* Texts may be shorter than a header. */
	if (!memcmp(code, ELFMAG, SELFMAG)) {
		keep_image(code, elf_bytes(code));
		return;
	}
	memcpy(&wrapper.magic, code, sizeof(wrapper.magic));
	if (wrapper.magic == FATBIN_WRAPPER_MAGIC)
		memcpy(&wrapper, code, sizeof(wrapper));
	memcpy(&header.magic, wrapper.fatbin, sizeof(header.magic));
	if (header.magic != FATBIN_MAGIC) {
		keep_image(code, strnlen(code, IMAGES_BYTES_MOST + 1));
		return;
	}
	memcpy(&header, wrapper.fatbin, sizeof(header));
	if (!loaded_contains(wrapper.fatbin))
		keep_image(wrapper.fatbin, header.header_bytes + header.bytes);
}

static void keep_opened(int file)
{
	struct stat status;
	char *bytes = NULL;

	if (!fstat(file, &status) && status.st_size > 0 && status.st_size <= IMAGES_BYTES_MOST)
		bytes = malloc((size_t)status.st_size);
	if (bytes && read(file, bytes, (size_t)status.st_size) == status.st_size)
		keep_image(bytes, (size_t)status.st_size);
	else
		losses_count(LOSS_CODE, 1);
	free(bytes);
}

static void keep_file(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);

	if (file < 0) {
		losses_count(LOSS_CODE, 1);
		return;
	}
	keep_opened(file);
	close(file);
}

static void keep_loaded(CUpti_CallbackId cbid, const void *params)
{
	switch (cbid) {
	case CUPTI_DRIVER_TRACE_CBID_cuModuleLoad:
		keep_file(((const cuModuleLoad_params *)params)->fname);
		break;
	case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData:
		keep_code(((const cuModuleLoadData_params *)params)->image);
		break;
	case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx:
		keep_code(((const cuModuleLoadDataEx_params *)params)->image);
		break;
	case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary:
		keep_code(((const cuModuleLoadFatBinary_params *)params)->fatCubin);
		break;
	case CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData:
		keep_code(((const cuLibraryLoadData_params *)params)->code);
		break;
	default:
		keep_file(((const cuLibraryLoadFromFile_params *)params)->fileName);
	}
}

bool code_images_take(CUpti_CallbackId cbid, const CUpti_CallbackData *data)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (calls[i] != cbid)
			continue;
		if (data->callbackSite == CUPTI_API_EXIT &&
		    *(const CUresult *)data->functionReturnValue == CUDA_SUCCESS)
			keep_loaded(cbid, data->functionParams);
		return true;
	}
	return false;
}

void code_images_store(struct store *store)
{
	struct image *image = atomic_exchange(&images, NULL), *next;

	for (; image; image = next) {
		next = image->next;
		store_code_image(store, image->bytes, image->size);
		free(image);
	}
}

void code_images_after_fork(void)
{
	atomic_store(&images, NULL);
	for (size_t i = 0; i < IMAGES_MOST; i++)
		atomic_store(&hashes[i], 0);
	atomic_store(&kept_bytes, 0);
}
