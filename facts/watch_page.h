/*
 * What a program in watch mode (STREAMTRACE_MODE=watch) says of itself: the file NAME.watch beside its traces.
 *
 * The file is a struct watch_page, mode 0600. The library's writer thread writes it anew twice a second, with
 * one pwrite(), and keeps a descriptor of it open: a reader that has only the process id finds the path among the
 * links in /proc/PID/fd. Read it with one pread() of the whole struct; where `begun` differs from `ended`, or the
 * version or size is another, read again or leave it. Nothing is mapped: a file that is cut short must not kill the
 * program. The library removes the file at the program's regular end. After a SIGKILL it stays: compare pid and
 * process_start with /proc/PID/stat, or updated_ns with the clock.
 *
 * To ask for an incident make the file NAME.trigger, in the same folder, empty. The library looks for it as
 * often as it writes the page, removes it, and then counts it in triggers_seen. Whether an incident came of it is
 * told by `incidents` and `left_out`.
 *
 * All numbers are of this process since its start. Times are ns; points in time are of CLOCK_REALTIME.
 */
#ifndef STREAMTRACE_WATCH_PAGE_H
#define STREAMTRACE_WATCH_PAGE_H

#include <stdint.h>

#define WATCH_PAGE_SUFFIX    ".watch"
#define WATCH_TRIGGER_SUFFIX ".trigger"
/* Of the N-th incident, from 1: the output's name without .db, this, and ".db". */
#define WATCH_INCIDENT_INFIX ".incident-"

enum {
	WATCH_PAGE_VERSION = 1,
	WATCH_PAGE_PERIOD_MS = 500, /* how often it is written */
	WATCH_BINS = 96,
};

enum watch_state {
	WATCH_WATCHING,
	WATCH_RECORDING, /* an incident is being written */
	WATCH_BOUND, /* as many incidents an hour, or bytes a day, as are allowed: watching, but the next is left out */
	WATCH_NO_DISK, /* likewise, there is too little room on the disk */
	WATCH_STOPPED, /* an error: nothing is watched any more */
};

/* By what steps are known. */
enum watch_steps_by { WATCH_NO_STEPS, WATCH_STEPS_NVTX, WATCH_STEPS_CALLED, WATCH_STEPS_PERIOD };

struct watch_page {
	uint32_t version, size; /* WATCH_PAGE_VERSION, sizeof(struct watch_page) */
	uint64_t begun; /* counts the writings; `ended` is the same in a page that is whole */
	int32_t pid;
	uint32_t state;			      /* enum watch_state */
	uint64_t process_start;		      /* field 22 of /proc/PID/stat */
	char program[64], host[64], rank[16]; /* rank: of the launcher's environment; empty: none */
	int64_t began_ns, updated_ns;

	uint64_t calls;			/* that were recorded */
	uint64_t losses;		/* calls that were not, as the writer fell behind */
	uint64_t queue_bytes, queue_ns; /* what is kept in memory, and how far that reaches back */
	int64_t tool_ns; /* processor time of the tool: its threads, and what it added to the calls of the program */

	uint32_t steps_by;	     /* enum watch_steps_by */
	uint32_t triggers_seen;	     /* files NAME.trigger */
	uint64_t steps, slow_steps;  /* that have ended */
	uint64_t steps_ns;	     /* their times' sum */
	int64_t step_ns, longest_ns; /* the last one's time, the longest one's; 0: there is none */
	int64_t median_ns;	     /* 0: not known yet */
	int64_t step_began_ns;	     /* of the step that is running; 0: there is none */
	uint64_t bins[WATCH_BINS]; /* the number of steps by their time: bins[watch_page_bin(ns)] */

	uint64_t incidents, left_out; /* written; not written for a bound or an error */
	uint64_t trace_bytes;	      /* of all incidents written */
	int64_t incident_ns;	      /* when the last one was noticed; 0: there was none */
	char incident[256]; /* its file's name, without the folder; empty: there was none */
	char cause[16];	    /* its cause (incidents.cause in schema.sql) */
	char error
		[128]; /* why it is WATCH_STOPPED, or the last incident was left out; empty: no reason */
	uint64_t ended;
};

/* The shortest time that is beyond the bin: four bins double it, from 2^14 ns (16 us) to 2^38 ns (275 s). The last
 * bin has all longer times, too. */
static inline int64_t watch_page_bin_end_ns(unsigned bin)
{
	static const int64_t quarters[] = {19484, 23170, 27554,
					   32768}; /* 2^14 times 2^(1/4), ... */

	return quarters[bin % 4] << bin / 4;
}

static inline unsigned watch_page_bin(int64_t ns)
{
	unsigned bin = 0;

	while (bin < WATCH_BINS - 1 && ns >= watch_page_bin_end_ns(bin))
		bin++;
	return bin;
}

#endif
