#include "watch/bounds.h"

#include "base/options.h"

#include <string.h>
#include <sys/statvfs.h>

#define HOUR_NS	   INT64_C(3600000000000)
#define DAY_HOURS  24
#define HOUR_MOST  3600		       /* the largest STREAMTRACE_WATCH_HOUR */
#define FREE_SHARE 20		       /* a twentieth of the disk, */
#define FREE_BYTES (UINT64_C(1) << 30) /* but no more than this, stays free */

static struct {
	int64_t times_ns[HOUR_MOST]; /* of the last incidents, in turn */
	uint64_t count;
	int64_t bytes[DAY_HOURS]; /* by hours, in turn */
	int64_t hour;		  /* of the clock: the last one with bytes */
} bounds;

static bool is_hour_full(int64_t now_ns)
{
	const uint64_t most = (uint64_t)options.watch_hour;

	if (!most)
		return true;
	return bounds.count >= most &&
	       now_ns - bounds.times_ns[(bounds.count - most) % HOUR_MOST] < HOUR_NS;
}

/* Hours that have passed since are empty. */
static void go_to_hour(int64_t now_ns)
{
	const int64_t hour = now_ns / HOUR_NS;

	if (hour - bounds.hour >= DAY_HOURS)
		memset(bounds.bytes, 0, sizeof(bounds.bytes));
	for (; bounds.hour < hour && hour - bounds.hour < DAY_HOURS; bounds.hour++)
		bounds.bytes[(bounds.hour + 1) % DAY_HOURS] = 0;
	bounds.hour = hour;
}

static int64_t day_bytes(void)
{
	int64_t sum = 0;

	for (int i = 0; i < DAY_HOURS; i++)
		sum += bounds.bytes[i];
	return sum;
}

static bool is_disk_full(const char *folder)
{
	struct statvfs disk;
	uint64_t free_bytes, least;

	if (statvfs(folder, &disk))
		return false; /* the file will tell */
	free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
	least = (uint64_t)disk.f_blocks * disk.f_frsize / FREE_SHARE;
	return free_bytes < (least < FREE_BYTES ? least : FREE_BYTES);
}

enum bound bounds_now(int64_t now_ns, const char *folder)
{
	go_to_hour(now_ns);
	if (is_hour_full(now_ns))
		return BOUND_HOUR;
	if (day_bytes() >= options.watch_day)
		return BOUND_DAY;
	return is_disk_full(folder) ? BOUND_DISK : BOUND_NONE;
}

void bounds_count(int64_t now_ns)
{
	bounds.times_ns[bounds.count++ % HOUR_MOST] = now_ns;
}

bool bounds_add_bytes(int64_t now_ns, int64_t bytes)
{
	go_to_hour(now_ns);
	bounds.bytes[bounds.hour % DAY_HOURS] += bytes;
	return day_bytes() < options.watch_day;
}

void bounds_after_fork(void)
{
	memset(&bounds, 0, sizeof(bounds));
}
