#include "model/occupancy.h"

#include <math.h>
#include <stddef.h>

enum { WARP_THREADS = 32 };
enum { WARP_REGISTERS = 256 }; /* the pieces in which a warp gets them */

/* What cuda_occupancy.h says of a compute capability. */
struct granularity {
	uint32_t partitions;	 /* of a multiprocessor's registers */
	uint32_t shared_bytes;	 /* the pieces of shared memory */
	uint32_t reserved_bytes; /* of it, the driver's in each block */
};

static struct granularity granularity_of(const struct trace_device *device)
{
	struct granularity granularity = {4, 128, 1024};

	if (device->compute_major < 8) {
		granularity.shared_bytes = 256;
		granularity.reserved_bytes = 0;
	}
	if (device->compute_major == 6 && device->compute_minor == 0)
		granularity.partitions = 2;
	return granularity;
}

static const struct trace_device *device_of(const struct trace *trace,
					    const struct trace_operation *operation)
{
	for (size_t i = 0; i < trace->device_count; i++)
		if (trace->devices[i].id == operation->form->device_id)
			return &trace->devices[i];
	return NULL;
}

static uint64_t round_up(uint64_t count, uint64_t piece)
{
	return (count + piece - 1) / piece * piece;
}

/* The smaller of `room` and of how many a limit allows. Without a limit or a need: `room`. */
static uint64_t limited_room(uint64_t room, uint64_t limit, uint64_t each)
{
	return each && limit && limit / each < room ? limit / each : room;
}

/* Warps for whose registers there is room on a multiprocessor. */
static uint64_t warps_with_registers(const struct trace_device *device, uint32_t partitions,
				     uint64_t thread_registers)
{
	uint64_t each = round_up(thread_registers * WARP_THREADS, WARP_REGISTERS);

	return device->max_registers / partitions / each * partitions;
}

/* How many of the kernel's blocks can be resident on the device at once; 0: unknown. */
static uint64_t room_for(const struct trace_device *device, const struct trace_operation *operation)
{
	uint64_t warps =
		((uint64_t)operation->form->block_threads + WARP_THREADS - 1) / WARP_THREADS;
	struct granularity granularity;
	uint64_t room;

	if (operation->form->kind != OPERATION_KERNEL || !device || !warps || !device->max_warps)
		return 0;
	granularity = granularity_of(device);
	room = device->max_warps / warps;
	room = limited_room(room, device->max_blocks, 1);
	if (operation->form->thread_registers && device->max_registers)
		room = limited_room(room,
				    warps_with_registers(device, granularity.partitions,
							 operation->form->thread_registers),
				    warps);
	room = limited_room(
		room, device->max_shared_bytes,
		round_up((uint64_t)operation->form->block_shared_bytes + granularity.reserved_bytes,
			 granularity.shared_bytes));
	return room * device->multiprocessors;
}

/* What so many blocks take; not more than `room`. Those on a multiprocessor share its throughput, and
 * none takes a multiprocessor beside its own. */
static uint32_t share_of(uint64_t blocks, uint64_t room, uint64_t multiprocessors)
{
	double resident = (double)blocks / (double)room;
	double share = fmin(resident * (2 - resident), (double)blocks / (double)multiprocessors) *
		       OCCUPANCY_WHOLE;

	return share < 1 ? 1 : (uint32_t)share;
}

struct occupancy occupancy_of(const struct trace *trace, const struct trace_operation *operation)
{
	const struct trace_device *device = device_of(trace, operation);
	struct occupancy occupancy = {OCCUPANCY_WHOLE, OCCUPANCY_WHOLE, 0};
	uint64_t room = room_for(device, operation), blocks = operation->form->blocks;

	if (!room || !blocks)
		return occupancy;
	if (blocks % room)
		occupancy.tail_share = share_of(blocks % room, room, device->multiprocessors);
	if (blocks < room)
		occupancy.share = occupancy.tail_share;
	else if (blocks % room)
		occupancy.tail_ns =
			(operation->end_ns - operation->start_ns) / (int64_t)(blocks / room + 1);
	return occupancy;
}

bool occupancy_is_wide(const struct trace *trace, const struct trace_operation *operation)
{
	const struct trace_device *device = device_of(trace, operation);

	return !device || operation->form->blocks * 2 > device->multiprocessors;
}
