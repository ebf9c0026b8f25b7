/*
 * Shares equal forms of calls or of operations (trace.h): most are equal to one kept before.
 *
 * Only recent forms are compared, so a form kept long ago may exist twice, which costs only memory.
 * Forms are structs of one size, a multiple of eight bytes, with zeroed padding. They stay at their
 * address until forms_free(). Zero-initialize a struct forms except for element_bytes. One thread
 * at a time.
 */
#ifndef STREAMTRACE_TRACE_FORMS_H
#define STREAMTRACE_TRACE_FORMS_H

#include <stddef.h>

struct forms_block;

struct forms {
	size_t element_bytes;
	struct forms_block *blocks; /* the current block first */
	const void **recent;	    /* by hash; NULL: empty */
};

/* Returns a form equal to *form: an earlier one, or a new copy. */
void *forms_keep(struct forms *forms, const void *form);

/* Calls the function for each form. */
void forms_each(const struct forms *forms, void (*function)(void *context, void *form),
		void *context);

/* Frees the table of recent forms, so that later ones are always new. The forms stay. */
void forms_forget(struct forms *forms);

void forms_free(struct forms *forms);

#endif
