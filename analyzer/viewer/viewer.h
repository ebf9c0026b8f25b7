/*
 * The timeline as a page: one HTML file with a program and the data that the program draws. The page needs
 * no network. Texts in the data are escaped: none can become a part of the page or of its program.
 *
 * The program, viewer.js (made of the .js files here), draws lanes of events (lane.h) in groups, and findings
 * beside them. It reads one object for each process: see show() in render/html.c. This room knows neither
 * traces nor CUDA. One thread. Out of memory ends the program, except where a function returns false or NULL
 * for it.
 *
 *	viewer_init(&viewer);
 *	lane_pack(lane, &events, end_ns, true, &packs);	(packs: viewer_packs(&viewer))
 *	viewer_add(&viewer, shown);			(once a process)
 *	viewer_write(&viewer, title, processes, out);
 *	viewer_free(&viewer);
 */
#ifndef STREAMTRACE_VIEWER_H
#define STREAMTRACE_VIEWER_H

#include "viewer/lane.h"

struct viewer {
	struct pack first, second;
	VECTOR(char *) shown; /* JSON, one text a process */
};

/* The caller must zero the viewer before, and call this before all others. */
void viewer_init(struct viewer *viewer);

/* Where lane_pack() puts lanes of this page. */
static inline struct lane_packs viewer_packs(struct viewer *viewer)
{
	return (struct lane_packs){&viewer->first, &viewer->second};
}

/* Packs the JSON as text, which the page's program unpacks when it needs it. Releases json. Returns where the text is,
 * [block, offset, bytes], which the caller releases; NULL: out of memory. */
json_t *viewer_pack_json(struct viewer *viewer, json_t *json);

/* Adds the object that the page shows of one process. Releases shown. False: out of memory, and nothing was added. */
bool viewer_add(struct viewer *viewer, json_t *shown);

/* Writes the page. processes: a list (list_process() in render/html.c) in the order in which viewer_add() added them;
 * it is released. Call once. False: out of memory, and what was written is no whole page. Failures to write show in
 * ferror(out) alone. */
bool viewer_write(struct viewer *viewer, const char *title, json_t *processes, FILE *out);

void viewer_free(struct viewer *viewer);

/* The page's program and style, which CMake makes of the .js and .css files, and the SHA-256 of each in base64. */
extern const char viewer_script[], viewer_style[];
extern const char viewer_script_hash[], viewer_style_hash[];

#endif
