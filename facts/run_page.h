/*
 * What libstrace.so tells `streamtrace run`: a page of memory that both have mapped. A run without a trace then
 * says why.
 *
 * The command line makes the page, as a memfd that cannot shrink, and names it in STREAMTRACE_TELL. Each program of
 * the run maps it in its constructor, and its forked children have it, too. It is written at the start, at the first
 * CUDA call and record, where no file can be opened, and when a step begins; never where a process ends, which must
 * wait for no lock.
 */
#ifndef STREAMTRACE_RUN_PAGE_H
#define STREAMTRACE_RUN_PAGE_H

#include <stdatomic.h>
#include <stdint.h>

/* Bits of `met`: what at least one process of the run met. */
enum run_met {
	RUN_MET_LIBRARY = 1,  /* a traced program began with libcuda or libcudart, or called CUDA */
	RUN_MET_DISABLED = 2, /* STREAMTRACE_DISABLE left a program out */
	RUN_MET_LEFT_OUT = 4, /* STREAMTRACE_PROGRAMS left a program out */
	RUN_MET_RECORD = 8,   /* a call or operation was recorded */
	RUN_MET_NO_FILE = 16, /* the trace could not be opened, which was printed */
};

struct run_page {
	_Atomic uint32_t programs; /* that loaded libstrace.so */
	_Atomic uint32_t met;	   /* bits of enum run_met */
	_Atomic uint32_t steps;	   /* the most that a process has begun */
};

#endif
