/*
 * Shares equal forms of calls or of operations (trace.h): most forms are equal to an earlier form.
 *
 * Only recent forms are compared, so two equal forms may be kept, which costs only memory. Forms
 * are structs of element_bytes, a multiple of eight, with zeroed padding. A kept form stays at its
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

/* Returns a form equal to *form, owned by *forms: an earlier one, or a new copy. */
void *forms_keep(struct forms *forms, const void *form);

/* Calls function(context, form) for each form, in no particular order. It may change the form. */
void forms_each(const struct forms *forms, void (*function)(void *context, void *form),
		void *context);

/* Frees the table of recent forms, when no more forms come. The forms stay; a form kept later is
 * not compared with them. */
void forms_forget(struct forms *forms);

/* Frees all forms. */
void forms_free(struct forms *forms);

#endif
