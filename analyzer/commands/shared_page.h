/*
 * Memory that this process shares with the programs that it starts, and that they find by a path: a memfd that keeps
 * its size. One thread.
 */
#ifndef STREAMTRACE_SHARED_PAGE_H
#define STREAMTRACE_SHARED_PAGE_H

#include <stddef.h>
#include <stdint.h>

struct shared_page {
	void *memory; /* zeroed; NULL: it could not be made */
	size_t bytes;
	char path[64];	/* of the file, while this process has it; "": none */
	uint64_t inode; /* tells it from the pages that have this path later */
	int file;
};

/* Makes it. Call before the program starts, and shared_page_free() in the end. */
struct shared_page shared_page_make(size_t bytes);
void shared_page_free(struct shared_page *page);

#endif
