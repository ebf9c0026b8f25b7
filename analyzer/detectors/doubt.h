/* How the low end, the estimate and the high end of a saving treat doubt. */
#ifndef STREAMTRACE_DOUBT_H
#define STREAMTRACE_DOUBT_H

/* How to treat a dependence that may exist but cannot be seen. */
enum doubt {
	DOUBT_KEEP,  /* it exists: for the low end */
	DOUBT_WEIGH, /* as the times suggest: for the estimate */
	DOUBT_DROP,  /* it does not exist: for the high end */
};

#endif
