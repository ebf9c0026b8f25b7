/* The watches themselves, for table.c and watch_rows.c. */
#ifndef STREAMTRACE_FIRST_USE_TABLE_PRIVATE_H
#define STREAMTRACE_FIRST_USE_TABLE_PRIVATE_H

#include "first_use/table.h"

#include <stdatomic.h>

#define WATCHES		       1024
#define WATCHES_LEFT_TO_COPIES 256 /* by arguments of kernels */

enum phase { PHASE_FREE, PHASE_EXPECTED, PHASE_ARMING, PHASE_IN_FORCE, PHASE_ENDING, PHASE_ENDED };
#define PHASE_BITS	3
#define PHASE_OF(state) ((enum phase)((state) & ((1u << PHASE_BITS) - 1)))
/* Above the phase a state has a count of uses: an equal state means the same use of the watch. */
#define WITH_PHASE(state, phase) ((state) >> PHASE_BITS << PHASE_BITS | (phase))
#define NEXT_USE(state)		 (((state) >> PHASE_BITS) + 1) << PHASE_BITS

/* Most arrays are touched by a library below one line of the program's; deeper ones are cut. */
#define TOUCH_PYTHON_FRAMES 16

struct watch {
	_Atomic uint64_t state;
	_Atomic uintptr_t low, high;
	struct first_use_copy copy;
	int64_t wait_ns, armed_ns; /* of an early watch wait_ns is in the copy's call */
	uint32_t wait_thread_id;   /* 0: it was never in force */
	/* How it ended. */
	enum first_use_kind kind;
	int64_t touch_ns, opened_ns;
	uint32_t touch_thread_id;
	uintptr_t touch_address, instruction, stack_top;
	uint64_t python[TOUCH_PYTHON_FRAMES]; /* atoms: Python's frames on the touching thread */
	uint16_t python_count;
};

struct watch_table {
	struct watch watches[WATCHES];
	_Atomic size_t used; /* the first `used` watches were ever used */
	_Atomic bool is_open;
	_Atomic uint64_t end_count;
};
extern struct watch_table watch_table;

static inline void watch_set_state(struct watch *watch, uint64_t state)
{
	atomic_store_explicit(&watch->state, state, memory_order_release);
}

#endif
