/* The server, for the files that make it up. */
#ifndef STREAMTRACE_MCP_SERVER_PRIVATE_H
#define STREAMTRACE_MCP_SERVER_PRIVATE_H

#include "mcp/in_flight.h"
#include "mcp/lines.h"
#include "mcp/message.h"
#include "mcp/server.h"
#include "mcp/session.h"

struct server {
	const struct server_options *options;
	FILE *out;
	struct lines lines;
	struct session session;
	struct in_flight in_flight;
};

#endif
