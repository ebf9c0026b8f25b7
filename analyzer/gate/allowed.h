/*
 * The list of findings that are known and may stay: a text file, one entry a line.
 *
 *	# a comment
 *	pageable-copy  load.cu:load_batch -- the library owns these buffers, see issue 41
 *	*              legacy.cu           -- to be removed in March
 *
 * An entry is the id of a detector or *, a place, " -- " and a reason. All are required. The place
 * is FILE or FILE:FUNCTION, with the wildcards of a shell. FILE matches the end of a path, from a /
 * on: load.cu matches every load.cu. If a finding has no source file, FILE matches the path of its
 * module. A line number as FUNCTION is an error: edits move lines. One thread.
 */
#ifndef STREAMTRACE_GATE_ALLOWED_H
#define STREAMTRACE_GATE_ALLOWED_H

#include "base/vector.h"

struct allowed_entry {
	const char *id, *place, *reason;
	int line;     /* the entry's line in the list, from 1 on */
	bool is_used; /* a finding matched the entry: set by allowed_reason() */
};

struct allowed {
	const char *path;
	VECTOR(struct allowed_entry) entries;
	struct arena arena;
};

/* Reads the list in the file at path, of up to 1 MB. Release the list with allowed_free(). The list
 * keeps the pointer path, which must outlive it. NULL: failure, and *error is one line without the
 * path, which the caller frees. On success *error is NULL. */
struct allowed *allowed_load(const char *path, char **error);

/* Like allowed_load(), for a list in memory. text: the list, which is overwritten, and can be freed
 * afterwards. path: only for messages. */
struct allowed *allowed_read(const char *path, char *text, char **error);

/* Why the finding is allowed: the reason of the first entry that matches the finding. NULL: no
 * entry matches. Marks every entry that matches as used. file: the finding's source file, else its
 * module, else NULL. function: NULL if not known. The reason belongs to `allowed`. */
const char *allowed_reason(struct allowed *allowed, const char *id, const char *file,
			   const char *function);

/* Returns the next entry that is not used. NULL: there are no more. The caller sets *index to 0
 * before the first call. */
const struct allowed_entry *allowed_unused(const struct allowed *allowed, size_t *index);

/* Frees the list with all texts. allowed must not be NULL. */
void allowed_free(struct allowed *allowed);

#endif
