#include "ptx/fatbin.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#ifdef HAS_LZ4
#include <lz4.h>
#endif
#ifdef HAS_ZSTD
#include <zstd.h>
#endif

#define CONTAINER_MAGIC 0xba55ed50
#define CONTAINER_BYTES 16
#define ENTRY_BYTES	64
#define ALIGNMENT	8 /* of containers, between which zeros may lie */

enum { KIND_TEXT = 1, KIND_CODE = 2 };

#define FLAG_LZ4      UINT64_C(0x2000)
#define FLAG_ZSTD     UINT64_C(0x8000)
#define FLAG_SPECIFIC UINT64_C(0x100000)

static uint64_t number_at(const char *bytes, size_t size)
{
	uint64_t number = 0;

	memcpy(&number, bytes, size);
	return number;
}

bool fatbin_is(const char *bytes, size_t size)
{
	return size >= CONTAINER_BYTES && number_at(bytes, 4) == CONTAINER_MAGIC;
}

/* Moves to the next container's first entry. */
static bool enter_container(struct fatbin_walk *walk)
{
	walk->at = (walk->at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	for (; walk->size >= CONTAINER_BYTES && walk->at <= walk->size - CONTAINER_BYTES;
	     walk->at += ALIGNMENT) {
		const char *header = walk->bytes + walk->at;
		const size_t left = walk->size - walk->at;
		uint64_t header_size, size;

		if (number_at(header, 4) != CONTAINER_MAGIC)
			continue;
		header_size = number_at(header + 6, 2);
		size = number_at(header + 8, 8);
		if (header_size < CONTAINER_BYTES || header_size > left ||
		    size > left - header_size)
			return false;
		walk->at += header_size;
		walk->container_end = walk->at + size;
		walk->containers++;
		return true;
	}
	return false;
}

static bool read_entry(const struct fatbin_walk *walk, struct fatbin_entry *entry)
{
	const char *header = walk->bytes + walk->at;
	const uint64_t flags = number_at(header + 40, 8), packed_size = number_at(header + 16, 4);
	const uint64_t kind = number_at(header, 2);

	entry->is_text = kind == KIND_TEXT;
	entry->is_specific = flags & FLAG_SPECIFIC;
	entry->architecture = (uint32_t)number_at(header + 28, 4);
	entry->container = walk->containers - 1;
	entry->packing = flags & FLAG_ZSTD  ? FATBIN_ZSTD
			 : flags & FLAG_LZ4 ? FATBIN_LZ4
					    : FATBIN_PLAIN;
	entry->unpacked_size = entry->size;
	if (entry->packing != FATBIN_PLAIN) {
		if (packed_size > entry->size)
			return false;
		entry->size = packed_size;
		entry->unpacked_size = number_at(header + 56, 8);
	}
	return entry->is_text || kind == KIND_CODE;
}

bool fatbin_next(struct fatbin_walk *walk, struct fatbin_entry *entry)
{
	for (;;) {
		size_t left = walk->container_end - walk->at;
		uint64_t header_size, size;
		bool is_code;

		if (walk->at >= walk->container_end || left < ENTRY_BYTES) {
			if (walk->at < walk->container_end)
				walk->at = walk->container_end;
			if (!enter_container(walk))
				return false;
			continue;
		}
		header_size = number_at(walk->bytes + walk->at + 4, 4);
		size = number_at(walk->bytes + walk->at + 8, 8);
		if (header_size < ENTRY_BYTES || header_size > left || size > left - header_size)
			return false;
		entry->bytes = walk->bytes + walk->at + header_size;
		entry->size = size;
		is_code = read_entry(walk, entry);
		walk->at += header_size + size;
		if (is_code)
			return true;
	}
}

static bool unpack_text(const struct fatbin_entry *entry, char *text)
{
	switch (entry->packing) {
	case FATBIN_PLAIN:
		memcpy(text, entry->bytes, entry->size);
		return true;
	case FATBIN_LZ4:
#ifdef HAS_LZ4
		return entry->size <= LZ4_MAX_INPUT_SIZE &&
		       LZ4_decompress_safe(entry->bytes, text, (int)entry->size,
					   (int)entry->unpacked_size) == (int)entry->unpacked_size;
#endif
		return false;
	case FATBIN_ZSTD:
#ifdef HAS_ZSTD
		return ZSTD_decompress(text, entry->unpacked_size, entry->bytes, entry->size) ==
		       entry->unpacked_size;
#endif
		return false;
	}
	return false;
}

char *fatbin_unpack(const struct fatbin_entry *entry, size_t *size)
{
	char *text;

	if (entry->unpacked_size > FATBIN_TEXT_MOST)
		return NULL;
	text = malloc(entry->unpacked_size + 1);
	if (!text)
		return NULL;
	if (!unpack_text(entry, text)) {
		free(text);
		return NULL;
	}
	text[entry->unpacked_size] = '\0';
	*size = strlen(text); /* zeros may follow */
	return text;
}
