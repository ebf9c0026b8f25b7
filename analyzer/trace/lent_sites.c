/*
 * Lends Python lines to threads that run no Python.
 *
 * PyTorch makes the calls of a backward pass in a thread of its own, whose stacks have only library
 * frames. If threads take turns, Python's thread waits meanwhile in the line of its last call:
 * `loss.backward()`. The calls get this line: a site with their own frames and that line's Python
 * frames.
 */
#include "trace/framework.h"
#include "trace/loader.h"
#include "trace/turns.h"

#include <stdlib.h>
#include <string.h>

#define NOT_LENT UINT32_MAX

struct lending {
	struct trace *trace;
	struct map python_threads;
	struct turns turns;
	struct map lent;		 /* own and lender's index to that of the new site */
	VECTOR(struct trace_site) sites; /* with the new ones */
	uint32_t *to;			 /* by call: the new site, or NOT_LENT */
};

static void find_python_threads(struct lending *lending)
{
	const struct trace *trace = lending->trace;

	for (size_t i = 0; i < trace->call_count; i++)
		if (trace->calls[i].form->site && trace->calls[i].form->site->python_depth)
			map_add(&lending->python_threads, trace->calls[i].form->thread_id, i);
}

/* The site with the own frames and the lender's Python frames. */
static uint32_t lend_frames(struct lending *lending, const struct trace_site *own,
			    const struct trace_site *lender)
{
	const struct trace_site *sites = lending->trace->sites;
	uint64_t key = (uint64_t)(own - sites) << 32 | (uint64_t)(lender - sites);
	struct trace_site site = *own;

	if (map_add(&lending->lent, key, lending->sites.count)) {
		site.python_depth = lender->python_depth;
		site.python_frames = lender->python_frames;
		site.is_lent = true;
		*vector_add(&lending->sites) = site;
	}
	return (uint32_t)map_find(&lending->lent, key);
}

static void find_lent(struct lending *lending)
{
	const struct trace *trace = lending->trace;
	const struct trace_site *lender = NULL;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		lending->to[i] = NOT_LENT;
		if (!call->form->site || !turns_has(&lending->turns, call->form->thread_id))
			continue;
		if (call->form->site->python_depth)
			lender = call->form->site;
		else if (lender && framework_of(call->form->site) &&
			 map_find(&lending->python_threads, call->form->thread_id) == MAP_NONE)
			lending->to[i] = lend_frames(lending, call->form->site, lender);
	}
}

static const struct trace_site *moved_site(const struct lending *lending,
					   const struct trace_site *site)
{
	return site ? &lending->sites.items[site - lending->trace->sites] : NULL;
}

static void move_form(void *context, void *form)
{
	struct trace_call_form *moving = form;

	moving->site = moved_site(context, moving->site);
}

/* Forms of their own for the calls with a new site. */
static void lend_forms(struct lending *lending, struct forms *lent)
{
	struct trace *trace = lending->trace;

	for (size_t i = 0; i < trace->call_count; i++) {
		struct trace_call_form form;

		if (lending->to[i] == NOT_LENT)
			continue;
		memcpy(&form, trace->calls[i].form, sizeof(form));
		form.site = &lending->sites.items[lending->to[i]];
		trace->calls[i].form = forms_keep(lent, &form);
	}
}

/* All pointers to sites follow them. */
static void move_sites(struct lending *lending)
{
	struct trace *trace = lending->trace;
	struct trace_private *private = trace->private;

	for (size_t i = 0; i < CONNECTIONS_MOST; i++)
		forms_each(&private->call_forms[i], move_form, lending);
	lend_forms(lending, &private->lent_forms);
	for (size_t i = 0; i < trace->first_use_count; i++)
		trace->first_uses[i].site = moved_site(lending, trace->first_uses[i].site);
	for (size_t i = 0; i < trace->copy_watch_count; i++)
		trace->copy_watches[i].site = moved_site(lending, trace->copy_watches[i].site);
	free(trace->sites);
	vector_move(&lending->sites, trace->sites, trace->site_count);
}

void trace_lend_sites(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct lending lending = {.trace = trace};

	if (loader->database.error || !trace_metadata(trace, "python") ||
	    trace->site_count >= NOT_LENT)
		return;
	lending.turns = turns_find(trace);
	lending.to = memory_array(trace->call_count, sizeof(*lending.to));
	for (size_t i = 0; i < trace->site_count; i++)
		*vector_add(&lending.sites) = trace->sites[i];
	find_python_threads(&lending);
	find_lent(&lending);
	if (lending.sites.count > trace->site_count && lending.sites.count < NOT_LENT)
		move_sites(&lending);
	vector_free(&lending.sites);
	turns_free(&lending.turns);
	map_free(&lending.lent);
	map_free(&lending.python_threads);
	free(lending.to);
}
