/*
 * Records the images of device code that the program gives the driver at run time: what NVRTC,
 * Triton or XLA compiled, and what lies in files of its own. The analyzer finds in them what their
 * kernels read and write.
 *
 * Only with STREAMTRACE_RACES. Each image is copied once, however often it is loaded, when the
 * driver has accepted it: at most IMAGES_MOST images of IMAGES_BYTES_MOST bytes together, the others
 * are counted (LOSS_CODE). Fat binaries of the program and its libraries are left out, because the
 * analyzer reads those files. A load takes some 1 us for each KB more.
 */
#ifndef STREAMTRACE_CODE_IMAGES_H
#define STREAMTRACE_CODE_IMAGES_H

#include "cupti/cupti_library.h"

#include <stdbool.h>

#define IMAGES_MOST	  2048
#define IMAGES_BYTES_MOST (32 << 20)

struct store;

/* Enables CUPTI's callbacks for the calls that load code, with the option. */
void code_images_enable(CUpti_SubscriberHandle subscriber);

/* Call for each callback of the driver API, at a call's entry and at its exit, on the callback's
 * thread. True: the call is one of these, and its image is kept. False: another call; nothing was
 * done. Changes errno. */
bool code_images_take(CUpti_CallbackId cbid, const CUpti_CallbackData *data);

/* Stores the images kept since the last call as rows of code_images. Writer thread. */
void code_images_store(struct store *store);

/* Call in a forked child: forgets the parent's images. */
void code_images_after_fork(void);

#endif
