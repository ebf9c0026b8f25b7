#include "nvtx/nvtx.h"

#include "nvtx/open_ranges.h"
#include "nvtx/range_text.h"
#include "recorder/recorder.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char injection_variable[] = "NVTX_INJECTION64_PATH";

__attribute__((visibility("default"))) int
InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_export_table);

static _Atomic bool is_used;
static char status[PATH_MAX + 64];

static bool is_off(void)
{
	return atomic_load_explicit(&recorder_state, memory_order_relaxed) == RECORDER_OFF;
}

/* The result of push and pop that programs also get without any library. */
#define NO_LEVEL NVTX_NO_PUSH_POP_TRACKING

/* set: range_text_set() or one of its variants. */
#define PUSH(set, message, handle)                                                                 \
	do {                                                                                       \
		union range_record begin = {.fields = {.domain = range_text_of_domain(handle)}};   \
                                                                                                   \
		if (is_off())                                                                      \
			return NO_LEVEL;                                                           \
		set(&begin.fields, message);                                                       \
		open_ranges_push(&begin);                                                          \
		return NO_LEVEL;                                                                   \
	} while (0)

#define START(set, message, handle)                                                                \
	do {                                                                                       \
		union range_record begin = {.fields = {.domain = range_text_of_domain(handle)}};   \
                                                                                                   \
		if (!is_off())                                                                     \
			set(&begin.fields, message);                                               \
		return open_ranges_start(&begin);                                                  \
	} while (0)

static int push_ascii(const char *message)
{
	PUSH(range_text_set, message, NULL);
}

static int push_wide(const wchar_t *message)
{
	PUSH(range_text_set_wide, message, NULL);
}

static int push_attributes(const nvtxEventAttributes_t *attributes)
{
	PUSH(range_text_set_attributes, attributes, NULL);
}

static int push_in_domain(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes)
{
	PUSH(range_text_set_attributes, attributes, domain);
}

static int pop_range(void)
{
	open_ranges_pop(NULL);
	return NO_LEVEL;
}

static int pop_in_domain(nvtxDomainHandle_t domain)
{
	open_ranges_pop(range_text_of_domain(domain));
	return NO_LEVEL;
}

static nvtxRangeId_t start_ascii(const char *message)
{
	START(range_text_set, message, NULL);
}

static nvtxRangeId_t start_wide(const wchar_t *message)
{
	START(range_text_set_wide, message, NULL);
}

static nvtxRangeId_t start_attributes(const nvtxEventAttributes_t *attributes)
{
	START(range_text_set_attributes, attributes, NULL);
}

static nvtxRangeId_t start_in_domain(nvtxDomainHandle_t domain,
				     const nvtxEventAttributes_t *attributes)
{
	START(range_text_set_attributes, attributes, domain);
}

static void end_started_range(nvtxRangeId_t id)
{
	open_ranges_end(id);
}

static void end_in_domain(nvtxDomainHandle_t domain, nvtxRangeId_t id)
{
	(void)domain;
	open_ranges_end(id);
}

static nvtxStringHandle_t register_ascii(nvtxDomainHandle_t domain, const char *text)
{
	(void)domain;
	return range_text_register(text);
}

static nvtxStringHandle_t register_wide(nvtxDomainHandle_t domain, const wchar_t *text)
{
	(void)domain;
	return range_text_register_wide(text);
}

static nvtxDomainHandle_t create_domain(const char *name)
{
	return range_text_domain(name);
}

static nvtxDomainHandle_t create_domain_wide(const wchar_t *name)
{
	return range_text_domain_wide(name);
}

struct handler {
	unsigned int id;
	NvtxFunctionPointer function;
};

#define HANDLER(module, name, function)                                                            \
	{                                                                                          \
		NVTX_CBID_##module##_##name, (NvtxFunctionPointer)(function)                       \
	}

static const struct handler core_handlers[] = {
	HANDLER(CORE, RangePushA, push_ascii),	       HANDLER(CORE, RangePushW, push_wide),
	HANDLER(CORE, RangePushEx, push_attributes),   HANDLER(CORE, RangePop, pop_range),
	HANDLER(CORE, RangeStartA, start_ascii),       HANDLER(CORE, RangeStartW, start_wide),
	HANDLER(CORE, RangeStartEx, start_attributes), HANDLER(CORE, RangeEnd, end_started_range),
};

static const struct handler core2_handlers[] = {
	HANDLER(CORE2, DomainRangePushEx, push_in_domain),
	HANDLER(CORE2, DomainRangePop, pop_in_domain),
	HANDLER(CORE2, DomainRangeStartEx, start_in_domain),
	HANDLER(CORE2, DomainRangeEnd, end_in_domain),
	HANDLER(CORE2, DomainRegisterStringA, register_ascii),
	HANDLER(CORE2, DomainRegisterStringW, register_wide),
	HANDLER(CORE2, DomainCreateA, create_domain),
	HANDLER(CORE2, DomainCreateW, create_domain_wide),
};

static void attach_handlers(const NvtxExportTableCallbacks *callbacks, NvtxCallbackModule module,
			    const struct handler *handlers, size_t count)
{
	NvtxFunctionTable table = NULL;
	unsigned int size = 0;

	if (!callbacks->GetModuleFunctionTable(module, &table, &size) || !table)
		return;
	for (size_t i = 0; i < count; i++)
		if (handlers[i].id < size && table[handlers[i].id])
			*table[handlers[i].id] = handlers[i].function;
}

/* Called by each module's copy of NVTX. 0: that copy does nothing from then on. */
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_export_table)
{
	const NvtxExportTableCallbacks *callbacks;

	if (is_off() || !get_export_table)
		return 0;
	callbacks = get_export_table(NVTX_ETID_CALLBACKS);
	if (!callbacks || callbacks->struct_size < sizeof(*callbacks) ||
	    !callbacks->GetModuleFunctionTable)
		return 0;
	attach_handlers(callbacks, NVTX_CB_MODULE_CORE, core_handlers,
			sizeof(core_handlers) / sizeof(*core_handlers));
	attach_handlers(callbacks, NVTX_CB_MODULE_CORE2, core2_handlers,
			sizeof(core2_handlers) / sizeof(*core2_handlers));
	atomic_store(&is_used, true);
	return 1;
}

void nvtx_ask_for_injection(const char *path)
{
	const char *theirs = getenv(injection_variable);

	if (!theirs)
		setenv(injection_variable, path, 0);
	else if (strcmp(theirs, path) != 0)
		snprintf(status, sizeof(status), "off: %s is %s", injection_variable, theirs);
}

void nvtx_end(void)
{
	int saved_errno = errno;

	open_ranges_send_waiting();
	errno = saved_errno;
}

void nvtx_after_fork(void)
{
	open_ranges_after_fork();
}

const char *nvtx_status(void)
{
	if (atomic_load(&is_used))
		return "on";
	return status[0] ? status : NULL;
}
