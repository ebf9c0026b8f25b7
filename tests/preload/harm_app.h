/* What the scenarios of harm_app share. Each makes CALLS calls unless harm_test.c says otherwise. */
#ifndef HARM_APP_H
#define HARM_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { CALLS = 10, OPEN_US = 300000, NOBODY = 65534 };

void make_calls(int count);
/* make_calls(*(const int *)count), as a thread's main function. */
void *calls_main(void *count);

/* Until the writer has opened its files, for what is to happen behind that. Nothing when untraced. */
void wait_for_trace(void);

/* Ends the program with status 2, and says where, unless the condition holds. */
#define MUST(condition) must(condition, #condition)
void must(bool condition, const char *text);

/* Where this machine or user cannot do it: harm_test.c skips the scenario. */
_Noreturn void cannot(const char *why);

/* Prints how the child ended. */
void print_child(pid_t child);

/* Prints whether descriptors that the program does not know of can be noticed. CALLS calls. */
void watch_descriptors(void);

extern const struct scenario thread_scenarios[], signal_scenarios[], process_scenarios[],
	limit_scenarios[], filter_scenarios[], wrapper_scenarios[], look_scenarios[];

#endif
