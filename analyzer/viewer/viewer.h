/*
 * The timeline as a page: one HTML file with a program and the data that the program draws. The page needs
 * no network. Texts in the data are escaped: none can become a part of the page or of its program.
 *
 * The page's program is made of the .js files of this folder. It draws lanes of events (lane.h) in groups, with
 * findings beside them. It reads one object and one piece of markup for each process (viewer_add()) and a list of the
 * processes (viewer_write()), which render/html.c makes. This room knows neither traces nor CUDA. One thread. Out of
 * memory ends the streamtrace command, except where a function says that it returns false or NULL.
 *
 *	viewer_init(&viewer);
 *	lane_pack(lane, &events, end_ns, true, &packs);	(packs: viewer_packs(&viewer))
 *	viewer_add(&viewer, shown, findings);		(once a process)
 *	viewer_write(&viewer, title, processes, out);
 *	viewer_free(&viewer);
 */
#ifndef STREAMTRACE_VIEWER_H
#define STREAMTRACE_VIEWER_H

#include "viewer/lane.h"

/* A page that is being made. The members belong to the functions below. */
struct viewer {
	struct pack first, second;
	VECTOR(char *) shown;	 /* JSON, one text a process */
	VECTOR(char *) findings; /* markup, one text a process */
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

/* Adds what the page shows of one process: the program's object, and markup that is there also without the program.
 * Releases shown and frees findings, also after false. False: memory ran out, or one of the two is NULL, and nothing
 * was added. findings is a <section> of the class "process" (render/html_findings.h), whose texts viewer_write_text()
 * wrote, with an <article> of the class "card" for each of report.findings, and a list of the class "races" with a row for
 * each of shown.races. shown has these members; a number of a
 * finding counts from 1:
 *   report    the place, from viewer_pack_json(), of the JSON report: the object of render_json() (render/render.h)
 *   findings  the place of an array, an object for each of report.findings: line (a text), places (an array), and
 *             curve (an array or null); render/html_places.h describes the last two
 *   races     the place of an array of places: html_races() (render/html_places.h)
 *   runs      the place of an array of objects: lanes (an array of objects, after lane_shorten_rows()), end_ns (a
 *             number), fixes (an array of numbers of the findings that are fixed in the run), and of (the number of the
 *             finding whose fix the run shows, alone or behind those that it needs; absent if there is none). The
 *             measured run comes first and has no fixes; then comes the run with all fixes. A lane has what lane_pack()
 *             sets; kind, group and name (texts); an engine's also classes (bits: 1 << enum viewer_class); one of kind
 *             "states" also thread (its number), and folded (true) if the page shows it on demand alone. A lane of a
 *             replayed run can have base (render/html_lanes.h) in place of kind, group and name
 *   things    the place of the array of html_things_take()
 *   steps     the place of an array of numbers, may be absent: when each step of the measured run begins, minus when the
 *             step before does, and last the end of the last step, in the same way
 *   states    an array of texts, may be absent: the names of the classes from VIEWER_READY on */
bool viewer_add(struct viewer *viewer, json_t *shown, char *findings);

/* Writes the text so that it is no markup. */
void viewer_write_text(const char *text, FILE *out);

/* Writes the page to out. Releases processes, also after false. Call once. False: memory ran out, and what was
 * written is no whole page. Failures to write show in ferror(out) alone. processes: an array with an object for each
 * process, in the order of the calls of viewer_add(), with these members:
 *   program, name      texts
 *   rank               a text; null: the process has none
 *   saved_ns, whole_ns numbers: what all fixes save; the untraced run's length
 *   findings           an array of objects: number, id (a text), line (a text), saved_ns (a number)
 *   lane               the object of html_ranks_lane() (render/html_ranks.h) */
bool viewer_write(struct viewer *viewer, const char *title, json_t *processes, FILE *out);

/* Frees what the viewer holds, not the struct. */
void viewer_free(struct viewer *viewer);

/* The page's program and style, which CMake makes of the .js and .css files. */
extern const char viewer_script[], viewer_style[];

/* The SHA-256 of each of the two, in base64. */
extern const char viewer_script_hash[], viewer_style_hash[];

#endif
