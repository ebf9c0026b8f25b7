/*
 * The forms of calls or of operations (trace.h): equal ones are one, as far as the last ones tell.
 *
 * What was kept long ago may be there twice: that costs memory, and nothing else. The forms are structs
 * of one size, a multiple of eight bytes, whose padding is zero. They stay where they are until
 * forms_free(). One thread at a time. Zero-initialize a struct forms but for element_bytes.
 */
#ifndef STREAMTRACE_TRACE_FORMS_H
#define STREAMTRACE_TRACE_FORMS_H

#include <stddef.h>

struct forms_block;

struct forms {
	size_t element_bytes;
	struct forms_block *blocks; /* the one in use first */
	const void **recent;	    /* by hash; NULL: none */
};

/* The form that is equal to this one: a copy of it, or what an earlier call returned. */
void *forms_keep(struct forms *forms, const void *form);

/* Each form, once. */
void forms_each(const struct forms *forms, void (*function)(void *context, void *form),
		void *context);

/* Forgets what there is, so that all later ones are new, and frees the memory for that. */
void forms_forget(struct forms *forms);

void forms_free(struct forms *forms);

#endif
