/* The JSON Schemas of what tools answer. One thread. */
#ifndef STREAMTRACE_MCP_ANSWER_SCHEMAS_H
#define STREAMTRACE_MCP_ANSWER_SCHEMAS_H

#include <jansson.h>

struct tool;

/* Returns the schema of the tool's structuredContent, with the schemas of its command's JSON in it: a new reference. */
json_t *schema_of_answer(const struct tool *tool);

#endif
