/*
 * Blanks out what is no code. The result has as many bytes as the text and a 0 behind them; the caller
 * must free() it. Quotes of strings stay, what is between them does not. Any thread.
 */
#ifndef STREAMTRACE_CODE_MASK_H
#define STREAMTRACE_CODE_MASK_H

#include <stddef.h>

/* C, C++ and CUDA. Of a line of the preprocessor the '#' stays, unless it is a #pragma. */
char *code_mask_c(const char *text, size_t length);

/* Python. Of a line that a backslash continues, the backslash and the newline are blanked, too. */
char *code_mask_python(const char *text, size_t length);

#endif
