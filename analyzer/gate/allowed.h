/*
 * The list of findings that are known and may stay: a text file, one entry a line.
 *
 *	# a comment
 *	pageable-copy  load.cu:load_batch -- the library owns these buffers, see issue 41
 *	*              legacy.cu           -- to be removed in March
 *
 * An entry is the id of a detector or *, a place, " -- " and the reason, which must be there. The
 * place is FILE or FILE:FUNCTION, with the wildcards of a shell. FILE is as much of the path as tells
 * it apart, from its end: load.cu is each load.cu. Where there is no line it is the name of the
 * module. No line numbers: edits move them. One thread.
 */
#ifndef STREAMTRACE_GATE_ALLOWED_H
#define STREAMTRACE_GATE_ALLOWED_H

#include "base/vector.h"

struct allowed_entry {
	const char *id, *place, *reason;
	int line; /* in the list */
	bool is_used;
};

struct allowed {
	const char *path;
	VECTOR(struct allowed_entry) entries;
	struct arena arena;
};

/* Reads the list, of up to 1 MB. path must outlive it. NULL: *error is one line without the path, malloc'ed. */
struct allowed *allowed_load(const char *path, char **error);

/* The same of a list that is in memory, which it changes. */
struct allowed *allowed_read(const char *path, char *text, char **error);

/* Why the finding is allowed: the reason of the first entry that matches, which all that do count as
 * used; or NULL. file: its path, or its module's; or NULL. function: or NULL. */
const char *allowed_reason(struct allowed *allowed, const char *id, const char *file,
			   const char *function);

/* The next entry, from *index on, that nothing matched; NULL: there is none. */
const struct allowed_entry *allowed_unused(const struct allowed *allowed, size_t *index);

void allowed_free(struct allowed *allowed);

#endif
