/* Functions that take memory from the program, or change its protection. */
#include "touch/touch.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

/* For blocks allocated by the loader while the real free() is being looked up: their allocator is
 * not known yet. Leaks some bytes. */
static void leak_block(void *memory)
{
}

static void *no_memory(void *memory, size_t bytes)
{
	return NULL;
}

/* Volatile, because dlsym() is declared as a function that does not call back. */
static __thread volatile bool is_finding __attribute__((tls_model("initial-exec")));

#define FIND(name, otherwise)                                                                      \
	static __typeof__(&(name)) _Atomic real_##name;                                            \
	static __typeof__(&(name)) find_##name(void)                                               \
	{                                                                                          \
		__typeof__(&(name)) found =                                                        \
			atomic_load_explicit(&real_##name, memory_order_relaxed);                  \
                                                                                                   \
		if (__builtin_expect(found != NULL, 1))                                            \
			return found;                                                              \
		if (is_finding)                                                                    \
			return otherwise;                                                          \
		is_finding = true;                                                                 \
		found = (__typeof__(&(name)))dlsym(RTLD_NEXT, #name);                              \
		is_finding = false;                                                                \
		atomic_store_explicit(&real_##name, found, memory_order_relaxed);                  \
		return found;                                                                      \
	}
FIND(free, leak_block)
FIND(realloc, no_memory)

static __typeof__(&free) _Atomic probed_free; /* what find_free() has found */
static __thread bool is_probed __attribute__((tls_model("initial-exec")));

static void note_probe(void *memory)
{
	is_probed = true;
	atomic_load(&probed_free)(memory);
}

/* A call is made: the address is that of the program's own entry where that is not position-independent (Debian's Python),
 * whoever serves it. */
bool touch_has_free(void)
{
	__typeof__(&free) reached = (__typeof__(&free))dlsym(RTLD_DEFAULT, "free");
	__typeof__(&free) real = find_free();

	find_realloc();
	if (!reached || !real)
		return false;
	atomic_store(&probed_free, real);
	is_probed = false;
	atomic_store(&real_free, note_probe);
	reached(malloc(1));
	atomic_store(&real_free, real);
	return is_probed;
}

/* realloc() takes the data elsewhere. */
static void give_back(void *memory, enum first_use_kind kind, uintptr_t caller)
{
	if (__builtin_expect(!touch_active(), 1) || !memory)
		return;
	/* The block's size lies before it, maybe in a page watched with it. */
	touch_use(memory, 1, kind, caller);
	touch_use(memory, malloc_usable_size(memory), kind, caller);
}

EXPORT void free(void *memory)
{
	give_back(memory, FIRST_USE_FREED, CALLER);
	find_free()(memory);
}

EXPORT void *realloc(void *memory, size_t bytes)
{
	give_back(memory, FIRST_USE_GIVEN_UP, 0);
	return find_realloc()(memory, bytes);
}

FIND_REAL(reallocarray)
EXPORT void *reallocarray(void *memory, size_t count, size_t size)
{
	give_back(memory, FIRST_USE_GIVEN_UP, 0);
	return REAL(reallocarray)(memory, count, size);
}

FIND_REAL(munmap)
EXPORT int munmap(void *memory, size_t bytes)
{
	touch_use(memory, bytes, FIRST_USE_FREED, CALLER);
	return REAL(munmap)(memory, bytes);
}

FIND_REAL(mprotect)
EXPORT int mprotect(void *memory, size_t bytes, int protection)
{
	const struct first_use_watches *watches = atomic_load(&touch_watches);

	touch_use(memory, bytes, FIRST_USE_GIVEN_UP, 0);
	if (watches && protection != (PROT_READ | PROT_WRITE))
		watches->keep((uintptr_t)memory, (uintptr_t)memory + bytes);
	return REAL(mprotect)(memory, bytes, protection);
}

/* Advice that throws away what the pages have. */
FIND_REAL(madvise)
EXPORT int madvise(void *memory, size_t bytes, int advice)
{
	const int saved_errno = errno;
	int outcome;

	if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE)
		touch_use(memory, bytes, FIRST_USE_FREED, CALLER);
	outcome = REAL(madvise)(memory, bytes, advice);
	if (__builtin_expect(outcome && errno == EFAULT, 0) && touch_end_all()) {
		errno = saved_errno;
		outcome = REAL(madvise)(memory, bytes, advice);
	}
	return outcome;
}

/* They cannot lock inaccessible pages. */
FIND_REAL(mlock)
EXPORT int mlock(const void *memory, size_t bytes)
{
	touch_use(memory, bytes, FIRST_USE_GIVEN_UP, 0);
	return REAL(mlock)(memory, bytes);
}

FIND_REAL(mlock2)
EXPORT int mlock2(const void *memory, size_t bytes, unsigned int flags)
{
	touch_use(memory, bytes, FIRST_USE_GIVEN_UP, 0);
	return REAL(mlock2)(memory, bytes, flags);
}

FIND_REAL(mremap)
EXPORT void *mremap(void *memory, size_t bytes, size_t new_bytes, int flags, ...)
{
	void *to = NULL;
	va_list list;

	if (flags & MREMAP_FIXED) {
		va_start(list, flags);
		to = va_arg(list, void *);
		va_end(list);
		touch_use(to, new_bytes, FIRST_USE_FREED, CALLER);
	}
	touch_use(memory, bytes, FIRST_USE_GIVEN_UP, 0);
	return REAL(mremap)(memory, bytes, new_bytes, flags, to);
}

FIND_REAL(mmap)
EXPORT void *mmap(void *memory, size_t bytes, int protection, int flags, int fd, off_t at)
{
	if (flags & MAP_FIXED)
		touch_use(memory, bytes, FIRST_USE_FREED, CALLER);
	return REAL(mmap)(memory, bytes, protection, flags, fd, at);
}

FIND_REAL(mmap64)
EXPORT void *mmap64(void *memory, size_t bytes, int protection, int flags, int fd, off64_t at)
{
	if (flags & MAP_FIXED)
		touch_use(memory, bytes, FIRST_USE_FREED, CALLER);
	return REAL(mmap64)(memory, bytes, protection, flags, fd, at);
}
