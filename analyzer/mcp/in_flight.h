/*
 * The requests that are being worked on: each is a process. They are answered when it ends, and those that asked for it
 * hear of their progress meanwhile. One thread.
 */
#ifndef STREAMTRACE_MCP_IN_FLIGHT_H
#define STREAMTRACE_MCP_IN_FLIGHT_H

#include "base/vector.h"
#include "mcp/message.h"
#include "mcp/process.h"
#include "mcp/tool_words.h"

#include <poll.h>

struct resource;
struct tool;

/* At a time. Reports take all processors each. */
#define IN_FLIGHT_MOST 8

struct call {
	json_t *id, *token; /* own references; token: of its progress, NULL: none is wanted */
	bool is_modern;	    /* of the revision without sessions */
	bool is_cancelled;  /* its answer is not wanted */
	const struct tool *tool;
	const struct resource *resource; /* NULL: it is of the tool */
	char *uri;			 /* of the resource */
	json_t *arguments;		 /* of the tool, an own reference: words points into it */
	struct tool_words words;
	struct process process;
	int64_t begin_ms, told_ms; /* when it began; of the last progress since then, -1: none */
};

/* Zero-initialize it. */
struct in_flight {
	VECTOR(struct call *) calls;
};

/* Starts the call's process, and takes over the call: a memory_array() of which id, token, is_modern, words, and tool or
 * resource and uri are set. False: it was not started, *why says so, and the call was freed. */
bool in_flight_start(struct in_flight *in_flight, struct call *call, FILE *out, char **why);

/* Stops the call with that id. Its answer is not given. */
void in_flight_cancel(struct in_flight *in_flight, const json_t *id);

/* Stops the calls that run programs, or all. */
void in_flight_stop(struct in_flight *in_flight, bool all);

/* Whether a call runs a program. */
bool in_flight_runs_program(const struct in_flight *in_flight);

/* Sets fds, of 2 * IN_FLIGHT_MOST, to what is to be polled, and returns how many there are. */
size_t in_flight_poll(const struct in_flight *in_flight, struct pollfd *fds);

/* How long to poll at most, in ms; -1: for ever. */
int in_flight_wait_ms(const struct in_flight *in_flight);

/* Reads what the processes wrote, and tells of progress to `out`. */
void in_flight_attend(struct in_flight *in_flight, FILE *out);

/* Takes a call whose process has ended, and removes its folder if that is empty; NULL: there is none. The caller frees it with in_flight_free(). */
struct call *in_flight_take(struct in_flight *in_flight);

/* The process must have ended, or never have been started. */
void in_flight_free(struct call *call);

#endif
