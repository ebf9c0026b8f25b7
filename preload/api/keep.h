/*
 * The macros of the last column of calls.def and driver_calls.def: which arguments of a call its
 * record keeps. Each sets fields of the variable `record`, and the bits in record->has for them.
 */
#ifndef STREAMTRACE_KEEP_H
#define STREAMTRACE_KEEP_H

#include "content/awaited.h"
#include "content/content.h"
#include "recorder/record.h"

#define KEEP(bit, field, value)                                                                    \
	(record->has |= RECORD_HAS_##bit, record->field = (uint64_t)(value));

#define KEEP_STREAM(handle)  KEEP(STREAM, stream, handle)
#define KEEP_OBJECT(handle)  KEEP(OBJECT, object, handle)
#define KEEP_SOURCE(graph)   KEEP(SRC, src, graph)
#define KEEP_DST(address, n) KEEP(DST, dst, address) KEEP(SIZE, size_bytes, n)
#define KEEP_FREED(address)  KEEP(DST, dst, address)
#define KEEP_COPY(to, from, n, direction)                                                          \
	KEEP(DST, dst, to)                                                                         \
	KEEP(SRC, src, from)                                                                       \
	KEEP(SIZE, size_bytes, n)                                                                  \
	(record->has |= RECORD_HAS_COPY_KIND, record->copy_kind = (uint8_t)(direction));

/* Of a launch; args: the addresses of its arguments, which cupti/launch_arguments.c reads. */
#define KEEP_KERNEL(handle, args) KEEP_OBJECT(handle)

/* For a copy of consecutive bytes: hashes them (content/content.h). waits: the call returns only
 * after a copy to the host is done. */
#define KEEP_CONTENT(waits) content_note(record, waits);

/* KEEP_WAITED: for a call that has waited for its stream; is_device: for the whole device.
 * KEEP_TOLD: for a call that may tell the program that copies are done, without telling which. */
#define KEEP_WAITED(is_device) content_waited(record, is_device);
#define KEEP_TOLD	       content_await_none();

/* Output parameters are valid only if the call succeeded. */
#define KEEP_CREATED(pointer)                                                                      \
	if (record->result == 0 && (pointer))                                                      \
	KEEP(OBJECT, object, *(pointer))
#define KEEP_ALLOCATED(pointer, n)                                                                 \
	if (record->result == 0 && (pointer)) {                                                    \
		KEEP(DST, dst, *(pointer)) KEEP(SIZE, size_bytes, n)                               \
	}

#endif
