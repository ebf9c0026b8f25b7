/* GPU work of a Perfetto trace. */
#include "export/perfetto_group.h"

#include <stdio.h>

static uint64_t queue_of(const struct group *group, const struct trace_stream *stream)
{
	const uint64_t key =
		track_of(group, TRACK_OF_STREAM, (uint64_t)(stream - group->trace->streams));
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%sstream %u%s", group->prefix, stream->id,
		 stream->flag == STREAM_NULL ? " (default)" : "");
	return packets_specification(group->packets, key, name, CATEGORY_OTHER);
}

static void write_dimensions(struct protobuf *packet, unsigned field, uint32_t x, uint32_t y,
			     uint32_t z)
{
	size_t part = protobuf_begin(packet, field);

	protobuf_number(packet, 1, x);
	protobuf_number(packet, 2, y);
	protobuf_number(packet, 3, z);
	protobuf_end(packet, part);
}

static void write_argument(struct protobuf *packet, const char *name, uint64_t value)
{
	size_t part = protobuf_begin(packet, LAUNCH_ARGUMENTS);

	protobuf_text(packet, ARGUMENT_NAME, name);
	protobuf_number(packet, ARGUMENT_NUMBER, value);
	protobuf_end(packet, part);
}

static void write_launch(const struct group *group, const struct trace_operation *operation)
{
	const struct trace_operation_form *form = operation->form;
	struct protobuf *packet = &group->packets->packet;
	size_t part = protobuf_begin(packet, STAGE_LAUNCH);

	if (form->kind == OPERATION_KERNEL) {
		write_dimensions(packet, LAUNCH_GRID, form->grid_x, form->grid_y, form->grid_z);
		write_dimensions(packet, LAUNCH_BLOCK, form->block_x, form->block_y, form->block_z);
		write_argument(packet, "registers_per_thread", form->thread_registers);
		write_argument(packet, "shared_mem_bytes", form->block_shared_bytes);
	} else {
		write_argument(packet, "bytes", form->size_bytes);
	}
	write_argument(packet, "device", form->device_id);
	write_argument(packet, "stream", form->stream->id);
	protobuf_end(packet, part);
}

/* Copies and sets have few names: their kinds are the key. No text lies at such an address. */
static uint64_t name_key(const struct trace_operation *operation, const char *name)
{
	if (operation->form->kind == OPERATION_KERNEL)
		return packets_key(name);
	return UINT64_C(1) << 63 | (uint64_t)operation->form->kind << 24 |
	       (uint64_t)operation->form->copy_kind << 16 |
	       (uint64_t)operation->form->src_kind << 8 | operation->form->dst_kind;
}

void perfetto_write_operation(const struct group *group, const struct trace_operation *operation)
{
	struct packets *packets = group->packets;
	struct protobuf *packet = &packets->packet;
	const bool is_kernel = operation->form->kind == OPERATION_KERNEL;
	const char *stage = export_engine_name(operation->form->engine), *name;
	const struct trace_operation *waits[CAUSES_MOST];
	size_t count = causes_find(group->causes, operation, waits), part;
	char text[NAME_BYTES];

	name = export_operation_name(group->exporting->trace, operation, text);
	packet_begin(packets, operation->start_ns);
	part = protobuf_begin(packet, PACKET_GPU_RENDER_STAGE_EVENT);
	protobuf_number(packet, STAGE_EVENT_ID, event_of(group, operation));
	protobuf_number(packet, STAGE_DURATION,
			(uint64_t)(operation->end_ns - operation->start_ns));
	protobuf_number(packet, STAGE_GPU, operation->form->device_id);
	protobuf_number(
		packet, STAGE_CONTEXT,
		packets_context(packets,
				(uint64_t)group->number << 32 | operation->form->stream->context_id,
				group->process_id));
	protobuf_number(packet, STAGE_QUEUE_IID, queue_of(group, operation->form->stream));
	protobuf_number(packet, STAGE_STAGE_IID,
			packets_specification(packets, packets_key(stage), stage,
					      is_kernel ? CATEGORY_COMPUTE : CATEGORY_OTHER));
	protobuf_number(packet, STAGE_NAME_IID,
			packets_name(packets, name_key(operation, name), name));
	if (is_kernel && operation->form->name)
		protobuf_number(packet, STAGE_KERNEL_IID,
				packets_kernel(packets, operation->form->name, name));
	for (size_t i = 0; i < count; i++)
		protobuf_number(packet, STAGE_WAIT_IDS, event_of(group, waits[i]));
	write_launch(group, operation);
	protobuf_end(packet, part);
	packet_end(packets);
}
