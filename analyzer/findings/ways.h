/* What the other ways to fix a finding (struct detector_way in detectors/detector.h) save, as a part
 * of its price. One thread. */
#ifndef STREAMTRACE_WAYS_H
#define STREAMTRACE_WAYS_H

#include "findings/analysis.h"

/* Adds the savings of the detector's ways to the finding's measured_price, each from one replay
 * with that way alone. Leaves the price of a folded finding, of one that saves something only
 * beside others, and of an analysis without estimates. Call after together_fold() and
 * finding_add_price(). */
void ways_add(const struct analysis *analysis, struct finding *finding);

#endif
