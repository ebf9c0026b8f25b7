#include "export/protobuf.h"

#include "base/memory.h"

#include <string.h>

enum wire { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

#define LENGTH_BYTES 4

static unsigned char *make_room(struct protobuf *message, size_t bytes)
{
	while (message->capacity - message->count < bytes)
		message->bytes =
			memory_grow(message->bytes, message->capacity, &message->capacity, 1);
	return message->bytes + message->count;
}

static void put_number(struct protobuf *message, uint64_t value)
{
	unsigned char *at = make_room(message, 10);

	for (; value >= 0x80; value >>= 7)
		*at++ = (unsigned char)(value | 0x80);
	*at++ = (unsigned char)value;
	message->count = (size_t)(at - message->bytes);
}

static void put_tag(struct protobuf *message, unsigned field, enum wire wire)
{
	put_number(message, (uint64_t)field << 3 | wire);
}

void protobuf_number(struct protobuf *message, unsigned field, uint64_t value)
{
	put_tag(message, field, WIRE_NUMBER);
	put_number(message, value);
}

static void put_bytes(struct protobuf *message, unsigned field, const void *bytes, size_t count)
{
	put_tag(message, field, WIRE_BYTES);
	put_number(message, count);
	if (count)
		memcpy(make_room(message, count), bytes, count);
	message->count += count;
}

void protobuf_text(struct protobuf *message, unsigned field, const char *text)
{
	put_bytes(message, field, text, strlen(text));
}

void protobuf_bytes(struct protobuf *message, unsigned field, const struct protobuf *bytes)
{
	put_bytes(message, field, bytes->bytes, bytes->count);
}

size_t protobuf_begin(struct protobuf *message, unsigned field)
{
	put_tag(message, field, WIRE_BYTES);
	make_room(message, LENGTH_BYTES);
	message->count += LENGTH_BYTES;
	return message->count;
}

void protobuf_end(struct protobuf *message, size_t begun)
{
	size_t length = message->count - begun;

	for (int i = LENGTH_BYTES; i > 0; i--, length >>= 7)
		message->bytes[begun - (size_t)i] =
			(unsigned char)((length & 0x7f) | (i > 1 ? 0x80 : 0));
}
