/* How the low end, the estimate and the high end of a saving treat doubt. */
#ifndef STREAMTRACE_DOUBT_H
#define STREAMTRACE_DOUBT_H

/* How to treat a dependence that may exist but cannot be seen. */
enum doubt {
	DOUBT_KEEP,  /* the dependence exists: for the low end */
	DOUBT_WEIGH, /* the times decide: for the estimate */
	DOUBT_DROP,  /* the dependence does not exist: for the high end */
};

#endif
