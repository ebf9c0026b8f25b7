/*
 * A server of the Model Context Protocol on standard input and output (`streamtrace mcp`): a client, which is an agent or
 * an editor, uses commands as tools and reads reports as resources.
 *
 * - Revision 2026-07-28, whose requests each name it, and those of 2025-11-25 and 2025-06-18, which begin with initialize.
 * - What runs programs (record) is there only if that was allowed. All else only reads, and only below the roots: those
 *   that the user named, else those of the client, else the current folder. Of a client's, only what the user named, too.
 *   The new revision has no roots of clients.
 * - Each call is a process (process.h). The server answers others meanwhile; one that is cancelled ends.
 * - Input is a stranger's: what is no message gets an error. The server ends with the input, and stops programs then;
 *   other calls are still answered.
 *
 * One thread.
 */
#ifndef STREAMTRACE_MCP_SERVER_H
#define STREAMTRACE_MCP_SERVER_H

#include "mcp/roots.h"
#include "mcp/tools.h"

#include <stdbool.h>
#include <stdio.h>

struct server_options {
	const struct roots *roots; /* what may be read below */
	bool has_roots;		   /* the user named them; else a client can name others */
	bool runs_programs;
	tool_option_help help;
	bool (*is_failure)(
		int status); /* whether a command's exit status comes without an answer */
};

struct server;

/* Returns a server that writes to `out`; the options must stay valid. Free it with server_free(). */
struct server *server_make(const struct server_options *options, FILE *out);

/* Takes bytes of the input, and answers what is whole, as far as no process is needed for it. */
void server_take(struct server *server, const char *bytes, size_t size);

/* Serves what comes from the descriptor until it ends, or until out fails (ferror()). SIGCHLD is blocked meanwhile.
 * False: it cannot serve, and errno says why. */
bool server_serve(struct server *server, int in);

void server_free(struct server *server);

#endif
