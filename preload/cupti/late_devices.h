/* What CUPTI tells only where it is there before CUDA begins: the devices, and their primary contexts. */
#ifndef STREAMTRACE_CUPTI_LATE_DEVICES_H
#define STREAMTRACE_CUPTI_LATE_DEVICES_H

struct store;

/* Asks the driver for the devices whose primary context is there, and stores them and these contexts as CUPTI's records
 * would be. CUPTI must be on. Makes no context, and waits for nothing that the device does. Writer thread. */
void late_devices_store(struct store *store);

#endif
