/* What `streamtrace explain race` says: races are no detector's (races/races.h). Static. Any thread. */
#ifndef STREAMTRACE_EXPLAIN_RACE_H
#define STREAMTRACE_EXPLAIN_RACE_H

#include "detectors/detector.h"
#include "detectors/explained.h"

/* Only id, title and fix. Advice of that id has the words of the frameworks. */
extern const struct detector race_topic;
extern const struct explained race_explained;

#endif
