/*
 * What libstrace.so tells `streamtrace run`: a page of memory that both have mapped. A run without a trace then
 * says why.
 *
 * The command line makes the page, as a memfd that cannot shrink, and names it in STREAMTRACE_TELL. Each program of
 * the run maps it in its constructor, and its forked children have it, too. Nothing is written in a call that is
 * recorded.
 */
#ifndef STREAMTRACE_RUN_PAGE_H
#define STREAMTRACE_RUN_PAGE_H

#include <stdatomic.h>
#include <stdint.h>

/* Bits of `met`: what at least one process of the run met. A library is libcuda or libcudart, loaded when a program ends;
 * an untraced one, that of a program which STREAMTRACE_DISABLE or STREAMTRACE_PROGRAMS leaves out. */
enum run_met {
	RUN_MET_LIBRARY = 1,
	RUN_MET_UNTRACED_LIBRARY = 2,
	RUN_MET_CALL = 4,    /* a CUDA call */
	RUN_MET_NO_FILE = 8, /* the trace could not be opened, which was printed */
};

/* A program: what one exec began, and not its forked children. */
struct run_page {
	_Atomic uint32_t programs; /* loaded libstrace.so */
	_Atomic uint32_t ended;	   /* of these: by exit(), _exit() or exec */
	_Atomic uint32_t met;	   /* bits of enum run_met */
	_Atomic uint32_t steps;	   /* the most that a process had begun when it ended */
};

#endif
