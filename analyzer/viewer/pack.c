#include "viewer/pack.h"

#include "base/parallel.h"

#include <string.h>
#include <zlib.h>

/* A page reads some of these for a view: more would make it wait, less would compress worse. */
#define BLOCK_BYTES (192u << 10)

/* Nearly as small as 6, in half of the time. */
#define LEVEL 4

static struct pack_block *open_block(struct pack *pack)
{
	struct pack_block *last =
		pack->blocks.count ? &pack->blocks.items[pack->blocks.count - 1] : NULL;

	if (last && last->size < BLOCK_BYTES)
		return last;
	last = vector_add(&pack->blocks);
	*last = (struct pack_block){.id = pack->first_id + 2 * (int)(pack->blocks.count - 1)};
	return last;
}

struct pack_place pack_add(struct pack *pack, const void *bytes, size_t size)
{
	struct pack_block *block = open_block(pack);
	struct pack_place place = {block->id, block->size};

	if (block->capacity - block->size < size) {
		uint8_t *room = memory_array(2 * block->size + size, 1);

		if (block->size)
			memcpy(room, block->bytes, block->size);
		free(block->bytes);
		block->bytes = room;
		block->capacity = 2 * block->size + size;
	}
	if (size)
		memcpy(block->bytes + block->size, bytes, size);
	block->size += size;
	return place;
}

/* One that could not be compressed has no bytes afterwards. */
static void compress_block(void *context, size_t index)
{
	struct pack_block *block = (struct pack_block *)context + index;
	uLongf size = compressBound(block->size);
	uint8_t *room = memory_array(size, 1);

	if (compress2(room, &size, block->bytes, block->size, LEVEL) != Z_OK)
		size = 0;
	free(block->bytes);
	block->bytes = memory_shrink(room, size, 1);
	block->size = size;
}

static void write_base64(const uint8_t *bytes, size_t size, FILE *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char text[4 * 1024] = "";
	size_t length = 0;

	for (size_t i = 0; i < size; i += 3) {
		size_t left = size - i;
		uint32_t group = (uint32_t)bytes[i] << 16 |
				 (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
				 (left > 2 ? bytes[i + 2] : 0);

		text[length++] = digits[group >> 18];
		text[length++] = digits[group >> 12 & 63];
		text[length++] = left > 1 ? digits[group >> 6 & 63] : '=';
		text[length++] = left > 2 ? digits[group & 63] : '=';
		if (length == sizeof(text)) {
			fwrite(text, 1, length, out);
			length = 0;
		}
	}
	fwrite(text, 1, length, out);
}

bool pack_write(struct pack *pack, FILE *out)
{
	parallel_run(pack->blocks.count, compress_block, pack->blocks.items);
	for (size_t i = 0; i < pack->blocks.count; i++) {
		const struct pack_block *block = &pack->blocks.items[i];

		if (!block->size)
			return false;
		fprintf(out, "<script type=\"text/plain\" id=\"b%d\">", block->id);
		write_base64(block->bytes, block->size, out);
		fputs("</script>\n", out);
	}
	return true;
}

void pack_free(struct pack *pack)
{
	for (size_t i = 0; i < pack->blocks.count; i++)
		free(pack->blocks.items[i].bytes);
	vector_free(&pack->blocks);
}
