#include "mcp/server.h"

#include "base/memory.h"
#include "mcp/answer.h"
#include "mcp/methods.h"
#include "mcp/resources.h"
#include "mcp/server_private.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define READ_BYTES 65536
static void answer_request(const struct server *server, json_t *id, struct reply *reply,
			   bool is_modern, bool is_cached)
{
	if (reply->result && is_modern)
		method_complete(reply->result, is_cached);
	if (reply->result || reply->code)
		message_answer(server->out, id, reply);
}

/* The answer, or zeros if it comes later. */
static struct reply call_method(struct server *server, const struct request *request,
				const struct method *method)
{
	return method ? method->handle(server, request)
		      : reply_error(MESSAGE_METHOD_NOT_FOUND, "no method %s",
				    request->message->method);
}

/* False: the request must wait for the roots, and the message is kept. */
static bool handle_request(struct server *server, const struct message *message)
{
	struct reply reply;
	const struct request request = {message,
					session_is_modern(&server->session, message, &reply)};
	const struct method *method = method_find(message->method, request.is_modern);

	if (!reply.code && method && method->needs_roots && !request.is_modern &&
	    server->session.asked_ms) {
		*vector_add(&server->session.waiting) = *message;
		return false;
	}
	if (!reply.code)
		reply = call_method(server, &request, method);
	answer_request(server, message->id, &reply, request.is_modern, method && method->is_cached);
	return true;
}

/* Requests that waited for the roots. */
static void handle_waiting(struct server *server)
{
	for (size_t i = 0; i < server->session.waiting.count; i++) {
		handle_request(server, &server->session.waiting.items[i]);
		message_free(&server->session.waiting.items[i]);
	}
	server->session.waiting.count = 0;
}

static void cancel_request(struct server *server, const json_t *id)
{
	struct session *session = &server->session;

	if (!id)
		return;
	in_flight_cancel(&server->in_flight, id);
	for (size_t i = 0; i < session->waiting.count; i++)
		if (json_equal(session->waiting.items[i].id, id)) {
			message_free(&session->waiting.items[i]);
			memmove(&session->waiting.items[i], &session->waiting.items[i + 1],
				(--session->waiting.count - i) * sizeof(*session->waiting.items));
			return;
		}
}

static void handle_notification(struct server *server, const struct message *message)
{
	if (!strcmp(message->method, "notifications/cancelled"))
		cancel_request(server, json_object_get(message->params, "requestId"));
	else if (!strcmp(message->method, "notifications/initialized") ||
		 !strcmp(message->method, "notifications/roots/list_changed"))
		session_ask_roots(&server->session, server->out);
}

static void handle_line(struct server *server, const char *line, size_t size)
{
	struct message message;
	struct reply reply;
	const char *why;
	enum message_error error = message_read(&message, line, size, &why);
	bool is_done = true;

	if (error) {
		reply = reply_error(error, "%s", why);
		message_answer(server->out, message.id, &reply);
	} else if (!message.method) {
		if (session_take_roots(&server->session, &message))
			handle_waiting(server);
	} else if (message.id) {
		is_done = handle_request(server, &message);
	} else {
		handle_notification(server, &message);
	}
	if (is_done)
		message_free(&message);
}

void server_take(struct server *server, const char *bytes, size_t size)
{
	enum line_kind kind;
	struct reply reply;
	const char *line;

	lines_add(&server->lines, bytes, size);
	while ((kind = lines_next(&server->lines, &line, &size)) != LINE_NONE)
		if (kind == LINE_TOO_LONG) {
			reply = reply_error(MESSAGE_INVALID_REQUEST,
					    "the message has more than %zu bytes", LINE_MOST_BYTES);
			message_answer(server->out, NULL, &reply);
		} else if (size) {
			handle_line(server, line, size);
		}
}

/* Answers calls that have ended. */
static void finish_calls(struct server *server)
{
	for (struct call *call; (call = in_flight_take(&server->in_flight));) {
		const bool is_failure = server->options->is_failure(call->process.status);
		struct reply reply = {0};

		if (!call->is_cancelled && call->tool)
			reply.result = answer_of_tool(call->tool, &call->words, &call->process,
						      is_failure);
		else if (!call->is_cancelled)
			reply = resources_read(call->resource, call->uri, &call->process,
					       is_failure);
		answer_request(server, call->id, &reply, call->is_modern, call->resource != NULL);
		in_flight_free(call);
	}
}

/* False: there is no more. */
static bool read_input(struct server *server, int in)
{
	char bytes[READ_BYTES];
	ssize_t size = read(in, bytes, sizeof(bytes));

	if (size < 0)
		return errno == EINTR || errno == EAGAIN;
	server_take(server, bytes, (size_t)size);
	return size > 0;
}

static int wait_ms(const struct server *server)
{
	int most_ms = in_flight_wait_ms(&server->in_flight);
	int64_t left_ms;

	if (!server->session.asked_ms)
		return most_ms;
	left_ms = server->session.asked_ms + SESSION_ROOTS_MS - process_now_ms();
	left_ms = left_ms > 0 ? left_ms : 0;
	return most_ms < 0 || left_ms < most_ms ? (int)left_ms : most_ms;
}

static void settle_roots(struct server *server, bool is_over)
{
	if (!server->session.asked_ms ||
	    (!is_over && process_now_ms() < server->session.asked_ms + SESSION_ROOTS_MS))
		return;
	session_settle(&server->session);
	handle_waiting(server);
}

static void serve_until_end(struct server *server, int in, int children)
{
	struct pollfd fds[2 + 2 * IN_FLIGHT_MOST] = {{.fd = in, .events = POLLIN},
						     {.fd = children, .events = POLLIN}};
	struct signalfd_siginfo signal;

	while (!ferror(server->out) && (fds[0].fd >= 0 || server->in_flight.calls.count)) {
		const size_t count = in_flight_poll(&server->in_flight, fds + 2);

		poll(fds, 2 + count, wait_ms(server));
		while (read(children, &signal, sizeof(signal)) > 0)
			;
		if (fds[0].revents && !read_input(server, in)) {
			fds[0].fd = -1;
			settle_roots(server, true);
			in_flight_stop(&server->in_flight, false);
		}
		settle_roots(server, false);
		in_flight_attend(&server->in_flight, server->out);
		finish_calls(server);
	}
}

/* Nobody reads the answers any more. */
static void end_calls(struct server *server)
{
	in_flight_stop(&server->in_flight, true);
	while (server->in_flight.calls.count) {
		struct call *call = in_flight_take(&server->in_flight);

		if (call) {
			in_flight_free(call);
			continue;
		}
		poll(NULL, 0, 10);
		in_flight_attend(&server->in_flight, server->out);
	}
}

bool server_serve(struct server *server, int in)
{
	sigset_t child, before;
	int children;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (children >= 0) {
		serve_until_end(server, in, children);
		end_calls(server);
		close(children);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return children >= 0;
}

/* To run out of memory ends the program, as elsewhere. */
static void *take_memory(size_t bytes)
{
	return memory_array(bytes, 1);
}

struct server *server_make(const struct server_options *options, FILE *out)
{
	struct server *server = memory_array(1, sizeof(*server));

	json_set_alloc_funcs(take_memory, free);
	server->options = options;
	server->out = out;
	server->session.allowed = options->roots;
	server->session.is_limited = options->has_roots;
	return server;
}

void server_free(struct server *server)
{
	session_free(&server->session);
	lines_free(&server->lines);
	vector_free(&server->in_flight.calls);
	free(server);
}
