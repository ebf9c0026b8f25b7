#include "findings/detector_table.h"

#include <stddef.h>

const struct detector *const detectors[] = {
#define DETECTOR(family, name) &detector_##name,
#include "detectors/detectors.def"
#undef DETECTOR
	NULL,
};
