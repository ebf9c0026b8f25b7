#include "mcp/message.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static enum message_error read_envelope(struct message *message, const char **why)
{
	json_t *root = message->root;
	json_t *id = json_object_get(root, "id"), *method = json_object_get(root, "method");
	const char *version = json_string_value(json_object_get(root, "jsonrpc"));

	*why = "the message is no object: batches are no part of this protocol";
	if (!json_is_object(root))
		return MESSAGE_INVALID_REQUEST;
	if (json_is_string(id) || json_is_number(id))
		message->id = id;
	*why = "jsonrpc must be \"2.0\"";
	if (!version || strcmp(version, "2.0") != 0)
		return MESSAGE_INVALID_REQUEST;
	*why = "id must be a text or a number";
	if (id && !message->id)
		return MESSAGE_INVALID_REQUEST;
	message->method = json_string_value(method);
	message->result = json_object_get(root, "result");
	*why = "a message has a method, or it has an id and a result or an error";
	if (!message->method &&
	    (method || !id || (!message->result && !json_object_get(root, "error"))))
		return MESSAGE_INVALID_REQUEST;
	message->params = json_object_get(root, "params");
	*why = "params must be an object";
	if (message->params && !json_is_object(message->params))
		return message->method && message->id ? MESSAGE_INVALID_PARAMS
						      : MESSAGE_INVALID_REQUEST;
	return MESSAGE_FINE;
}

enum message_error message_read(struct message *message, const char *line, size_t size,
				const char **why)
{
	*message = (struct message){.root = json_loadb(line, size, 0, NULL)};
	*why = "the line is no JSON";
	return message->root ? read_envelope(message, why) : MESSAGE_PARSE_ERROR;
}

void message_free(struct message *message)
{
	json_decref(message->root);
	*message = (struct message){0};
}

struct reply reply_error(enum message_error code, const char *format, ...)
{
	struct reply reply = {.code = code};
	va_list values;

	va_start(values, format);
	if (vasprintf(&reply.why, format, values) < 0)
		reply.why = NULL;
	va_end(values);
	return reply;
}

/* Takes the message. */
static void write_line(FILE *out, json_t *message)
{
	json_dumpf(message, out, JSON_COMPACT);
	json_decref(message);
	fputc('\n', out);
	fflush(out);
}

void message_answer(FILE *out, json_t *id, struct reply *reply)
{
	json_t *message = json_pack("{s:s}", "jsonrpc", "2.0"), *error;

	if (id)
		json_object_set(message, "id", id);
	if (reply->code) {
		error = json_pack("{s:i, s:s}", "code", (int)reply->code, "message",
				  reply->why ? reply->why : "out of memory");
		if (reply->data)
			json_object_set_new(error, "data", reply->data);
		json_object_set_new(message, "error", error);
	} else {
		json_object_set_new(message, "result", reply->result);
	}
	free(reply->why);
	*reply = (struct reply){0};
	write_line(out, message);
}

void message_notify(FILE *out, const char *method, json_t *params)
{
	write_line(out, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params",
				  params));
}

void message_ask(FILE *out, const char *id, const char *method)
{
	write_line(out, json_pack("{s:s, s:s, s:s}", "jsonrpc", "2.0", "id", id, "method", method));
}
