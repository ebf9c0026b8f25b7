/*
 * Protocol buffers, written field by field into memory. Messages inside messages have a length of four
 * bytes, which readers take like a shorter one, so that nothing is moved when it is known. Out of memory
 * ends the program. One thread each.
 */
#ifndef STREAMTRACE_EXPORT_PROTOBUF_H
#define STREAMTRACE_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* Zero-initialize it; the bytes are freed with free(). */
struct protobuf {
	unsigned char *bytes;
	size_t count, capacity;
};

void protobuf_number(struct protobuf *message, unsigned field, uint64_t value);
void protobuf_text(struct protobuf *message, unsigned field, const char *text);
/* The bytes of another message, or of a packed field. */
void protobuf_bytes(struct protobuf *message, unsigned field, const struct protobuf *bytes);

/* A message within it, of less than 256 MB, from here to protobuf_end() of what this returns. */
size_t protobuf_begin(struct protobuf *message, unsigned field);
void protobuf_end(struct protobuf *message, size_t begun);

#endif
