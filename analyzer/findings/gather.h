/* Groups instances by the line to be changed, and by cause. One thread. */
#ifndef STREAMTRACE_GATHER_H
#define STREAMTRACE_GATHER_H

#include "detectors/detector.h"
#include "trace/site.h"

/* The instances of one line, or of lines that share a cause (causes.h), the longest first. */
struct gathered {
	const struct instance *instances;
	const uint32_t *lines;	  /* by instance: index in sites */
	const struct site *sites; /* all lines with instances of the detector */
	size_t count;		  /* of instances, 1 or more */
};

typedef void (*gather_function)(void *context, const struct detector *detector,
				const struct gathered *group);

/* The line to be changed for an instance: of instance->site_call. Strings belong to the trace. */
struct site gather_site(const struct trace *trace, const struct instance *instance);

/* Calls take() for each group of the instances found, in the order of lines. The group is valid
 * only during take(). The instances found are clipped to the trace's windows, and removed if
 * nothing is left of them. */
void gather(const struct model *model, const struct detector *detector, struct instances *found,
	    gather_function take, void *context);

#endif
