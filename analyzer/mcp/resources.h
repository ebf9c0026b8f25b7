/*
 * The resources of the server: each trace below the roots as its report, and as the page with its timeline.
 *
 *	streamtrace://trace/home/me/app.db	the report, in Markdown
 *	streamtrace://page/home/me/app.db	the page, in HTML
 *
 * One thread.
 */
#ifndef STREAMTRACE_MCP_RESOURCES_H
#define STREAMTRACE_MCP_RESOURCES_H

#include "mcp/message.h"
#include "mcp/roots.h"
#include "mcp/tool_words.h"

/* A kind of resource. */
struct resource {
	const char *beginning, *name, *title, *type, *format, *description;
};

/* The answer of resources/list: a page of them. cursor: of the page before, or NULL. */
struct reply resources_list(const struct roots *roots, const char *cursor);

/* The answer of resources/templates/list. */
struct reply resources_templates(void);

/* Makes the command line that prints what the URI stands for. NULL: it is no resource, and *why says so, malloc'ed. The
 * caller calls tool_words_free(). */
const struct resource *resources_words(const char *uri, const struct roots *roots,
				       struct tool_words *words, char **why);

struct process;

/* The answer of resources/read, for a process of that command line that has ended. */
struct reply resources_read(const struct resource *resource, const char *uri,
			    const struct process *process, bool is_failure);

#endif
