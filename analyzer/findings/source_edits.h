/*
 * The fixes of findings as changes of the source (rewrite/rewrite.h makes them). Texts belong to struct source_edits,
 * or are static. Any thread may read.
 */
#ifndef STREAMTRACE_SOURCE_EDITS_H
#define STREAMTRACE_SOURCE_EDITS_H

#include "base/memory.h"

struct source_edit {
	const char *diff;    /* unified, for patch -p1 in `folder`; NULL: there is none */
	const char *why_not; /* half a sentence, safe to print; NULL: there is a diff */
	const char *folder;  /* the current folder, or "/" for a file outside of it */
	const char *file;    /* the path that was read; NULL: none was */
	const char
		*needs; /* what must hold besides finding.relies_on, without a full stop; or NULL */
};

struct source_edits {
	struct source_edit *items; /* by index in findings.items */
	struct arena arena;
};

/* edits may be NULL. */
void source_edits_free(struct source_edits *edits);

#endif
