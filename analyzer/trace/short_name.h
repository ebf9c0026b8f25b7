/*
 * Shortens C++ names as engineers do: vectorized_elementwise_kernel<4, FillFunctor>.
 *
 * Names are untrusted: takes time at most proportional to their length; the result has a fixed
 * size. Any thread.
 */
#ifndef STREAMTRACE_SHORT_NAME_H
#define STREAMTRACE_SHORT_NAME_H

/* Without the terminating 0. */
#define SHORT_NAME_LENGTH 68

enum short_name_style {
	/* Without namespaces, return type and parameters, with the first template arguments that
	 * tell something: no std:: types, and none of a namespace `detail`. */
	SHORT_NAME_KERNEL,
	/* With namespaces, without template arguments: thrust::reduce. */
	SHORT_NAME_FUNCTION
};

struct short_name {
	char text[SHORT_NAME_LENGTH + 1];
};

/* Writes the short form into *short_name and returns short_name->text. name: mangled or demangled.
 * A name that is no C++ function's is only cut. A form that does not fit ends in "...". */
const char *short_name(struct short_name *short_name, const char *name,
		       enum short_name_style style);

#endif
