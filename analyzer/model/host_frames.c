#include "model/host_frames.h"

#include <string.h>

static const struct {
	enum host_frame_doing doing;
	const char *part;
} frame_parts[] = {
#define HOST_FRAME(doing, part) {HOST_FRAME_##doing, part},
#include "model/host_frames.def"
};

static enum host_frame_doing doing_of_text(const char *text)
{
	for (size_t i = 0; text && i < sizeof(frame_parts) / sizeof(*frame_parts); i++)
		if (strstr(text, frame_parts[i].part))
			return frame_parts[i].doing;
	return HOST_FRAME_NOTHING;
}

enum host_frame_doing host_frames_doing(const struct trace_site *site)
{
	enum host_frame_doing doing = HOST_FRAME_NOTHING;

	for (int i = 0; site && i < site->depth && !doing; i++)
		doing = doing_of_text(site->frames[i].module);
	for (int i = 0; site && i < site->python_depth && !doing; i++)
		doing = doing_of_text(site->python_frames[i].file);
	return doing;
}
