/*
 * What the modules of this room share about a trace that is loaded.
 */
#ifndef STREAMTRACE_TRACE_PRIVATE_H
#define STREAMTRACE_TRACE_PRIVATE_H

#include "base/vector.h"
#include "trace/forms.h"
#include "trace/site.h"

/* Connections that a trace is read with, at most. */
#define CONNECTIONS_MOST 8

/* What site_describe() said. */
struct described {
	const struct trace_site *site;
	const char *kernel;
	struct site as;
};

struct trace_private {
	struct arena arena; /* every text */
	/* Of all sites, one site after the other; of all sets of arguments likewise. */
	VECTOR(struct trace_frame) frames;
	VECTOR(struct trace_python_frame) python_frames;
	VECTOR(struct trace_argument) arguments;
	/* By the connection that read them; of operations as struct operation_row_form. */
	struct forms call_forms[CONNECTIONS_MOST], operation_forms[CONNECTIONS_MOST];
	struct forms lent_forms; /* lent_sites.c */

	/* demangle.c: by the address of the mangled text, which the arena holds. */
	VECTOR(const char *) demangled;
	struct map demangled_map;

	bool has_all_symbols; /* frames have all that the modules' files say */

	/* described.c: by a hash of site and kernel. */
	VECTOR(struct described) described;
	struct map described_map;
};

/* How a trace is loaded; the loaded trace and the error are the same for all of them. */
struct load_options {
	bool is_strict;		   /* one row after the other, saying what is wrong */
	bool is_counted;	   /* the rows of the tables are counted */
	bool is_metadata;	   /* of the metadata alone */
	size_t range_ids;	   /* that a range of rows has; 0: as many as are good */
	uint64_t connection_bytes; /* of the file, for each connection; 0: as many as are good */
};

struct trace *trace_load_as(const char *path, const struct load_options *options, char **error);

#endif
