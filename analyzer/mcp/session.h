/*
 * What a client says about itself: the revision of the protocol, in each request or once, and its roots. One thread.
 */
#ifndef STREAMTRACE_MCP_SESSION_H
#define STREAMTRACE_MCP_SESSION_H

#include "base/vector.h"
#include "mcp/message.h"
#include "mcp/roots.h"

#include <stdint.h>

/* The revision without sessions. */
#define SESSION_MODERN "2026-07-28"

/* A client that has not told its roots by then is taken for one without any. */
#define SESSION_ROOTS_MS 10000

/* Zero-initialize it, and set allowed and is_limited; session_free() it. */
struct session {
	const struct roots *allowed;
	bool is_limited;  /* allowed is by options: the client's own roots are within */
	bool is_open;	  /* initialize was answered */
	bool has_roots;	  /* the client can tell its own */
	struct roots own; /* of the client, as far as they are allowed */
	bool has_own;
	int64_t asked_ms; /* when its roots were asked for, and not told since; 0: otherwise */
	unsigned int asked;
	VECTOR(struct message) waiting; /* requests that need the roots */
};

/* Whether the request names the revision itself; MESSAGE_FINE in reply->code: it is one of ours. Without one in the
 * request: whether initialize came before. */
bool session_is_modern(const struct session *session, const struct message *message,
		       struct reply *reply);

/* The answer of initialize, of which capabilities and serverInfo are still missing. */
struct reply session_open(struct session *session, const json_t *params);

/* Asks the client for its roots, if it has any. */
void session_ask_roots(struct session *session, FILE *out);

/* Takes the answer. False: the response is of nothing that was asked. */
bool session_take_roots(struct session *session, const struct message *message);

/* Gives up on that answer. */
void session_settle(struct session *session);

/* The roots of requests. */
const struct roots *session_roots(const struct session *session, bool is_modern);

void session_free(struct session *session);

#endif
