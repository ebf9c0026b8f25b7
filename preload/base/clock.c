#include "base/clock.h"

#include "base/hot.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#define TICKS() __rdtsc()
#else
#define TICKS() UINT64_C(0)
#endif

#define ANCHOR_NS     100000 /* how long a thread adds the counter to one reading, first */
#define STRETCH_MOST  3	     /* how often that time is doubled, at most */
#define AGREES_NS     100    /* the counter agrees within this: a few readings' time */
#define READING_NS    250    /* a longer reading was interrupted, and is not used */
#define LEAST_NS      10000000
#define RATE_DIVISOR  1000 /* the counter's rate may change by 1 / RATE_DIVISOR: a slewed clock */
#define KERNEL_CHECK  64   /* calibrations between two checks of the kernel's clock source */
#define READINGS      16   /* so many that one of them is not interrupted */
#define FRACTION_BITS 32

/* The clock and the counter, read together. */
struct pair {
	uint64_t ticks;
	int64_t ns;
};

/* ticks 0 (long ago): no anchor. A signal handler that interrupts take_anchor() sees 0, and reads
 * the clock. */
static __thread struct pair anchor __attribute__((tls_model("initial-exec")));
/* The anchor is valid for ANCHOR_NS << stretch: for twice as long with each one that the counter has led to. */
static __thread unsigned stretch __attribute__((tls_model("initial-exec")));
static __thread bool is_anchoring __attribute__((tls_model("initial-exec")));

/* anchor_ticks: how many ticks an anchor is valid; 0: the counter is not used. ns_per_tick is set
 * before. */
READ_MOSTLY static _Atomic uint64_t ns_per_tick; /* fixed point: FRACTION_BITS */
READ_MOSTLY static _Atomic uint64_t anchor_ticks;

enum counter { COUNTER_UNKNOWN, COUNTER_STARTED, COUNTER_USED, COUNTER_REFUSED };

static struct {
	enum counter counter;
	struct pair last;
	uint32_t calibrations;
} state;

static inline int64_t ns_of(uint64_t ticks, uint64_t rate)
{
	return (int64_t)(ticks * rate >> FRACTION_BITS);
}

/* False: the clock runs at another rate or was set since the anchor, or nothing is known. */
static bool has_led_to(const struct pair *from, uint64_t ticks, int64_t now_ns, uint64_t rate)
{
	return from->ticks &&
	       llabs(from->ns + ns_of(ticks - from->ticks, rate) - now_ns) < AGREES_NS;
}

static COLD int64_t take_anchor(void)
{
	const uint64_t rate = atomic_load_explicit(&ns_per_tick, memory_order_relaxed);
	const struct pair last = anchor;
	uint64_t before, took;
	int64_t now_ns;

	if (is_anchoring)
		return clock_ns(CLOCK_REALTIME);
	is_anchoring = true;
	atomic_signal_fence(memory_order_seq_cst);
	anchor.ticks = 0;
	atomic_signal_fence(memory_order_seq_cst);
	before = TICKS();
	now_ns = clock_ns(CLOCK_REALTIME);
	took = TICKS() - before;
	anchor.ns = now_ns;
	if (!has_led_to(&last, before + took / 2, now_ns, rate))
		stretch = 0;
	else if (stretch < STRETCH_MOST)
		stretch++;
	atomic_signal_fence(memory_order_seq_cst);
	if (ns_of(took, rate) < READING_NS)
		anchor.ticks = before + took / 2;
	atomic_signal_fence(memory_order_seq_cst);
	is_anchoring = false;
	return now_ns;
}

int64_t clock_now_ns(void)
{
	uint64_t limit = atomic_load_explicit(&anchor_ticks, memory_order_acquire), ticks, since;
	int64_t anchor_ns;

	if (!limit)
		return clock_ns(CLOCK_REALTIME);
	since = anchor.ticks;
	ticks = TICKS() - since;
	atomic_signal_fence(memory_order_seq_cst);
	anchor_ns = anchor.ns;
	atomic_signal_fence(memory_order_seq_cst);
	/* A different anchor.ticks: a signal handler took a new anchor in between. */
	if (__builtin_expect(ticks >> stretch >= limit || anchor.ticks != since, 0))
		return take_anchor();
	return anchor_ns + ns_of(ticks, atomic_load_explicit(&ns_per_tick, memory_order_relaxed));
}

/* The shortest of READINGS readings, in ns. */
static int64_t reading_takes_ns(int (*read_clock)(clockid_t, struct timespec *))
{
	int64_t least_ns = INT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		struct timespec before, after;
		int64_t took_ns;

		read_clock(CLOCK_MONOTONIC_RAW, &before);
		read_clock(CLOCK_MONOTONIC_RAW, &after);
		took_ns = (int64_t)(after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec -
			  before.tv_nsec;
		if (took_ns < least_ns)
			least_ns = took_ns;
	}
	return least_ns;
}

static int read_by_system_call(clockid_t clock, struct timespec *now)
{
	return (int)syscall(SYS_clock_gettime, clock, now);
}

/* True if the kernel trusts the counter: it runs alike on all processors, and never stops. Then libc
 * reads the clock without a system call, from the counter: nothing else can be read so, whether the
 * kernel calls it tsc, kvm-clock or Hyper-V's page. */
static bool is_kernels_clock(void)
{
	return reading_takes_ns(clock_read) * 3 < reading_takes_ns(read_by_system_call) * 2;
}

/* False: interrupted each time. */
static bool read_pair(struct pair *pair)
{
	for (int i = 0; i < 10; i++) {
		int64_t before_ns = clock_ns(CLOCK_MONOTONIC);

		pair->ns = clock_ns(CLOCK_MONOTONIC_RAW);
		pair->ticks = TICKS();
		if (clock_ns(CLOCK_MONOTONIC) - before_ns < READING_NS)
			return true;
	}
	return false;
}

static void follow_rate(const struct pair *now)
{
	int64_t took_ns = now->ns - state.last.ns;
	uint64_t ticks = now->ticks - state.last.ticks, rate, known;

	/* The counter was set, or is no counter. */
	if (ticks > (uint64_t)took_ns * 100 || ticks < (uint64_t)took_ns / 10) {
		state.counter = COUNTER_REFUSED;
		return;
	}
	rate = (uint64_t)((double)took_ns / (double)ticks * (double)(UINT64_C(1) << FRACTION_BITS));
	known = atomic_load(&ns_per_tick);
	if (state.counter == COUNTER_STARTED) {
		atomic_store(&ns_per_tick, rate);
		atomic_store(&anchor_ticks, ((uint64_t)ANCHOR_NS << FRACTION_BITS) / rate);
		state.counter = COUNTER_USED;
	} else if (llabs((int64_t)(rate - known)) > (int64_t)(known / RATE_DIVISOR)) {
		state.counter = COUNTER_REFUSED;
	}
}

void clock_calibrate(void)
{
	int saved_errno = errno;
	struct pair now;

	/* The kernel may have stopped trusting the counter. */
	if (++state.calibrations % KERNEL_CHECK == 0 && !is_kernels_clock())
		state.counter = COUNTER_REFUSED;
	if (state.counter == COUNTER_UNKNOWN)
		state.counter = is_kernels_clock() && clock_is_libc_s() && read_pair(&state.last)
					? COUNTER_STARTED
					: COUNTER_REFUSED;
	else if (state.counter != COUNTER_REFUSED && read_pair(&now) &&
		 now.ns - state.last.ns >= LEAST_NS) {
		follow_rate(&now);
		state.last = now;
	}
	if (state.counter == COUNTER_REFUSED)
		atomic_store(&anchor_ticks, 0);
	errno = saved_errno;
}

void clock_after_fork(void)
{
	state.counter = COUNTER_UNKNOWN;
	atomic_store(&anchor_ticks, 0);
}
