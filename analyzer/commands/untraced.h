/*
 * Why a run has no trace, by what libstrace.so told meanwhile (facts/run_page.h). One thread.
 */
#ifndef STREAMTRACE_UNTRACED_H
#define STREAMTRACE_UNTRACED_H

#include "commands/shared_page.h"
#include "facts/run_page.h"

/* What is known of a run. untraced_begin() sets obstacle, page and shared; the caller sets the rest. */
struct untraced {
	const char *obstacle; /* why libstrace.so is not loaded into the program; NULL: not known */
	const char *steps; /* STREAMTRACE_STEPS of the program; NULL or "": all of it is recorded */
	const char *step;  /* STREAMTRACE_STEP of the program; NULL or "": the usual names */
	struct run_page *page;	   /* NULL: could not be made */
	struct shared_page shared; /* its memory; the path is the value of STREAMTRACE_TELL */
};

/* Makes the page. Call before the program starts, and untraced_end() in the end. */
struct untraced untraced_begin(const char *obstacle);

void untraced_end(struct untraced *untraced);

/* The cause, as the end of a sentence, malloc'ed. Call after the program's end, where none of its processes wrote a trace.
 * output: where it should be; program: as the user named it. */
char *untraced_cause(const struct untraced *untraced, const char *output, const char *program);

#endif
