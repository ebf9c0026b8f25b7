#include "mcp/session.h"

#include "mcp/process.h"

#include <string.h>

#define META_VERSION	  "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"

/* Revisions with initialize, the newest first. */
static const char *const sessions[] = {"2025-11-25", "2025-06-18"};

bool session_is_modern(const struct session *session, const struct message *message,
		       struct reply *reply)
{
	const json_t *meta = json_object_get(message->params, "_meta");
	const char *version = json_string_value(json_object_get(meta, META_VERSION));
	const bool is_opening = !strcmp(message->method, "initialize");

	*reply = (struct reply){0};
	if (!version && !session->is_open && !is_opening && strcmp(message->method, "ping") != 0)
		*reply = reply_error(MESSAGE_INVALID_PARAMS, "params._meta must have " META_VERSION
							     ", or initialize must come first");
	if (!version || is_opening)
		return false;
	if (strcmp(version, SESSION_MODERN) != 0) {
		*reply = reply_error(MESSAGE_UNSUPPORTED_VERSION, "unsupported protocol version");
		reply->data = json_pack("{s:[s], s:s}", "supported", SESSION_MODERN, "requested",
					version);
	} else if (!json_is_object(json_object_get(meta, META_CAPABILITIES))) {
		*reply = reply_error(MESSAGE_INVALID_PARAMS,
				     "params._meta must have " META_CAPABILITIES);
	}
	return true;
}

struct reply session_open(struct session *session, const json_t *params)
{
	const char *version = json_string_value(json_object_get(params, "protocolVersion"));
	const json_t *capabilities = json_object_get(params, "capabilities");
	const char *chosen = sessions[0];

	if (!version || !json_is_object(capabilities))
		return reply_error(MESSAGE_INVALID_PARAMS,
				   "initialize needs protocolVersion and capabilities");
	if (session->is_open)
		return reply_error(MESSAGE_INVALID_REQUEST, "initialize came before");
	for (size_t i = 0; i < sizeof(sessions) / sizeof(*sessions); i++)
		if (!strcmp(sessions[i], version))
			chosen = sessions[i];
	session->is_open = true;
	session->has_roots = json_is_object(json_object_get(capabilities, "roots"));
	return (struct reply){.result = json_pack("{s:s}", "protocolVersion", chosen)};
}

/* The id of the request for the roots. */
static char *name_request(const struct session *session)
{
	return memory_format("roots-%u", session->asked);
}

void session_ask_roots(struct session *session, FILE *out)
{
	char *id;

	if (!session->is_open || !session->has_roots)
		return;
	session->asked++;
	session->asked_ms = process_now_ms();
	id = name_request(session);
	message_ask(out, id, "roots/list");
	free(id);
}

bool session_take_roots(struct session *session, const struct message *message)
{
	const char *id = json_string_value(message->id);
	const json_t *list = json_object_get(message->result, "roots");
	char *asked = name_request(session);
	const bool is_asked = session->asked_ms && id && !strcmp(id, asked);

	free(asked);
	if (!is_asked)
		return false;
	roots_free(&session->own);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *uri =
			json_string_value(json_object_get(json_array_get(list, i), "uri"));

		if (uri)
			roots_add_uri(&session->own, uri);
	}
	session->has_own = json_array_size(list) > 0;
	if (session->is_limited)
		roots_narrow(&session->own, session->allowed);
	session->asked_ms = 0;
	return true;
}

void session_settle(struct session *session)
{
	session->asked_ms = 0;
}

const struct roots *session_roots(const struct session *session, bool is_modern)
{
	return session->has_own && !is_modern ? &session->own : session->allowed;
}

void session_free(struct session *session)
{
	for (size_t i = 0; i < session->waiting.count; i++)
		message_free(&session->waiting.items[i]);
	vector_free(&session->waiting);
	roots_free(&session->own);
}
