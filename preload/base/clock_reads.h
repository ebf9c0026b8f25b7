/*
 * Interposes clock_gettime() and gettimeofday() to notice when the program reads a clock.
 *
 * A thread that reads a clock right after a CUDA call is probably measuring the device's time, so
 * the wait before it was needed. Only threads that set clock_read_is_awaited are reported; on
 * others a reading costs two nanoseconds more. Direct reads of the processor's counter are not
 * seen. The library's own readings (clock_read()) are not reported.
 */
#ifndef STREAMTRACE_CLOCK_READS_H
#define STREAMTRACE_CLOCK_READS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* True: this thread's next clock reading is reported, and makes this false again. Only the thread
 * itself sets it. */
extern __thread bool clock_read_is_awaited __attribute__((tls_model("initial-exec")));

/* Registers the function that gets the reports; call once, in the library's constructor. The
 * function runs on the thread that read the clock; return_address is where the program called
 * clock_gettime() or gettimeofday(). The function must leave errno alone, take no lock, and read
 * clocks only by clock_read(). */
void clock_reads_tell(void (*function)(uintptr_t return_address));

/* The real clock_gettime(), libc's or the next interposer's; returns its result. Never reported. */
int clock_read(clockid_t clock, struct timespec *now);

/* Whether clock_read() reaches libc's own clock_gettime(). Another library may interpose that
 * function to shift the program's time, and with it CUPTI's; the processor's counter does not
 * follow such a clock. */
bool clock_is_libc_s(void);

#endif
