/*
 * Marks what each recorded call reads and runs. The linker then puts it side by side: between two
 * calls the program and CUDA use the caches, so each line and each page costs.
 *
 *	READ_MOSTLY _Atomic int recorder_state;
 *	HOT void recorder_commit(void) { ... }
 *	static COLD bool enter_again(...) { ... }
 *
 * READ_MOSTLY is for variables that rarely change: a change takes the line from all processors.
 * COLD is for functions that few calls need; calls to them leave the caller's usual way, too.
 */
#ifndef STREAMTRACE_HOT_H
#define STREAMTRACE_HOT_H

#define READ_MOSTLY __attribute__((section("read_mostly")))
#define HOT	    __attribute__((hot))
#define COLD	    __attribute__((noinline, cold))

#endif
