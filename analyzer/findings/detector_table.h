/* All detectors, as detectors/detectors.def names them. */
#ifndef STREAMTRACE_DETECTOR_TABLE_H
#define STREAMTRACE_DETECTOR_TABLE_H

#include "detectors/detector.h"

/* NULL ends the table. */
extern const struct detector *const detectors[];

#endif
