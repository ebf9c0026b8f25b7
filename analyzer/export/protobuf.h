/*
 * Writes protocol buffers field by field into memory. The length of a message inside a message always takes
 * four bytes, which readers accept, so that nothing is moved when the length is known. Out of memory ends
 * the program. One thread at a time for each message.
 */
#ifndef STREAMTRACE_EXPORT_PROTOBUF_H
#define STREAMTRACE_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* A message of `count` bytes. Zero-initialize the struct; the caller frees bytes with free(). Setting count to 0
 * begins a new message in the same memory. */
struct protobuf {
	unsigned char *bytes;
	size_t count, capacity;
};

/* Each function appends a field, given by its number, to the message. */
void protobuf_number(struct protobuf *message, unsigned field, uint64_t value);
void protobuf_text(struct protobuf *message, unsigned field, const char *text);

/* Appends a copy of the bytes: another message, or a packed field. */
void protobuf_bytes(struct protobuf *message, unsigned field, const struct protobuf *bytes);

/* Begins an inner message as a field of message. Fields that are appended to message after this call are of the
 * inner message, until the caller passes the result to protobuf_end() as begun. The inner message must be smaller
 * than 2^28 bytes. */
size_t protobuf_begin(struct protobuf *message, unsigned field);
void protobuf_end(struct protobuf *message, size_t begun);

#endif
