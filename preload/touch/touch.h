/*
 * libstrace_touch.so: sees accesses to watched memory (first_use.h) that cause no fault, because
 * the kernel makes them, or libc takes the memory back.
 *
 * The functions of this library have the names of libc's: each tells libstrace.so which memory it
 * passes to the kernel, and then calls libc's. A program without watches pays one load. No lock, no
 * allocation; errno is libc's.
 */
#ifndef STREAMTRACE_TOUCH_H
#define STREAMTRACE_TOUCH_H

#include "base/interpose.h"
#include "first_use/link.h"

#include <stddef.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* NULL if libstrace.so is not loaded. */
extern const struct first_use_watches *_Atomic touch_watches;

/* The watches if anything is watched now, otherwise NULL. */
static inline const struct first_use_watches *touch_active(void)
{
	const struct first_use_watches *watches =
		atomic_load_explicit(&touch_watches, memory_order_acquire);

	return watches && atomic_load_explicit(watches->count, memory_order_relaxed) ? watches
										     : NULL;
}

/* Tells libstrace.so, if anything is watched, that this memory is about to be used in this way.
 * caller: CALLER of the interposed function. */
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

/* The same, of memory that is only read. */
static inline void touch_read(const void *memory, size_t bytes, uintptr_t caller)
{
	const struct first_use_watches *watches = touch_active();

	if (__builtin_expect(watches != NULL, 0) && bytes)
		watches->end(&(struct first_use){.low = (uintptr_t)memory,
						 .high = (uintptr_t)memory + bytes,
						 .kind = FIRST_USE_SYSTEM_CALL,
						 .instruction = caller,
						 .only_reads = true});
}

/* Makes all memory accessible. Call if it is not known which memory the kernel will use, or if that
 * use cannot be seen. False: libstrace.so is not loaded. */
static inline bool touch_end_all(void)
{
	const struct first_use_watches *watches =
		atomic_load_explicit(&touch_watches, memory_order_acquire);

	if (watches)
		watches->end(&(struct first_use){.high = UINTPTR_MAX, .kind = FIRST_USE_GIVEN_UP});
	return watches != NULL;
}

/* touch/memory_calls.c: whether the program's calls of free() reach ours, not one of the program or
 * another allocator. Call once, in a constructor. */
bool touch_has_free(void);

/* touch/masks.c: true if the program has asked to block SIGSEGV on this thread. */
extern __thread bool touch_faults_are_blocked __attribute__((tls_model("initial-exec")));

/* touch_is_ours(): true if the program's changes of signal actions and masks must be kept from the
 * system. False in a vforked child, which shares the parent's memory but has its own actions and
 * mask. touch_own() makes it true in this process from now on: call in a new process that is not a
 * vforked one. */
bool touch_is_ours(void);
void touch_own(void);

/* Ends all watching for this reason (static text), and really blocks SIGSEGV on the calling
 * thread. */
void touch_block_faults(const char *reason);

/* touch/signals.c: members of struct first_use_touch (first_use/link.h). */
bool touch_guard(void);
void touch_unguard(void);

#endif
