#include "export/perfetto_packets.h"

#include <stdlib.h>

/* One that counts within the sequence alone. */
#define CLOCK_OF_SEQUENCE 64

static void write_packet(struct packets *packets)
{
	unsigned char head[12] = {TRACE_PACKET << 3 | 2};
	size_t length = packets->packet.count, bytes = 1;

	for (; length >= 0x80; length >>= 7)
		head[bytes++] = (unsigned char)(length | 0x80);
	head[bytes++] = (unsigned char)length;
	fwrite(head, 1, bytes, packets->out);
	fwrite(packets->packet.bytes, 1, packets->packet.count, packets->out);
}

static void write_clock(struct protobuf *packet, uint64_t id, int64_t time_ns)
{
	size_t clock = protobuf_begin(packet, SNAPSHOT_CLOCKS);

	protobuf_number(packet, CLOCK_ID, id);
	protobuf_number(packet, CLOCK_TIMESTAMP, (uint64_t)time_ns);
	protobuf_end(packet, clock);
}

void packets_begin(struct packets *packets, FILE *out, uint32_t sequence, int64_t origin_ns)
{
	struct protobuf *packet = &packets->packet;
	size_t part;

	*packets = (struct packets){.out = out, .sequence = sequence};
	protobuf_number(packet, PACKET_TIMESTAMP, (uint64_t)origin_ns);
	protobuf_number(packet, PACKET_SEQUENCE_ID, packets->sequence);
	protobuf_number(packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_CLEARED);
	part = protobuf_begin(packet, PACKET_CLOCK_SNAPSHOT);
	write_clock(packet, CLOCK_OF_REALTIME, origin_ns);
	write_clock(packet, CLOCK_OF_BOOTTIME, origin_ns);
	protobuf_number(packet, SNAPSHOT_PRIMARY_CLOCK, CLOCK_OF_REALTIME);
	protobuf_end(packet, part);
	part = protobuf_begin(packet, PACKET_DEFAULTS);
	protobuf_number(packet, DEFAULTS_TIMESTAMP_CLOCK_ID, CLOCK_OF_REALTIME);
	protobuf_end(packet, part);
	write_packet(packets);
}

void packets_tell_clock(struct packets *packets, int64_t own_ns, int64_t ns)
{
	struct protobuf *packet = &packets->packet;
	size_t part;

	packet->count = 0;
	protobuf_number(packet, PACKET_TIMESTAMP, (uint64_t)ns);
	protobuf_number(packet, PACKET_TIMESTAMP_CLOCK_ID, CLOCK_OF_REALTIME);
	protobuf_number(packet, PACKET_SEQUENCE_ID, packets->sequence);
	protobuf_number(packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
	part = protobuf_begin(packet, PACKET_CLOCK_SNAPSHOT);
	write_clock(packet, CLOCK_OF_SEQUENCE, own_ns);
	write_clock(packet, CLOCK_OF_REALTIME, ns);
	write_clock(packet, CLOCK_OF_BOOTTIME, ns);
	protobuf_end(packet, part);
	packets->has_own_clock = true;
	write_packet(packets);
}

void packets_free(struct packets *packets)
{
	map_free(&packets->names);
	map_free(&packets->annotations);
	map_free(&packets->functions);
	map_free(&packets->paths);
	map_free(&packets->callstacks);
	map_free(&packets->kernels);
	map_free(&packets->specifications);
	map_free(&packets->contexts);
	free(packets->packet.bytes);
	free(packets->interned.bytes);
}

void packet_begin(struct packets *packets, int64_t time_ns)
{
	packets->packet.count = 0;
	packets->interned.count = 0;
	protobuf_number(&packets->packet, PACKET_TIMESTAMP, (uint64_t)time_ns);
	if (packets->has_own_clock)
		protobuf_number(&packets->packet, PACKET_TIMESTAMP_CLOCK_ID, CLOCK_OF_SEQUENCE);
	protobuf_number(&packets->packet, PACKET_SEQUENCE_ID, packets->sequence);
	protobuf_number(&packets->packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
}

void packet_end(struct packets *packets)
{
	if (packets->interned.count)
		protobuf_bytes(&packets->packet, PACKET_INTERNED_DATA, &packets->interned);
	write_packet(packets);
}

/* The id of the key; *is_new: it is used for the first time. */
static uint64_t intern_key(struct map *map, uint64_t key, bool *is_new)
{
	*is_new = map_add(map, key, map->count);
	return map_find(map, key) + 1;
}

/* An entry with an id and a text, without its end. */
static size_t begin_entry(struct packets *packets, unsigned field, uint64_t id, const char *text)
{
	size_t entry = protobuf_begin(&packets->interned, field);

	protobuf_number(&packets->interned, INTERNED_IID, id);
	if (text)
		protobuf_text(&packets->interned, INTERNED_NAME, text);
	return entry;
}

static uint64_t intern_text(struct packets *packets, struct map *map, unsigned field, uint64_t key,
			    const char *text)
{
	bool is_new;
	uint64_t id = intern_key(map, key, &is_new);

	if (is_new)
		protobuf_end(&packets->interned, begin_entry(packets, field, id, text));
	return id;
}

uint64_t packets_name(struct packets *packets, uint64_t key, const char *text)
{
	return intern_text(packets, &packets->names, INTERNED_EVENT_NAMES, key, text);
}

uint64_t packets_annotation(struct packets *packets, const char *name)
{
	return intern_text(packets, &packets->annotations, INTERNED_ANNOTATION_NAMES,
			   packets_key(name), name);
}

uint64_t packets_kernel(struct packets *packets, const char *mangled, const char *demangled)
{
	bool is_new;
	uint64_t id = intern_key(&packets->kernels, packets_key(mangled), &is_new);
	size_t entry;

	if (!is_new)
		return id;
	entry = begin_entry(packets, INTERNED_COMPUTE_KERNELS, id, mangled);
	protobuf_text(&packets->interned, KERNEL_DEMANGLED_NAME, demangled);
	protobuf_end(&packets->interned, entry);
	return id;
}

uint64_t packets_specification(struct packets *packets, uint64_t key, const char *text,
			       unsigned category)
{
	bool is_new;
	uint64_t id = intern_key(&packets->specifications, key, &is_new);
	size_t entry;

	if (!is_new)
		return id;
	entry = begin_entry(packets, INTERNED_GPU_SPECIFICATIONS, id, text);
	protobuf_number(&packets->interned, SPECIFICATION_CATEGORY, category);
	protobuf_end(&packets->interned, entry);
	return id;
}

uint64_t packets_context(struct packets *packets, uint64_t key, uint64_t process_id)
{
	bool is_new;
	uint64_t id = intern_key(&packets->contexts, key, &is_new);
	size_t entry;

	if (!is_new)
		return id;
	entry = begin_entry(packets, INTERNED_GRAPHICS_CONTEXTS, id, NULL);
	protobuf_number(&packets->interned, CONTEXT_PID, process_id);
	protobuf_number(&packets->interned, CONTEXT_API, API_CUDA);
	protobuf_end(&packets->interned, entry);
	return id;
}

uint64_t packets_callstack(struct packets *packets, uint64_t key, const char *function,
			   const char *file, int line)
{
	bool is_new;
	uint64_t id = intern_key(&packets->callstacks, key, &is_new), function_id = 0, file_id = 0;
	size_t entry;

	if (!is_new)
		return id;
	if (function)
		function_id = intern_text(packets, &packets->functions, INTERNED_FUNCTION_NAMES,
					  packets_key(function), function);
	if (file)
		file_id = intern_text(packets, &packets->paths, INTERNED_SOURCE_PATHS,
				      packets_key(file), file);
	/* One frame a stack: the same id. */
	entry = begin_entry(packets, INTERNED_FRAMES, id, NULL);
	if (function_id)
		protobuf_number(&packets->interned, FRAME_FUNCTION, function_id);
	if (file_id) {
		protobuf_number(&packets->interned, FRAME_SOURCE_PATH, file_id);
		protobuf_number(&packets->interned, FRAME_LINE, (uint64_t)line);
	}
	protobuf_end(&packets->interned, entry);
	entry = begin_entry(packets, INTERNED_CALLSTACKS, id, NULL);
	protobuf_number(&packets->interned, CALLSTACK_FRAMES, id);
	protobuf_end(&packets->interned, entry);
	return id;
}
