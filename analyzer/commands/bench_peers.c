#include "commands/bench_peers.h"

#include "commands/driver.h"

#include <math.h>

#define COPY_BYTES ((size_t)64 << 20)
#define ROUNDS	   5

struct peer {
	int device;
	void *context;
	uint64_t memory;
};

static bool open_peer(const struct driver *driver, struct peer *peer, int ordinal, const char *uuid)
{
	return !driver->device_get(&peer->device, ordinal) &&
	       driver_is_device(driver, peer->device, uuid) &&
	       !driver->context_retain(&peer->context, peer->device) &&
	       !driver->context_set(peer->context) &&
	       !driver->device_alloc(&peer->memory, COPY_BYTES);
}

/* The context of peers[0] is current afterwards. */
static bool enable_peers(const struct driver *driver, const struct peer *peers)
{
	return !driver->context_set(peers[1].context) &&
	       !driver->enable_peer(peers[0].context, 0) &&
	       !driver->context_set(peers[0].context) && !driver->enable_peer(peers[1].context, 0);
}

/* The least time of some rounds: what else the machine does only adds to it. The first one warms up. */
static double time_copies(const struct driver *driver, const struct peer *peers)
{
	void *stream, *start, *end;
	float least_ms = HUGE_VALF, ms;

	if (driver->stream_create(&stream, 0) || driver->event_create(&start, 0) ||
	    driver->event_create(&end, 0))
		return -1;
	for (int i = 0; i <= ROUNDS; i++) {
		if (driver->event_record(start, stream) ||
		    driver->copy_peer(peers[1].memory, peers[1].context, peers[0].memory,
				      peers[0].context, COPY_BYTES, stream) ||
		    driver->event_record(end, stream) || driver->event_synchronize(end) ||
		    driver->event_elapsed(&ms, start, end))
			return -1;
		if (i && ms < least_ms)
			least_ms = ms;
	}
	return least_ms > 0 ? (double)COPY_BYTES / (double)least_ms * 1e3 : -1;
}

double bench_peers(const char *const uuids[2])
{
	struct peer peers[2];
	struct driver driver;
	int can;

	if (!driver_load(&driver) || driver.init(0))
		return -1;
	for (int i = 0; i < 2; i++)
		if (!open_peer(&driver, &peers[i], i, uuids[i]))
			return -1;
	if (driver.can_reach(&can, peers[0].device, peers[1].device))
		return -1;
	if (!can)
		return 0;
	return enable_peers(&driver, peers) ? time_copies(&driver, peers) : -1;
}
