/*
 * The timeline as a page: one HTML file with the program that draws it, and what that draws. It needs
 * no network, and nothing that it shows can become a part of the page or of its program.
 *
 * viewer.js (made of the .js files here) draws what it is given: lanes of events (lane.h) in groups, and
 * beside them findings. It reads one object a process: see show() in render/html.c. This room knows neither
 * traces nor CUDA. One thread; out of memory ends the program, but for what says so.
 */
#ifndef STREAMTRACE_VIEWER_H
#define STREAMTRACE_VIEWER_H

#include "viewer/lane.h"

struct viewer {
	struct pack first, second;
	VECTOR(char *) shown; /* JSON, one text a process */
};

/* Zero-initialize the viewer, and call this first. */
void viewer_init(struct viewer *viewer);

static inline struct lane_packs viewer_packs(struct viewer *viewer)
{
	return (struct lane_packs){&viewer->first, &viewer->second};
}

/* Packs the JSON, for what is read later than the page's own; releases it. [block, offset, bytes], or
 * NULL: out of memory. */
json_t *viewer_pack_json(struct viewer *viewer, json_t *json);

/* Adds what the page shows of a process; releases the object. False: out of memory. */
bool viewer_add(struct viewer *viewer, json_t *shown);

/* Writes the page; releases the list of its processes (list in render/html.c), in the order in which they
 * were added. False: out of memory. */
bool viewer_write(struct viewer *viewer, const char *title, json_t *processes, FILE *out);

void viewer_free(struct viewer *viewer);

/* CMake makes these of the .js and .css files; the hashes are SHA-256 in base64. */
extern const char viewer_script[], viewer_style[];
extern const char viewer_script_hash[], viewer_style_hash[];

#endif
