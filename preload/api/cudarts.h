/*
 * The versions of cudart whose calls are wrapped: the only list of them. Used by C and, as
 * text, by the linker's script (versions.map.in).
 *
 * X(id, node, major, ...): the symbols' version node, as in `readelf --version-info libcudart.so`,
 * and the major of the libcupti that goes with it. Newest first.
 *
 * A wrapper is reached by references with its version alone, as cudart's own function would be.
 * There is no version of ours for references without one (a weak symbol, dlsym(RTLD_DEFAULT)): a
 * program that tests in this way whether a cudart exists must get the true answer. CUPTI sees its
 * calls.
 */
#ifndef STREAMTRACE_CUDARTS_H
#define STREAMTRACE_CUDARTS_H

/* The formatter would break the nodes apart. */
/* clang-format off */
#define CUDARTS(X, ...)                                                                            \
	X(13, libcudart.so.13, 13, __VA_ARGS__)                                                    \
	X(12, libcudart.so.12, 12, __VA_ARGS__)                                                    \
	X(11, libcudart.so.11.0, 11, __VA_ARGS__)
/* clang-format on */

/* Gives the function CUDART_WRAPPER(id, symbol) of ours cudart's name and version, and no other. */
#define CUDART_WRAPPER(id, symbol) strace##id##_##symbol
#define CUDART_EXPORT(id, node, symbol)                                                            \
	__asm__(".symver strace" #id "_" #symbol ", " #symbol "@" #node ", remove");

#endif
