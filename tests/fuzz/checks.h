/* What holds for each input, whatever is in it. One thread. */
#ifndef STREAMTRACE_TESTS_FUZZ_CHECKS_H
#define STREAMTRACE_TESTS_FUZZ_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Else abort(): libFuzzer keeps the input then. */
void fuzz_require(bool is_so, const char *what, const char *text);

/* Nothing for a terminal, and nothing that is not UTF-8, but for ends of lines, and tabs where it is "html". */
void fuzz_check_text(const char *text, size_t size, const char *what);

/* The same, and one line; frees it. */
void fuzz_check_error(char *error);

/* A stream into memory, one at a time, which the others close: end checks what was printed. */
FILE *fuzz_begin_text(void);
void fuzz_end_text(FILE *out, const char *what);
void fuzz_drop_text(FILE *out);

#endif
