/*
 * When the program reads a clock: clock_gettime() and gettimeofday(), interposed.
 *
 * A thread that reads one right after a call into CUDA measures how long the device took, perhaps, and has
 * waited for that. Only a thread that says so is told; for the others a reading costs two nanoseconds
 * more. What reads the processor's counter by itself is not seen. clock.c reads past these functions.
 */
#ifndef STREAMTRACE_CLOCK_READS_H
#define STREAMTRACE_CLOCK_READS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Whether this thread's next reading is to be told; it is told once. Initial-exec: the library is there
 * from the program's start. */
extern __thread bool clock_read_is_awaited __attribute__((tls_model("initial-exec")));

/* Called on the thread that has read a clock, with the address behind the call of the function; leaves errno
 * alone, takes no lock and does not read a clock of these functions. Set once, by the constructor. */
void clock_reads_tell(void (*function)(uintptr_t return_address));

/* clock_gettime() of libc, or of a library that stands before it. Not told. */
int clock_read(clockid_t clock, struct timespec *now);

/* Whether that is libc's. A library that shifts the program's time, and so CUPTI's, does not shift the
 * processor's counter. */
bool clock_is_libc_s(void);

#endif
