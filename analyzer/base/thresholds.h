/*
 * The numbers that decide: one constant a row of thresholds.def, which is their manual. The compiler sees
 * constants, but for the build of tests/bench/sensitivity.py, which reads one of them from the environment.
 */
#ifndef STREAMTRACE_THRESHOLDS_H
#define STREAMTRACE_THRESHOLDS_H

#include <stddef.h>
#include <stdint.h>

#ifdef STREAMTRACE_THRESHOLDS
#define THRESHOLD(type, name, value, unit, meaning, source) extern type name;
#else
#define THRESHOLD(type, name, value, unit, meaning, source) static const type name = value;
#endif
#include "base/thresholds.def"
#undef THRESHOLD

#endif
