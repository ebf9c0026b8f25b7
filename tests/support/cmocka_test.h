/* cmocka wants these before itself. */
#ifndef STREAMTRACE_CMOCKA_TEST_H
#define STREAMTRACE_CMOCKA_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
