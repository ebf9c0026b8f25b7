/*
 * The versions of cudart whose calls are wrapped: the only list of them, used by C and, as text, by
 * the linker's script (versions.map.in).
 *
 * X(id, node, major, ...): node is the version of the symbols, as printed by `readelf
 * --version-info libcudart.so`; major is the version of libcupti that belongs to it. Newest first.
 *
 * A wrapper is bound only by references with its version, like cudart's own function. No wrapper is
 * bound by references without a version (a weak symbol, dlsym(RTLD_DEFAULT)): a program that tests
 * in this way whether a cudart exists must get the true answer. CUPTI sees the calls of such a
 * program.
 */
#ifndef STREAMTRACE_CUDARTS_H
#define STREAMTRACE_CUDARTS_H

/* The formatter would break the nodes. */
/* clang-format off */
#define CUDARTS(X, ...)                                                                            \
	X(13, libcudart.so.13, 13, __VA_ARGS__)                                                    \
	X(12, libcudart.so.12, 12, __VA_ARGS__)                                                    \
	X(11, libcudart.so.11.0, 11, __VA_ARGS__)
/* clang-format on */

/* Exports our function CUDART_WRAPPER(id, symbol) under cudart's name and version, and no other. */
#define CUDART_WRAPPER(id, symbol) strace##id##_##symbol
#define CUDART_EXPORT(id, node, symbol)                                                            \
	__asm__(".symver strace" #id "_" #symbol ", " #symbol "@" #node ", remove");

#endif
