/*
 * Forms (trace.h) for traces that a test makes: one for each call and each operation, which the test may
 * change as long as it has fewer than FORMS_MOST of them.
 */
#ifndef STREAMTRACE_TEST_FORMS_H
#define STREAMTRACE_TEST_FORMS_H

#include "trace/trace.h"

#define FORMS_MOST 8192

static inline struct trace_call_form *call_form(struct trace_call_form form)
{
	static struct trace_call_form forms[FORMS_MOST];
	static size_t next;
	struct trace_call_form *taken = &forms[next++ % FORMS_MOST];

	*taken = form;
	return taken;
}

static inline struct trace_operation_form *operation_form(struct trace_operation_form form)
{
	static struct trace_operation_form forms[FORMS_MOST];
	static size_t next;
	struct trace_operation_form *taken = &forms[next++ % FORMS_MOST];

	*taken = form;
	return taken;
}

/* To be changed. */
static inline struct trace_call_form *form_of_call(const struct trace_call *call)
{
	return (struct trace_call_form *)call->form;
}

static inline struct trace_operation_form *form_of(const struct trace_operation *operation)
{
	return (struct trace_operation_form *)operation->form;
}

#endif
