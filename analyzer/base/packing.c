#include "base/packing.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void put_byte(struct packing *packing, unsigned char byte)
{
	packing->bytes = memory_grow(packing->bytes, packing->size, &packing->capacity, 1);
	packing->bytes[packing->size++] = byte;
}

void pack_number(struct packing *packing, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		put_byte(packing, (unsigned char)(number | 0x80));
	put_byte(packing, (unsigned char)number);
}

void pack_signed(struct packing *packing, int64_t number)
{
	uint64_t sign = number < 0 ? UINT64_MAX : 0;

	pack_number(packing, ((uint64_t)number << 1) ^ sign);
}

void packing_add(struct packing *packing, const void *bytes, size_t size)
{
	while (packing->capacity - packing->size < size)
		packing->bytes =
			memory_grow(packing->bytes, packing->capacity, &packing->capacity, 1);
	if (size)
		memcpy(packing->bytes + packing->size, bytes, size);
	packing->size += size;
}

void pack_bytes(struct packing *packing, const void *bytes, size_t size)
{
	pack_number(packing, size);
	packing_add(packing, bytes, size);
}

uint64_t unpack_number(struct unpacking *unpacking)
{
	uint64_t number = 0;

	for (unsigned int shift = 0; shift < 64 && unpacking->size; shift += 7) {
		unsigned char byte = *unpacking->bytes++;

		unpacking->size--;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return number;
	}
	unpacking->is_damaged = true;
	unpacking->size = 0;
	return 0;
}

int64_t unpack_signed(struct unpacking *unpacking)
{
	uint64_t number = unpack_number(unpacking);

	return (int64_t)(number >> 1 ^ (number & 1 ? UINT64_MAX : 0));
}

const void *unpack_bytes(struct unpacking *unpacking, size_t *size)
{
	const unsigned char *bytes;

	*size = unpack_count(unpacking);
	bytes = unpacking->bytes;
	unpacking->bytes += *size;
	unpacking->size -= *size;
	return bytes;
}

size_t unpack_count(struct unpacking *unpacking)
{
	uint64_t count = unpack_number(unpacking);

	if (count <= unpacking->size)
		return (size_t)count;
	unpacking->is_damaged = true;
	unpacking->size = 0;
	return 0;
}

void pack_text(struct packing *packing, const char *text)
{
	pack_bytes(packing, text, strlen(text));
}

char *unpack_text(struct unpacking *unpacking)
{
	size_t size;
	const char *bytes = unpack_bytes(unpacking, &size);
	char *text = memory_format("%.*s", (int)(size < INT32_MAX ? size : 0), bytes);
	struct arena arena = {0};
	char *safe = memory_format("%s", arena_text(&arena, text));

	arena_free(&arena);
	free(text);
	return safe;
}
