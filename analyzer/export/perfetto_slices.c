#include "export/perfetto_slices.h"

size_t perfetto_begin_track(const struct group *group, uint64_t track, const char *name)
{
	size_t part;

	packet_begin(group->packets, group->exporting->origin_ns);
	part = protobuf_begin(&group->packets->packet, PACKET_TRACK_DESCRIPTOR);
	protobuf_number(&group->packets->packet, TRACK_UUID, track);
	if (name)
		protobuf_text(&group->packets->packet, TRACK_NAME, name);
	return part;
}

void perfetto_end_track(const struct group *group, size_t part)
{
	protobuf_end(&group->packets->packet, part);
	packet_end(group->packets);
}

size_t perfetto_begin_slice(const struct group *group, uint64_t track, int64_t start_ns,
			    uint64_t name)
{
	struct protobuf *packet = &group->packets->packet;
	size_t part = protobuf_begin(packet, PACKET_TRACK_EVENT);

	protobuf_number(packet, EVENT_TYPE, TYPE_SLICE_BEGIN);
	protobuf_number(packet, EVENT_TRACK, track);
	protobuf_number(packet, EVENT_NAME_IID, name);
	return part;
}

void perfetto_end_slice(const struct group *group, size_t part, uint64_t track, int64_t end_ns)
{
	struct protobuf *packet = &group->packets->packet;

	protobuf_end(packet, part);
	packet_end(group->packets);
	packet_begin(group->packets, end_ns);
	part = protobuf_begin(packet, PACKET_TRACK_EVENT);
	protobuf_number(packet, EVENT_TYPE, TYPE_SLICE_END);
	protobuf_number(packet, EVENT_TRACK, track);
	protobuf_end(packet, part);
	packet_end(group->packets);
}

static size_t begin_argument(const struct group *group, const char *name)
{
	struct protobuf *packet = &group->packets->packet;
	size_t part = protobuf_begin(packet, EVENT_ANNOTATIONS);

	protobuf_number(packet, ANNOTATION_NAME_IID, packets_annotation(group->packets, name));
	return part;
}

void perfetto_write_number(const struct group *group, const char *name, uint64_t value)
{
	size_t part = begin_argument(group, name);

	protobuf_number(&group->packets->packet, ANNOTATION_NUMBER, value);
	protobuf_end(&group->packets->packet, part);
}

void perfetto_write_text(const struct group *group, const char *name, const char *text)
{
	size_t part = begin_argument(group, name);

	protobuf_text(&group->packets->packet, ANNOTATION_TEXT, text);
	protobuf_end(&group->packets->packet, part);
}
