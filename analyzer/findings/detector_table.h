/* The table of all detectors, in the order of detectors/detectors.def. Any thread. */
#ifndef STREAMTRACE_DETECTOR_TABLE_H
#define STREAMTRACE_DETECTOR_TABLE_H

#include "detectors/detector.h"

/* Ends with NULL. */
extern const struct detector *const detectors[];

#endif
