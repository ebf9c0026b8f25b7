/*
 * Which host memory of a copy can be watched.
 *
 * Call on the program's thread after the copy's call, between memory_queries_begin() and
 * memory_queries_end() (memory_kind.h).
 */
#ifndef STREAMTRACE_FIRST_USE_WATCHABLE_H
#define STREAMTRACE_FIRST_USE_WATCHABLE_H

#include "first_use/memory_kind.h"
#include "first_use/table.h"
#include "recorder/record.h"

enum { COPY_TO_DEVICE = 1, COPY_TO_HOST = 2, COPY_DEFAULT = 4 }; /* cudaMemcpyKind */

struct watchable_question {
	const struct record *arguments; /* of the copy */
	enum first_use_purpose purpose;
	bool has_free;	   /* as in struct first_use_touch */
	bool is_of_kernel; /* no copy: pinned memory that a kernel was given. Not counted */
};

/* Sets the purpose, the memory and what kind of memory it is, and leaves the rest of *copy 0.
 * pinned: the result of pinned_find() for the memory. False: the copy has no such memory, or it
 * cannot be watched (a copy is counted as a loss). */
bool watchable_find(const struct watchable_question *question, const struct pinned *pinned,
		    struct first_use_copy *copy);

#endif
