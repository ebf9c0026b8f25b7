/*
 * What a tool answers, from what its command printed. A long answer comes in parts, each behind the cursor of the part
 * before. The command runs anew for each part; the cursor tells whether it printed the same. One thread.
 */
#ifndef STREAMTRACE_MCP_ANSWER_H
#define STREAMTRACE_MCP_ANSWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Of a command that prints more there is no answer. The largest page is far smaller. */
#define ANSWER_MOST_OUTPUT ((size_t)16 << 20)

struct process;
struct tool;
struct tool_words;

/* Returns the result of tools/call for a process that has ended: a new reference. is_failure: the exit status is one
 * that comes without an answer. */
json_t *answer_of_tool(const struct tool *tool, const struct tool_words *words,
		       const struct process *process, bool is_failure);

/* Returns the result of a call that could not be made: a new reference. */
json_t *answer_refused(const char *why);

/* Returns the lines of the process's messages, safe to print: a new reference. */
json_t *answer_messages(const struct process *process);

#endif
