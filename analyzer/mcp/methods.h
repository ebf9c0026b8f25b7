/* What the server does for each method of a request. One thread. */
#ifndef STREAMTRACE_MCP_METHODS_H
#define STREAMTRACE_MCP_METHODS_H

#include "mcp/message.h"

struct server;

/* A request that is being handled. */
struct request {
	const struct message *message;
	bool is_modern; /* of the revision without sessions */
};

struct method {
	const char *name;
	bool is_legacy, is_modern; /* the revisions that have it */
	bool is_cached;		   /* the new one says how long its result may be kept */
	bool needs_roots;
	/* Zeros: a process works on it, and the call is in flight. */
	struct reply (*handle)(struct server *server, const struct request *request);
};

/* NULL: the revision has no such method. */
const struct method *method_find(const char *name, bool is_modern);

/* Adds to a result what each result of the new revision has. */
void method_complete(json_t *result, bool is_cached);

#endif
