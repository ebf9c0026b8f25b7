/* The addresses of cudart's own functions, for each of its versions. */
#ifndef STREAMTRACE_RESOLVE_H
#define STREAMTRACE_RESOLVE_H

#include "api/cudarts.h"
#include "base/hot.h"

#include <stdatomic.h>

enum cudart {
#define NUMBER(id, ...) CUDART_##id,
	CUDARTS(NUMBER, )
#undef NUMBER
		CUDART_COUNT
};

/* The symbols of calls.def, their per-thread variants, those of window_calls.c, and in libstrace_try.so those of texture_calls.c and what it
 * asks the runtime itself. */
enum symbol {
#define SYMBOLS_PLAIN(name)			       SYMBOL_##name,
#define SYMBOLS_PTSZ(name)			       SYMBOL_##name, SYMBOL_##name##_ptsz,
#define SYMBOLS_PTDS(name)			       SYMBOL_##name, SYMBOL_##name##_ptds,
#define CALL(name, variant, class, params, args, keep) SYMBOLS_##variant(name)
#include "api/calls.def"
#undef CALL
#undef SYMBOLS_PLAIN
#undef SYMBOLS_PTSZ
#undef SYMBOLS_PTDS
	SYMBOL_cudaProfilerStart,
	SYMBOL_cudaProfilerStop,
#ifdef STREAMTRACE_MAKES_FIXES
	SYMBOL_cudaDestroyTextureObject,
	SYMBOL_cudaDestroySurfaceObject,
	SYMBOL_cudaGetFuncBySymbol,
	SYMBOL_cudaGetLastError,
	SYMBOL_cudaPeekAtLastError,
#endif
	SYMBOL_COUNT
};

/* NULL: not resolved yet. Hidden visibility: read without the global offset table. */
#pragma GCC visibility push(hidden)
extern void *_Atomic cudart_functions[CUDART_COUNT][SYMBOL_COUNT];
#pragma GCC visibility pop

/* Returns the function that a reference to this symbol with cudart's version would reach without
 * us: of an interposer after us, of a cudart loaded at the program's start, or of any loaded
 * library, because a library of an RTLD_LOCAL dlopen() is not in the global scope. A cudart without
 * versions serves all versions. NULL: there is no such function.
 *
 * Resolves all symbols of the version at once; their libraries stay loaded until the program ends.
 * Waits for no constructor or destructor (base/loaded.h) and for no other thread. Any thread;
 * leaves errno alone. */
COLD void *resolve_function(enum cudart cudart, enum symbol symbol);

/* The version of cudart's symbols, "libcudart.so.13". */
const char *resolve_version(enum cudart cudart);

#endif
