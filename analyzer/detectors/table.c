/* Above the detectors, which use what detector.h declares. */
#include "detectors/detector.h"

#include <stddef.h>

const struct detector *const detectors[] = {
#define DETECTOR(name) &detector_##name,
#include "detectors/detectors.def"
#undef DETECTOR
	NULL,
};
