/* Where cudart's own functions are, of each of its versions. */
#ifndef STREAMTRACE_RESOLVE_H
#define STREAMTRACE_RESOLVE_H

#include "api/cudarts.h"

#include <stdatomic.h>

enum cudart {
#define NUMBER(id, ...) CUDART_##id,
	CUDARTS(NUMBER, )
#undef NUMBER
		CUDART_COUNT
};

/* The symbols of calls.def, twins too, and of window_calls.c. */
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
	SYMBOL_COUNT
};

/* NULL: not resolved yet. Hidden: a call reads it without the global offset table. */
#pragma GCC visibility push(hidden)
extern void *_Atomic cudart_functions[CUDART_COUNT][SYMBOL_COUNT];
#pragma GCC visibility pop

/* The function that a reference to cudart's symbol with that version would bind to without us:
 * another interposer that comes after us, else cudart's own function of the version: from what the
 * program was started with, else from any library that is loaded (one that came through an RTLD_LOCAL
 * dlopen is not in the global scope). A cudart without versions serves them all. NULL: there is none.
 *
 * Resolves all symbols of the version at once; the libraries stay loaded until the program ends. Waits
 * for no constructor or destructor (base/loaded.h), nor for another thread that resolves. Leaves errno
 * alone. */
void *resolve_function(enum cudart cudart, enum symbol symbol);

#endif
