/* CUPTI's callback API: one subscriber, driver and resource callbacks. And its small queries. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cupti_internal.h"

#ifndef FAKE_CUPTI_VERSION
#define FAKE_CUPTI_VERSION CUPTI_API_VERSION
#endif

enum { DRIVER_CALLBACKS = CUPTI_DRIVER_TRACE_CBID_SIZE };

struct CUpti_Subscriber_st {
	CUpti_CallbackFunc callback;
	void *userdata;
};

static struct CUpti_Subscriber_st subscriber;
static atomic_bool is_subscribed;
static atomic_bool driver_is_enabled[DRIVER_CALLBACKS];
static atomic_bool resource_is_enabled[CUPTI_CBID_RESOURCE_SIZE];

static void on_api(CUpti_CallbackId cbid, const CUpti_CallbackData *data)
{
	if (atomic_load(&is_subscribed) && atomic_load(&driver_is_enabled[cbid]))
		subscriber.callback(subscriber.userdata, CUPTI_CB_DOMAIN_DRIVER_API, cbid, data);
}

static void on_resource(CUpti_CallbackId cbid, const CUpti_ResourceData *data)
{
	if (atomic_load(&is_subscribed) && atomic_load(&resource_is_enabled[cbid]))
		subscriber.callback(subscriber.userdata, CUPTI_CB_DOMAIN_RESOURCE, cbid, data);
}

static const struct fake_cupti_hooks hooks = {
	.api = on_api,
	.resource = on_resource,
	.record = activity_record,
};

__attribute__((constructor)) static void attach(void)
{
	fake_cuda_attach(&hooks);
}

__attribute__((destructor)) static void detach(void)
{
	fake_cuda_attach(NULL);
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback,
			   void *userdata)
{
	const char *busy = getenv("FAKE_CUPTI_BUSY");

	if (!handle || !callback)
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (fake_cuda_is_down())
		return CUPTI_ERROR_NOT_INITIALIZED;
	if ((busy && !strcmp(busy, "1")) || atomic_load(&is_subscribed))
		return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
	subscriber = (struct CUpti_Subscriber_st){callback, userdata};
	atomic_store(&is_subscribed, true);
	*handle = &subscriber;
	return CUPTI_SUCCESS;
}

static void check_subscriber(const struct CUpti_Subscriber_st *handle, const char *call)
{
	if (handle != &subscriber || !atomic_load(&is_subscribed))
		fake_cuda_abort("%s without a subscription", call);
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle handle)
{
	check_subscriber(handle, "cuptiUnsubscribe");
	atomic_store(&is_subscribed, false);
	for (int cbid = 0; cbid < DRIVER_CALLBACKS; cbid++)
		atomic_store(&driver_is_enabled[cbid], false);
	for (int cbid = 0; cbid < CUPTI_CBID_RESOURCE_SIZE; cbid++)
		atomic_store(&resource_is_enabled[cbid], false);
	return CUPTI_SUCCESS;
}

/* NULL: a domain whose callbacks never come. */
static atomic_bool *domain_flags(CUpti_CallbackDomain domain, CUpti_CallbackId *count)
{
	switch (domain) {
	case CUPTI_CB_DOMAIN_DRIVER_API:
		*count = DRIVER_CALLBACKS;
		return driver_is_enabled;
	case CUPTI_CB_DOMAIN_RESOURCE:
		*count = CUPTI_CBID_RESOURCE_SIZE;
		return resource_is_enabled;
	default:
		return NULL;
	}
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle handle,
				CUpti_CallbackDomain domain, CUpti_CallbackId cbid)
{
	CUpti_CallbackId count = 0;
	atomic_bool *flags = domain_flags(domain, &count);

	check_subscriber(handle, "cuptiEnableCallback");
	if (!domain || domain >= CUPTI_CB_DOMAIN_SIZE || (flags && (!cbid || cbid >= count)))
		return CUPTI_ERROR_INVALID_PARAMETER;
	if (flags)
		atomic_store(&flags[cbid], enable != 0);
	return CUPTI_SUCCESS;
}

bool cupti_fake_reports(CUpti_CallbackId driver_cbid)
{
	return atomic_load(&driver_is_enabled[driver_cbid]);
}

CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle handle,
			      CUpti_CallbackDomain domain)
{
	CUpti_CallbackId count = 0;
	atomic_bool *flags = domain_flags(domain, &count);

	check_subscriber(handle, "cuptiEnableDomain");
	if (!domain || domain >= CUPTI_CB_DOMAIN_SIZE)
		return CUPTI_ERROR_INVALID_PARAMETER;
	for (CUpti_CallbackId cbid = 1; cbid < count; cbid++)
		atomic_store(&flags[cbid], enable != 0);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetVersion(uint32_t *version)
{
	if (!version)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*version = FAKE_CUPTI_VERSION;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **str)
{
	if (!str)
		return CUPTI_ERROR_INVALID_PARAMETER;
	switch (result) {
	case CUPTI_SUCCESS:
		*str = "CUPTI_SUCCESS";
		break;
	case CUPTI_ERROR_INVALID_PARAMETER:
		*str = "CUPTI_ERROR_INVALID_PARAMETER";
		break;
	case CUPTI_ERROR_MAX_LIMIT_REACHED:
		*str = "CUPTI_ERROR_MAX_LIMIT_REACHED";
		break;
	case CUPTI_ERROR_NOT_INITIALIZED:
		*str = "CUPTI_ERROR_NOT_INITIALIZED";
		break;
	case CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED:
		*str = "CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED";
		break;
	case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
		*str = "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED";
		break;
	default:
		*str = "CUPTI_ERROR_UNKNOWN";
	}
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetTimestamp(uint64_t *timestamp)
{
	if (!timestamp)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*timestamp = fake_cuda_now_ns();
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetContextId(CUcontext context, uint32_t *id)
{
	if (!context || !id)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*id = FAKE_CONTEXT_ID;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t per_thread, uint32_t *id)
{
	if (!id)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*id = fake_cuda_stream_id(stream, per_thread);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t *id)
{
	if (!id)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*id = FAKE_DEVICE_ID;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type)
{
	return type < CUPTI_ACTIVITY_THREAD_ID_TYPE_SIZE ? CUPTI_SUCCESS
							 : CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiGetGraphNodeId(CUgraphNode node, uint64_t *id)
{
	if (!node || !id)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*id = fake_cuda_node_id(node);
	return CUPTI_SUCCESS;
}

CUptiResult cuptiGetGraphId(CUgraph graph, uint32_t *id)
{
	if (!graph || !id)
		return CUPTI_ERROR_INVALID_PARAMETER;
	*id = fake_cuda_graph_id(graph);
	return CUPTI_SUCCESS;
}
