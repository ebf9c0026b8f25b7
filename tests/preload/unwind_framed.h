/* Functions with frame pointers that sleep in a system call of their own, for unwind_test.c. */
#ifndef STREAMTRACE_UNWIND_FRAMED_H
#define STREAMTRACE_UNWIND_FRAMED_H

/* Sleep until framed_wake(): in a frame of 8-bit size with saved registers, and in one of 4 KB. */
void framed_wait(void);
void framed_wait_large(void);
void framed_wake(void);

#endif
