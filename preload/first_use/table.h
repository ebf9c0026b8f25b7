/*
 * The table of watches. Its size is fixed (1,024); any thread and any signal handler may end a
 * watch, without a lock.
 *
 * A watch for the first use is expected (its copy was made), in force (a wait has covered the copy,
 * the pages are protected), ended (until the writer has stored it), then free. An early watch is in
 * force from its copy's call on, and ended by a wait that covers the copy. A watch in force is
 * suspended while CUDA reads its inaccessible pages: they are accessible until first_use_resume().
 * Only sources may overlap: a page is given back with the last watch in force that has it.
 * first_use_expect(), first_use_begin(), first_use_arm() and first_use_resume() must be called with
 * first_use.c's lock held and signals blocked; first_use_suspend() needs no lock.
 */
#ifndef STREAMTRACE_FIRST_USE_TABLE_H
#define STREAMTRACE_FIRST_USE_TABLE_H

#include "first_use/link.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is watched. */
enum first_use_purpose {
	FIRST_USE_OF_RESULT, /* a copy's destination, from a wait on */
	EARLY_SOURCE, /* a copy's source, or what a kernel is given, from its call on: read-only */
	EARLY_DESTINATION, /* a copy's destination, from its call on */
};

static inline uint32_t first_use_thread_id(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

/* A copy whose memory is watched: its destination, or its source. */
struct first_use_copy {
	enum first_use_purpose purpose;
	uint64_t address, size_bytes;
	uintptr_t low, high; /* the pages that belong to this memory alone */
	uint32_t context;
	uint32_t correlation;
	uint64_t stream; /* its handle; 1: legacy, 2: per-thread default stream */
	uint64_t serial; /* number of the copy among the enqueued copies and recorded events */
	uint32_t thread_id;
	bool is_blocking;  /* the stream and the legacy default stream wait for each other */
	bool is_pageable;  /* on the heap */
	bool is_reachable; /* kernels can access it through the host's page tables */
	bool is_of_kernel; /* no copy, but an argument of a kernel: not counted where it is lost */
	uint64_t kernel;   /* then: a hash of the kernel's name; 0: unknown */
};

/* What the host has waited for: the copies that a wait covers. */
struct first_use_wait {
	int64_t time_ns;
	uint32_t context, thread_id;
	bool is_all;		   /* covers all streams of the context */
	uint64_t stream;	   /* otherwise: the stream covered, as in struct first_use_copy */
	uint32_t stream_thread_id; /* of a per-thread default stream: its thread */
	uint64_t serial;	   /* covers copies up to this serial, itself included */
	uint32_t correlation; /* not 0: covers only the copy with this id, whatever the other fields
			       * are */
	bool is_early_only;   /* ends early watches, and puts none in force */
};

/* Adds an expected watch. If the table is full, the oldest expected one is lost (counted). */
void first_use_expect(const struct first_use_copy *copy);

/* Puts an early watch in force. It is lost (counted) if the table is full of watches in force, or
 * if inaccessible pages of another one overlap it. An argument of a kernel takes over the watch in force
 * that the same kernel has of it in this stream, and leaves a quarter of the table to copies. */
void first_use_begin(const struct first_use_copy *copy);

/* Ends the early watches that the wait covers, and puts in force the expected ones: makes their
 * pages inaccessible. */
void first_use_arm(const struct first_use_wait *wait);

/* Call first_use_suspend() before a CUDA call that reads the range and first_use_resume() after it:
 * CUDA's own reads are no touches. Call first_use_resume() also if the CUDA call failed. Any
 * thread. */
void first_use_suspend(uintptr_t low, uintptr_t high);
void first_use_resume(uintptr_t low, uintptr_t high);

/* first_use_end() ends the watches in force or suspended that overlap the range of *use, but no
 * source where the use only reads; with is_expected also watches that no wait has covered. All watches overlap a range from 0 to
 * UINTPTR_MAX. first_use_end_in_force() is first_use_end() with is_expected false. Any thread. */
void first_use_end(const struct first_use *use, bool is_expected);
void first_use_end_in_force(const struct first_use *use);
/* Ends the watches in force whose memory kernels can access. Any thread. */
void first_use_end_reachable(void);

/* The function of struct first_use_watches (link.h). */
bool first_use_fault(uintptr_t address, uintptr_t instruction, const uintptr_t *stack,
		     enum first_use_kind kind);

/* first_use_open() allows watches to be put in force. first_use_close() forbids that, and ends all
 * watches in force with this kind. */
void first_use_open(void);
void first_use_close(enum first_use_kind kind);

extern _Atomic int first_use_count; /* number of watches in force */

/* Call in a forked child: frees the whole table, and makes all memory accessible. */
void first_use_forget(void);

#endif
