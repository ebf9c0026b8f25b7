#include "model/occupancy.h"

#include <stddef.h>

#define WARP_THREADS 32

static const struct trace_device *device_of(const struct trace *trace,
					    const struct trace_operation *operation)
{
	for (size_t i = 0; i < trace->device_count; i++)
		if (trace->devices[i].id == operation->device_id)
			return &trace->devices[i];
	return NULL;
}

/* The smaller of the room so far and of what a limit leaves; no limit and no need leave all. */
static uint64_t limited(uint64_t room, uint64_t limit, uint64_t each)
{
	return each && limit && limit / each < room ? limit / each : room;
}

/* Blocks of the kernel that can be resident on the device at once; 0 where that is not known. */
static uint64_t room_for(const struct trace *trace, const struct trace_operation *operation)
{
	const struct trace_device *device = device_of(trace, operation);
	uint64_t warps = (operation->block_threads + WARP_THREADS - 1) / WARP_THREADS, room;

	if (operation->kind != OPERATION_KERNEL || !device || !warps || !device->max_warps)
		return 0;
	room = device->max_warps / warps;
	room = limited(room, device->max_blocks, 1);
	room = limited(room, device->max_registers, operation->block_registers);
	room = limited(room, device->max_shared_bytes, operation->block_shared_bytes);
	return room * device->multiprocessors;
}

uint32_t occupancy_share(const struct trace *trace, const struct trace_operation *operation)
{
	uint64_t room = room_for(trace, operation), share;

	if (!room || !operation->blocks || operation->blocks >= room)
		return OCCUPANCY_WHOLE;
	share = operation->blocks * OCCUPANCY_WHOLE / room;
	return share ? (uint32_t)share : 1;
}

int64_t occupancy_idle_tail_ns(const struct trace *trace, const struct trace_operation *operation)
{
	uint64_t room = room_for(trace, operation), waves;
	double wave_ns;

	/* A kernel of less than one wave leaves room all the time: its share says so. */
	if (!room || operation->blocks <= room)
		return 0;
	waves = (operation->blocks + room - 1) / room;
	wave_ns = (double)(operation->end_ns - operation->start_ns) / (double)waves;
	return (int64_t)(wave_ns * (double)(waves * room - operation->blocks) / (double)room);
}
