/* Races in words. Any thread. */
#ifndef STREAMTRACE_RACE_WORDS_H
#define STREAMTRACE_RACE_WORDS_H

#include "races/races.h"
#include "trace/site.h"

/* The call whose line names the operation: of a graph's node the one that captured it. */
const struct trace_call *race_call_of(const struct trace_operation *operation);

/* "kernel scale at a.cu:40"; malloc'ed. */
char *race_operation_text(const struct trace *trace, const struct trace_operation *operation);

/* The line of the race's other access. */
struct site race_second_site(const struct trace *trace, const struct race *race);

/* "cudaMemcpyAsync at a.cu:31 writes what kernel scale at a.cu:40 reads: both ran at once for 310 us; nothing orders them:
 * ...". Of a touch: "source written at a.cu:40 0.31 ms before its copy (a.cu:31) had ended; nothing orders them: ...".
 * malloc'ed. */
char *race_sentence(const struct trace *trace, const struct race *race);

/* "cudaStreamSynchronize at a.cu:35 alone orders kernel scale at a.cu:31, which may write, before cudaMemcpyAsync at a.cu:40,
 * which reads the same memory"; malloc'ed. */
char *reliance_sentence(const struct trace *trace, const struct reliance *reliance);

#endif
