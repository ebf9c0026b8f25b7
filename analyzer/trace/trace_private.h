/*
 * Data of a loaded trace that is shared inside this folder only.
 */
#ifndef STREAMTRACE_TRACE_PRIVATE_H
#define STREAMTRACE_TRACE_PRIVATE_H

#include "base/vector.h"
#include "ptx/kernel_search.h"
#include "trace/forms.h"
#include "trace/site.h"

/* The most connections by which a trace is read. */
#define CONNECTIONS_MOST 8

/* A result of site_describe(), kept. */
struct described {
	const struct trace_site *site;
	const char *kernel;
	struct site as;
};

struct trace_private {
	struct arena arena; /* every text */
	/* Frames of all sites, one site after the other; arguments of all sets, one set after the
	 * other. */
	VECTOR(struct trace_frame) frames;
	VECTOR(struct trace_python_frame) python_frames;
	VECTOR(struct trace_argument) arguments;
	VECTOR(struct kernel_image)
	images; /* that the program loaded at run time; their bytes are the arena's */
	/* By the connection that read them. Forms of operations are struct operation_row_form. */
	struct forms call_forms[CONNECTIONS_MOST], operation_forms[CONNECTIONS_MOST];
	struct forms lent_forms; /* lent_sites.c */

	/* demangle.c: keyed by the address of the mangled text, which lives in the arena. */
	VECTOR(const char *) demangled;
	struct map demangled_map;

	/* trace_graph_is_updated(): handles of executable graphs; or all, where one is unknown. */
	struct map updated_graphs;
	bool are_all_updated;
	bool has_all_symbols; /* frames have all that the modules' files tell */

	/* described.c: keyed by a hash of site and kernel. */
	VECTOR(struct described) described;
	struct map described_map;
};

/* How a trace is loaded. The options change neither the loaded trace nor the error. */
struct load_options {
	bool is_strict;		   /* row after row, reporting what is wrong */
	bool is_counted;	   /* count the tables' rows */
	bool is_metadata;	   /* read only the metadata */
	size_t shard_ids;	   /* ids in a shard of rows; 0: a default */
	uint64_t connection_bytes; /* bytes of the file for each connection; 0: a default */
};

/* Like trace_load(), with these options. */
struct trace *trace_load_as(const char *path, const struct load_options *options, char **error);

#endif
