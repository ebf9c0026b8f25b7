/* What the ends of an estimate are made of. */
#ifndef STREAMTRACE_DOUBT_H
#define STREAMTRACE_DOUBT_H

/* How to treat a dependence that may exist and cannot be seen. */
enum doubt {
	DOUBT_KEEP,  /* it exists: for the low end of an estimate */
	DOUBT_WEIGH, /* what the times speak for */
	DOUBT_DROP,  /* it does not exist: for the high end */
};

#endif
