/*
 * libstrace_touch.so: accesses to watched memory (first_use.h) that cause no fault, because the
 * kernel makes them or libc gives the memory away.
 *
 * Its functions stand before libc's of the same name: each tells libstrace.so which memory it hands
 * to the kernel, and calls libc's. A program without watches pays a load. No lock, no allocation;
 * errno is libc's.
 */
#ifndef STREAMTRACE_TOUCH_H
#define STREAMTRACE_TOUCH_H

#include "base/interpose.h"
#include "first_use/link.h"

#include <stddef.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* NULL without libstrace.so. */
extern const struct first_use_watches *_Atomic touch_watches;

/* Whether anything is watched now. */
static inline const struct first_use_watches *touch_active(void)
{
	const struct first_use_watches *watches =
		atomic_load_explicit(&touch_watches, memory_order_acquire);

	return watches && atomic_load_explicit(watches->count, memory_order_relaxed) ? watches
										     : NULL;
}

static inline void touch_use(const void *memory, size_t bytes, enum first_use_kind kind,
			     uintptr_t caller)
{
	const struct first_use_watches *watches = touch_active();

	if (__builtin_expect(watches != NULL, 0) && bytes)
		watches->end(&(struct first_use){.low = (uintptr_t)memory,
						 .high = (uintptr_t)memory + bytes,
						 .kind = kind,
						 .instruction = caller});
}

/* What the kernel is about to use is not known, or there is nobody to see it: all memory is accessible again. False:
 * nothing was ever watched. */
static inline bool touch_end_all(void)
{
	const struct first_use_watches *watches =
		atomic_load_explicit(&touch_watches, memory_order_acquire);

	if (watches)
		watches->end(&(struct first_use){.high = UINTPTR_MAX, .kind = FIRST_USE_GIVEN_UP});
	return watches != NULL;
}

/* touch/memory.c: free() is ours, not the program's own or an allocator's. */
bool touch_has_free(void);

/* touch/masks.c. Whether the calling thread thinks that it blocks SIGSEGV. */
extern __thread bool touch_faults_are_blocked __attribute__((tls_model("initial-exec")));

/* Whether what the program asks for is to be kept from the system. Not in the child of a vfork, which has the
 * parent's memory, but actions and a mask of its own. touch_own(): the process is a new one, not a vfork's. */
bool touch_is_ours(void);
void touch_own(void);

/* The calling thread really blocks SIGSEGV from now on, so that nothing is watched any more. */
void touch_block_faults(const char *reason);

/* touch/signals.c: first_use/link.h. */
bool touch_guard(void);
void touch_unguard(void);

#endif
