/*
 * Messages of JSON-RPC 2.0, as the Model Context Protocol has them: one JSON object a line. One thread.
 */
#ifndef STREAMTRACE_MCP_MESSAGE_H
#define STREAMTRACE_MCP_MESSAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum message_error {
	MESSAGE_FINE = 0,
	MESSAGE_PARSE_ERROR = -32700,
	MESSAGE_INVALID_REQUEST = -32600,
	MESSAGE_METHOD_NOT_FOUND = -32601,
	MESSAGE_INVALID_PARAMS = -32602,
	MESSAGE_INTERNAL_ERROR = -32603,
	MESSAGE_UNSUPPORTED_VERSION = -32022, /* data: the supported ones and the requested one */
};

/* A message of the client. All but root belongs to root. */
struct message {
	json_t *root;
	json_t *id;	    /* NULL: of a notification */
	const char *method; /* NULL: a response, and id is of the request that it answers */
	json_t *params;	    /* an object; NULL: none */
	json_t *result;	    /* of a response; NULL: it is an error */
};

/* Reads a line. Another value than MESSAGE_FINE: it is none, and *why says so; message->id is then what the line has
 * as such, or NULL. The caller calls message_free(), also after an error. */
enum message_error message_read(struct message *message, const char *line, size_t size,
				const char **why);

/* Releases the JSON. */
void message_free(struct message *message);

/* A request's answer, if it is there at once. Zeros: it comes later. */
struct reply {
	json_t *result; /* a new reference, which the reply's owner releases */
	enum message_error code;
	char *why;    /* malloc'ed, of an error */
	json_t *data; /* of an error; a new reference, or NULL */
};

/* An error; format as in printf(). */
struct reply reply_error(enum message_error code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Each writes a line to out and flushes it; failures show in ferror(out). id is borrowed; NULL: the id is not known.
 * What *reply holds is released. params: a new reference, which is taken. */
void message_answer(FILE *out, json_t *id, struct reply *reply);
void message_notify(FILE *out, const char *method, json_t *params);
void message_ask(FILE *out, const char *id, const char *method);

#endif
