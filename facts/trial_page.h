/*
 * What `streamtrace try` and libstrace_try.so tell each other: a page of memory that both have mapped.
 *
 * The command line makes the page for each run, as a memfd that cannot shrink, fills in the first part, and names
 * it in STREAMTRACE_TRY, as its path, a colon and its inode. Each program of the run maps it in its constructor, and its forked children have it, too. The
 * library only adds to the second part, with atomic operations, so nothing is lost where a program crashes or calls
 * _exit(). A run whose `applies` is 0 is the control: the library does what costs time beside a fix (it looks each
 * call up, it hashes results), and leaves each call as it is.
 *
 * A run may have turns: the first process that calls CUDA switches the fixes off and on, in the order of trial_is_fixed_at(), but not in children that it forks. A turn
 * is so many calls of one site.
 */
#ifndef STREAMTRACE_TRIAL_PAGE_H
#define STREAMTRACE_TRIAL_PAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRIAL_VERSION = 7,
	TRIAL_MOST_SITES = 256,
	TRIAL_MOST_RESULTS = 65536,
	TRIAL_MODULE_BYTES = 256,
	TRIAL_BLOCK = 4, /* runs, or turns */
	TRIAL_MOST_TURNS = 64,
};

/* Whether the fixes are made at this place of a block of runs or turns. Block 0 is the control, untouched; then come
 * A B B A, B A A B, ..., where B is with the fixes. */
static inline bool trial_is_fixed_at(size_t block, size_t place)
{
	const bool is_inner = place == 1 || place == 2;

	return block && (block % 2 ? is_inner : !is_inner);
}

/* The measured part of a turn. */
struct trial_turn {
	int64_t ns;
	int64_t set_up_ns; /* of it, what the fixes took to get ready */
};

enum trial_fix {
#define FIX(id, ...) TRIAL_##id,
#include "facts/trial_fixes.def"
#undef FIX
	TRIAL_FIX_COUNT
};

/* Why a fix was not made at a call, as bits; the texts are in trial_refusals.def. */
enum trial_refusal {
#define REFUSAL(id, ...) TRIAL_REFUSED_##id,
#include "facts/trial_refusals.def"
#undef REFUSAL
	TRIAL_REFUSAL_COUNT
};

struct trial_site {
	/* Of the command line. The call: its return address in the file of a module, by the module's last
	 * path component. An empty module: each call of the fix's functions. */
	char module[TRIAL_MODULE_BYTES];
	uint64_t offset;
	uint32_t fix; /* enum trial_fix */
	/* Of the library. */
	_Atomic uint32_t refusals; /* bit 1 << enum trial_refusal */
	_Atomic uint64_t calls, applied;
};

struct trial_page {
	uint32_t version, applies, site_count;
	/* 1: results are hashed by all their bytes. 0: by 64 lines at most, in runs that are timed. */
	uint32_t hashes_all;
	/* 1: the recorded run has put work into streams by calls that the library does not see. */
	uint32_t has_unseen_work;
	uint32_t has_unseen_copies; /* likewise, of copies to or from memory of the host */
	/* A turn: warm_calls calls of the site that are not measured, then turn_calls that are. turn_calls 0: the run has no turns. With
	 * turns `applies` is 0. */
	uint32_t turn_site, warm_calls, turn_calls;
	struct trial_site sites[TRIAL_MOST_SITES];

	/* Of the library. Times are of CLOCK_MONOTONIC, in ns; 0: no call. */
	_Atomic uint32_t processes;	   /* that made a CUDA call */
	_Atomic int64_t first_ns, last_ns; /* the first call's entry, the last call's return */
	/* When the first kernel, copy, set or graph was enqueued: its call's entry, or its return if the call made the
	 * context. What comes before is start-up. */
	_Atomic int64_t began_ns;
	_Atomic uint64_t pinned_bytes;	 /* that the fixes took, at most at a time */
	_Atomic uint64_t device_bytes;	 /* likewise, of device memory */
	_Atomic int64_t set_up_ns;	 /* that taking and registering them took */
	_Atomic int64_t start_set_up_ns; /* of it, before began_ns */
	_Atomic uint32_t turn_count;
	struct trial_turn turns[TRIAL_MOST_TURNS]; /* the first turn_count of them have ended */
	_Atomic uint32_t result_count; /* copies to the host, hashed: of the first process alone */
	_Atomic uint64_t
		results[TRIAL_MOST_RESULTS]; /* their hashes, in the order of their calls; 0: not
						       * hashed */
};

#endif
