/*
 * The list of findings that are known and may stay: a text file, one entry a line.
 *
 *	# a comment
 *	pageable-copy  load.cu:load_batch -- the library owns these buffers, see issue 41
 *	*              legacy.cu           -- to be removed in March
 *
 * An entry is the id of a detector or *, a place, " -- " and a reason. All three are required. The
 * place is FILE or FILE:FUNCTION, with the wildcards of a shell. FILE matches the end of a path, from
 * a / on: load.cu matches every load.cu. For a finding without a source file, FILE matches the path of
 * the module. An entry with a line number is an error: edits move lines. One thread.
 */
#ifndef STREAMTRACE_GATE_ALLOWED_H
#define STREAMTRACE_GATE_ALLOWED_H

#include "base/vector.h"

struct allowed_entry {
	const char *id, *place, *reason;
	int line;     /* of the list, from 1 on */
	bool is_used; /* a finding matched the entry: set by allowed_reason() */
};

struct allowed {
	const char *path;
	VECTOR(struct allowed_entry) entries;
	struct arena arena;
};

/* Reads the list in the file at path, of up to 1 MB. The result keeps the pointer path, which must outlive
 * it; release it with allowed_free(). On failure it returns NULL, and *error is one line without the path,
 * which the caller frees. On success *error is NULL or unchanged. */
struct allowed *allowed_load(const char *path, char **error);

/* Like allowed_load(), of a list in memory: text, which it overwrites and does not need afterwards. On
 * success *error is NULL. */
struct allowed *allowed_read(const char *path, char *text, char **error);

/* Why the finding is allowed: the reason of the first entry that matches; NULL: no entry does. Marks every
 * entry that matches as used. file: the finding's source file, else its module, else NULL. function: NULL
 * if it is not known. The reason belongs to allowed. */
const char *allowed_reason(struct allowed *allowed, const char *id, const char *file,
			   const char *function);

/* Iterates over the entries that are not used. The caller sets *index to 0 before the first call. NULL: there
 * are no more. */
const struct allowed_entry *allowed_unused(const struct allowed *allowed, size_t *index);

void allowed_free(struct allowed *allowed);

#endif
