/*
 * Writes protocol buffers field by field into memory. The length of a message inside a message always takes
 * four bytes, which readers accept, so that nothing is moved when the length is known. Out of memory ends
 * the program. One thread at a time for each message.
 */
#ifndef STREAMTRACE_EXPORT_PROTOBUF_H
#define STREAMTRACE_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* A message. Zero-initialize it; the caller frees bytes. */
struct protobuf {
	unsigned char *bytes;
	size_t count, capacity;
};

void protobuf_number(struct protobuf *message, unsigned field, uint64_t value);
void protobuf_text(struct protobuf *message, unsigned field, const char *text);
/* The bytes of another message, or of a packed field. */
void protobuf_bytes(struct protobuf *message, unsigned field, const struct protobuf *bytes);

/* Begins a message inside message, as the field. Fields written from here on are of the inner message, until the
 * result is passed to protobuf_end(). The inner message must be below 256 MB. */
size_t protobuf_begin(struct protobuf *message, unsigned field);
void protobuf_end(struct protobuf *message, size_t begun);

#endif
