/*
 * For functions of ours that interpose those of the program or libc of the same name.
 *
 * EXPORT: the program sees it. FIND_REAL(name) once, then REAL(name): the next function of the
 * name after ours, libc's or another interposer's. It is looked up by a constructor, so that no
 * signal handler has to; another library's constructor may call ours before, and then finds it.
 */
#ifndef STREAMTRACE_INTERPOSE_H
#define STREAMTRACE_INTERPOSE_H

#include <dlfcn.h>
#include <stdatomic.h>

#define EXPORT __attribute__((visibility("default")))

#define FIND_REAL(name)                                                                            \
	static __typeof__(&(name)) _Atomic real_##name;                                            \
                                                                                                   \
	__attribute__((constructor)) static void find_##name(void)                                 \
	{                                                                                          \
		atomic_store_explicit(&real_##name, (__typeof__(&(name)))dlsym(RTLD_NEXT, #name),  \
				      memory_order_relaxed);                                       \
	}
#define REAL(name)                                                                                 \
	(__builtin_expect(!atomic_load_explicit(&real_##name, memory_order_relaxed), 0)            \
		 ? find_##name()                                                                   \
		 : (void)0,                                                                        \
	 atomic_load_explicit(&real_##name, memory_order_relaxed))

#endif
