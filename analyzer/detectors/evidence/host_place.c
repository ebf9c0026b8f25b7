#include "detectors/evidence/host_place.h"

#include "base/mix.h"
#include "trace/site.h"

/* A frame of either kind of stack. */
static bool is_same_python(const struct trace_python_frame *a, const struct trace_python_frame *b)
{
	return !strcmp(a->file, b->file) && !strcmp(a->function, b->function);
}

/* How many of the look's frames lie inside of the one where the stacks part: 0 if none does. */
static int parted_python(const struct trace_site *look, const struct trace_site *call)
{
	const int most =
		look->python_depth < call->python_depth ? look->python_depth : call->python_depth;
	int shared = 0;

	for (; shared < most; shared++) {
		const struct trace_python_frame *a =
			&look->python_frames[look->python_depth - 1 - shared];
		const struct trace_python_frame *b =
			&call->python_frames[call->python_depth - 1 - shared];

		if (!is_same_python(a, b))
			break;
		if (a->line != b->line)
			return look->python_depth - 1 - shared;
	}
	return shared ? look->python_depth - shared : -1;
}

static bool is_same_function(const struct trace_frame *a, const struct trace_frame *b)
{
	return a->function && b->function && a->module == b->module &&
	       !strcmp(a->function, b->function);
}

static int parted_native(const struct trace_site *look, const struct trace_site *call)
{
	const int most = look->depth < call->depth ? look->depth : call->depth;
	int shared = 0;

	for (; shared < most; shared++) {
		const struct trace_frame *a = &look->frames[look->depth - 1 - shared];
		const struct trace_frame *b = &call->frames[call->depth - 1 - shared];

		if (a->module == b->module && a->offset == b->offset)
			continue;
		/* Behind one return address of the program the function is the same, whatever the
		 * names of what the compiler has put into it; a library calls what it is given. */
		if (is_same_function(a, b) || (shared && !a[1].is_library))
			return look->depth - 1 - shared;
		return shared ? look->depth - shared : -1;
	}
	return shared ? look->depth - shared : -1;
}

/* The first frame from `first` on, outwards, that is the program's own; -1: none. */
static int own_python(const struct trace_site *look, int first)
{
	for (int i = first; i < look->python_depth; i++)
		if (!site_is_python_library(look->python_frames[i].file))
			return i;
	return -1;
}

static int own_native(const struct trace_site *look, int first)
{
	struct frame_filter filter = {0};

	for (int i = first; i < look->depth; i++)
		if (frame_filter_accepts(&filter, &look->frames[i]) &&
		    !look->frames[i].is_library && !look->frames[i].is_library_line)
			return i;
	return -1;
}

static int own_frame(const struct trace_site *look, int first)
{
	return look->python_depth ? own_python(look, first) : own_native(look, first);
}

/* -1: the stacks share no function. */
static int parted_from(const struct trace_site *look, const struct trace_site *call)
{
	if (!call)
		return -1;
	return look->python_depth ? parted_python(look, call) : parted_native(look, call);
}

struct host_place host_place_between(const struct trace_site *look, const struct trace_site *since,
				     const struct trace_site *call)
{
	const int before = parted_from(look, since);
	int parted = parted_from(look, call), own;

	if (parted < 0 || (before >= 0 && before < parted))
		parted = before;
	own = own_frame(look, parted < 0 ? 0 : parted);
	/* Threads share what starts them, which is no code of the program. */
	if (own < 0)
		own = own_frame(look, 0);
	return (struct host_place){.site = look, .inner = own >= 0 ? own : parted < 0 ? 0 : parted};
}

bool host_place_is_launch_path(const struct trace_site *look, const struct trace_site *call)
{
	const int own = look ? own_python(look, 0) : -1, inner = call ? own_python(call, 0) : -1;

	if (own < 1 || inner < 0 || !look->python_frames[own - 1].framework ||
	    look->python_depth - own != call->python_depth - inner)
		return false;
	for (int i = 0; own + i < look->python_depth; i++) {
		const struct trace_python_frame *a = &look->python_frames[own + i];
		const struct trace_python_frame *b = &call->python_frames[inner + i];

		if (a->line != b->line || !is_same_python(a, b))
			return false;
	}
	return true;
}

static uint64_t mix_text(uint64_t seed, const char *text)
{
	for (; text && *text; text++)
		seed = mix(seed, (unsigned char)*text);
	return seed;
}

uint64_t host_place_key(const struct host_place *place, const struct trace_call *call)
{
	if (!place->site)
		return mix(1, (uintptr_t)call->form->site);
	if (place->site->python_depth) {
		const struct trace_python_frame *frame = &place->site->python_frames[place->inner];

		return mix(mix_text(2, frame->file), (uint64_t)frame->line);
	}
	if (place->inner < place->site->depth) {
		const struct trace_frame *frame = &place->site->frames[place->inner];

		if (frame->file)
			return mix(mix_text(3, frame->file), (uint64_t)frame->line);
		return mix(mix_text(4, frame->function),
			   frame->function ? (uintptr_t)frame->module : frame->offset);
	}
	return 5;
}
