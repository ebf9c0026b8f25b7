/* Compiled with frame pointers, whatever the other files are compiled with. */
#include "unwind_framed.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>

static _Atomic uint32_t wakes;

/* In place: syscall() would be a function of libc, without a frame pointer in some. */
static inline __attribute__((always_inline)) long call_kernel(const void *address, int operation,
							      uint32_t value)
{
	register const void *timeout __asm__("r10") = 0;
	long result = SYS_futex;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(address), "S"(operation), "d"(value), "r"(timeout)
			 : "rcx", "r11", "memory");
	return result;
}

static __attribute__((noinline)) void sleep_small(uint32_t seen)
{
	volatile char room[64] = {0};

	while (atomic_load(&wakes) == seen)
		room[0] += (char)call_kernel(&wakes, FUTEX_WAIT_PRIVATE, seen);
	__asm__ volatile("" ::: "rbx", "r12", "r14");
}

static __attribute__((noinline)) void sleep_large(uint32_t seen)
{
	volatile char room[4096] = {0};

	while (atomic_load(&wakes) == seen)
		room[seen % 4096] += (char)call_kernel(&wakes, FUTEX_WAIT_PRIVATE, seen);
	__asm__ volatile("" ::: "rbx");
}

void framed_wait(void)
{
	sleep_small(atomic_load(&wakes));
	atomic_fetch_add(&wakes, 0);
}

void framed_wait_large(void)
{
	sleep_large(atomic_load(&wakes));
	atomic_fetch_add(&wakes, 0);
}

void framed_wake(void)
{
	atomic_fetch_add(&wakes, 1);
	call_kernel(&wakes, FUTEX_WAKE_PRIVATE, UINT32_MAX >> 1);
}
