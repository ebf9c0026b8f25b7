/*
 * The timeline as a page: one HTML file with a program and the data that the program draws. The page needs
 * no network. Texts in the data are escaped: none can become a part of the page or of its program.
 *
 * The page's program is made of the .js files of this folder. It draws lanes of events (lane.h) in groups, with
 * findings beside them. It reads one object for each process, which show() in render/html.c makes. This room knows
 * neither traces nor CUDA. One thread. Out of memory ends the streamtrace command, except where a function says that
 * it returns false or NULL.
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

/* A page that is being made. The members belong to the functions below. */
struct viewer {
	struct pack first, second;
	VECTOR(char *) shown; /* JSON, one text a process */
};

/* Sets up a viewer that the caller has zeroed. Call before all other functions. */
void viewer_init(struct viewer *viewer);

/* Returns where lane_pack() puts the lanes of this page. Valid as long as the viewer. */
static inline struct lane_packs viewer_packs(struct viewer *viewer)
{
	return (struct lane_packs){&viewer->first, &viewer->second};
}

/* Packs json as text, which the page's program unpacks when it needs the text. Releases json, also on failure.
 * Returns the text's place, [block, offset, bytes], which the caller releases. NULL: out of memory. */
json_t *viewer_pack_json(struct viewer *viewer, json_t *json);

/* Adds the object that the page shows of one process. Releases shown, also after false. False: memory ran out, and
 * nothing was added. */
bool viewer_add(struct viewer *viewer, json_t *shown);

/* Writes the page to out. processes: an array with an object for each process (list_process() in render/html.c), in
 * the order of the calls of viewer_add(). Releases processes, also after false. Call once. False: memory ran out,
 * and what was written is no whole page. Failures to write show in ferror(out) alone. */
bool viewer_write(struct viewer *viewer, const char *title, json_t *processes, FILE *out);

/* Frees what the viewer holds, not the struct. */
void viewer_free(struct viewer *viewer);

/* The page's program and style, which CMake makes of the .js and .css files. */
extern const char viewer_script[], viewer_style[];

/* The SHA-256 of each of the two, in base64. */
extern const char viewer_script_hash[], viewer_style_hash[];

#endif
