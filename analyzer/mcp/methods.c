#include "mcp/methods.h"

#include "base/memory.h"
#include "mcp/answer.h"
#include "mcp/resources.h"
#include "mcp/server_private.h"
#include "mcp/tools.h"

#include <stdlib.h>
#include <string.h>

/* How long a client may keep lists and reports: they change with each recording. */
#define FRESH_MS 0

static const char instructions[] = "streamtrace shows where a CUDA program loses overlap between "
				   "copies, kernels and the host: in "
				   "which line, and what the fix saves. The loop: record the "
				   "program, report on its traces, read "
				   "the first finding's fix and what it needs, edit that line "
				   "(report with edit has the diff, where it is mechanical), "
				   "record again, diff both: it compares "
				   "the predicted and the realised saving. explain describes a "
				   "finding's id; whatif shows several "
				   "fixes together.";

static json_t *get_param(const struct request *request, const char *name)
{
	return json_object_get(request->message->params, name);
}

static json_t *describe_server(void)
{
	return json_pack("{s:s, s:s, s:s}", "name", "streamtrace", "title", "streamtrace",
			 "version", STREAMTRACE_VERSION);
}

static json_t *describe_capabilities(void)
{
	return json_pack("{s:{}, s:{}}", "tools", "resources");
}

static struct reply handle_initialize(struct server *server, const struct request *request)
{
	struct reply reply = session_open(&server->session, request->message->params);

	if (reply.code)
		return reply;
	json_object_set_new(reply.result, "capabilities", describe_capabilities());
	json_object_set_new(reply.result, "serverInfo", describe_server());
	json_object_set_new(reply.result, "instructions", json_string(instructions));
	return reply;
}

static struct reply handle_discover(struct server *server, const struct request *request)
{
	(void)server;
	(void)request;
	return (struct reply){.result = json_pack("{s:[s], s:o, s:s}", "supportedVersions",
						  SESSION_MODERN, "capabilities",
						  describe_capabilities(), "instructions",
						  instructions)};
}

static struct reply handle_ping(struct server *server, const struct request *request)
{
	(void)server;
	(void)request;
	return (struct reply){.result = json_object()};
}

/* All in one answer. */
static bool refuse_cursor(const struct request *request, struct reply *reply)
{
	if (!get_param(request, "cursor"))
		return false;
	*reply = reply_error(MESSAGE_INVALID_PARAMS, "the cursor is none of this server's");
	return true;
}

static struct reply handle_tools(struct server *server, const struct request *request)
{
	struct reply reply;

	if (refuse_cursor(request, &reply))
		return reply;
	reply = (struct reply){.result = json_object()};
	json_object_set_new(reply.result, "tools",
			    tools_describe(server->options->runs_programs, server->options->help));
	return reply;
}

static struct reply handle_templates(struct server *server, const struct request *request)
{
	struct reply reply;

	(void)server;
	return refuse_cursor(request, &reply) ? reply : resources_templates();
}

static struct reply handle_resources(struct server *server, const struct request *request)
{
	const json_t *cursor = get_param(request, "cursor");

	if (cursor && !json_is_string(cursor))
		return reply_error(MESSAGE_INVALID_PARAMS, "cursor must be a text");
	return resources_list(session_roots(&server->session, request->is_modern),
			      json_string_value(cursor));
}

static struct call *make_call(const struct request *request)
{
	struct call *call = memory_array(1, sizeof(*call));
	json_t *token = json_object_get(get_param(request, "_meta"), "progressToken");

	call->process = (struct process){.out = -1, .errors = -1};
	call->id = json_incref(request->message->id);
	if (json_is_string(token) || json_is_integer(token))
		call->token = json_incref(token);
	call->is_modern = request->is_modern;
	return call;
}

/* Why no call can be made now; NULL: one can. */
static const char *obstacle_of_call(const struct server *server, const struct tool *tool)
{
	if (server->in_flight.calls.count == IN_FLIGHT_MOST)
		return "too many calls at a time: wait for one, or cancel one";
	if (tool && tool->runs_program && in_flight_runs_program(&server->in_flight))
		return "a program is being recorded: another one would change its times";
	return NULL;
}

/* An answer that says what is wrong, for the client's model to read. Takes `why`. */
static struct reply refuse_call(char *why)
{
	struct reply reply = {.result = answer_refused(why)};

	free(why);
	return reply;
}

static struct reply handle_call(struct server *server, const struct request *request)
{
	const char *name = json_string_value(get_param(request, "name"));
	const struct tool *tool = name ? tool_find(name) : NULL;
	json_t *arguments = get_param(request, "arguments");
	const struct roots *roots = session_roots(&server->session, request->is_modern);
	struct call *call;
	const char *obstacle;
	char *why = NULL;

	if (!tool)
		return reply_error(MESSAGE_INVALID_PARAMS, "unknown tool: %s", name ? name : "?");
	if (tool->runs_program && !server->options->runs_programs)
		return reply_error(
			MESSAGE_INVALID_PARAMS,
			"unknown tool: %s: it runs programs, which streamtrace mcp must be "
			"allowed by --allow-run",
			name);
	if (arguments && !json_is_object(arguments))
		return reply_error(MESSAGE_INVALID_PARAMS, "arguments must be an object");
	obstacle = obstacle_of_call(server, tool);
	if (obstacle)
		return refuse_call(memory_format("%s", obstacle));
	call = make_call(request);
	call->tool = tool;
	/* The words have pointers into the arguments. */
	call->arguments = json_incref(arguments);
	if (!tool_words_make(&call->words, tool, arguments, roots, &why)) {
		in_flight_free(call);
		return refuse_call(why);
	}
	if (!in_flight_start(&server->in_flight, call, server->out, &why))
		return refuse_call(why);
	return (struct reply){0};
}

static struct reply handle_read(struct server *server, const struct request *request)
{
	const char *uri = json_string_value(get_param(request, "uri"));
	const char *obstacle = obstacle_of_call(server, NULL);
	struct call *call;
	struct reply reply;
	char *why = NULL;

	if (!uri || obstacle)
		return uri ? reply_error(MESSAGE_INTERNAL_ERROR, "%s", obstacle)
			   : reply_error(MESSAGE_INVALID_PARAMS, "uri must be a text");
	call = make_call(request);
	call->uri = memory_format("%s", uri);
	call->resource = resources_words(uri, session_roots(&server->session, request->is_modern),
					 &call->words, &why);
	if (!call->resource)
		in_flight_free(call);
	else if (in_flight_start(&server->in_flight, call, server->out, &why))
		return (struct reply){0};
	reply = reply_error(MESSAGE_INVALID_PARAMS, "%s", why);
	free(why);
	return reply;
}

static const struct method methods[] = {
	{"initialize", true, false, false, false, handle_initialize},
	{"server/discover", false, true, true, false, handle_discover},
	{"ping", true, false, false, false, handle_ping},
	{"tools/list", true, true, true, false, handle_tools},
	{"tools/call", true, true, false, true, handle_call},
	{"resources/list", true, true, true, true, handle_resources},
	{"resources/templates/list", true, true, true, false, handle_templates},
	{"resources/read", true, true, true, true, handle_read},
};

const struct method *method_find(const char *name, bool is_modern)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
		if (!strcmp(methods[i].name, name) &&
		    (is_modern ? methods[i].is_modern : methods[i].is_legacy))
			return &methods[i];
	return NULL;
}

void method_complete(json_t *result, bool is_cached)
{
	json_object_set_new(result, "resultType", json_string("complete"));
	json_object_set_new(
		result, "_meta",
		json_pack("{s:o}", "io.modelcontextprotocol/serverInfo", describe_server()));
	if (!is_cached)
		return;
	json_object_set_new(result, "ttlMs", json_integer(FRESH_MS));
	json_object_set_new(result, "cacheScope", json_string("private"));
}
