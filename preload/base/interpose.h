/*
 * For functions of ours that replace functions of libc or the program by having their names.
 *
 *	FIND_REAL(dlclose)
 *	EXPORT int dlclose(void *library) { return REAL(dlclose)(library); }
 *
 * EXPORT makes a function visible to the program. REAL(name) is the next function of that name
 * after ours: libc's, or another interposer's; NULL if no other library has one
 * (a call then crashes). A constructor looks that function up, so that a signal handler need not.
 * If another library's constructor calls our function earlier, that call looks it up.
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
