/*
 * C++ names as engineers shorten them: vectorized_elementwise_kernel<4, FillFunctor>.
 *
 * Names come from untrusted files: the time is proportional to their length, at most, and the
 * result has a fixed size. Any thread.
 */
#ifndef STREAMTRACE_SHORT_NAME_H
#define STREAMTRACE_SHORT_NAME_H

/* Without the 0 behind it. */
#define SHORT_NAME_LENGTH 68

enum short_name_style {
	/* Without namespaces, return type and parameters, with the first of the template's arguments
	 * that tell something: no std:: types and none of a namespace `detail`. */
	SHORT_NAME_KERNEL,
	/* With namespaces, without any template arguments: thrust::reduce. */
	SHORT_NAME_FUNCTION
};

struct short_name {
	char text[SHORT_NAME_LENGTH + 1];
};

/* name: mangled, or as a source spells it, or of no C++ function: that stays as it is but for its
 * length. What does not fit ends in "...". Returns short_name->text. */
const char *short_name(struct short_name *short_name, const char *name,
		       enum short_name_style style);

#endif
