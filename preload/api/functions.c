#include "api/functions.h"

/* The classes as the schema spells them: calls.def needs them as one word each. */
#define CLASS_copy		"copy"
#define CLASS_set		"set"
#define CLASS_launch		"launch"
#define CLASS_graph_launch	"graph-launch"
#define CLASS_stream_create	"stream-create"
#define CLASS_stream_destroy	"stream-destroy"
#define CLASS_stream_sync	"stream-sync"
#define CLASS_stream_query	"stream-query"
#define CLASS_stream_wait_event "stream-wait-event"
#define CLASS_event_create	"event-create"
#define CLASS_event_destroy	"event-destroy"
#define CLASS_event_record	"event-record"
#define CLASS_event_sync	"event-sync"
#define CLASS_event_query	"event-query"
#define CLASS_device_sync	"device-sync"
#define CLASS_alloc		"alloc"
#define CLASS_free		"free"
#define CLASS_host_alloc	"host-alloc"
#define CLASS_host_free		"host-free"
#define CLASS_register		"register"
#define CLASS_unregister	"unregister"
#define CLASS_host_function	"host-function"
#define CLASS_graph_capture	"graph-capture"
#define CLASS_graph_build	"graph-build"
#define CLASS_graph_instantiate "graph-instantiate"
#define CLASS_graph_update	"graph-update"
#define CLASS_graph_upload	"graph-upload"
#define CLASS_graph_destroy	"graph-destroy"
#define CLASS_managed		"managed"
#define CLASS_pool		"pool"

const struct function_info function_infos[FUNCTION_COUNT] = {
#define CALL(name, variant, class, params, args, keep) [FUNCTION_##name] = {#name, CLASS_##class},
#include "api/calls.def"
#undef CALL
#define DRIVER(name, cbid, variant, class, keep) [FUNCTION_##cbid] = {#name, CLASS_##class},
#include "api/driver_calls.def"
#undef DRIVER
};
