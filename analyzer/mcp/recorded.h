/* Traces in folders. One thread. */
#ifndef STREAMTRACE_MCP_RECORDED_H
#define STREAMTRACE_MCP_RECORDED_H

#include "base/vector.h"

#include <jansson.h>

struct roots;

typedef VECTOR(char *) path_list;

/* Returns the traces in the folder, sorted: an array of paths, a new reference. */
json_t *recorded_traces(const char *folder);

/* Adds the traces below the roots, sorted by path, each once. Links are not followed; hidden folders and what lies more
 * than 12 folders deep are left out. Of very large trees only a part is seen. Free with recorded_free(). */
void recorded_find(const struct roots *roots, path_list *paths);

void recorded_free(path_list *paths);

#endif
