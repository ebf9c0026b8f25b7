#include "cupti/status.h"

#include "base/losses.h"
#include "base/options.h"
#include "cupti/cupti_library.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Both under the lock. */
static char status[CUPTI_STATUS_BYTES] = "not started: cuInit was not called";
static char last_error[CUPTI_STATUS_BYTES];

void cupti_status_set(const char *text)
{
	pthread_mutex_lock(&lock);
	snprintf(status, sizeof(status), "%s", text);
	pthread_mutex_unlock(&lock);
}

void cupti_status_get(char text[CUPTI_STATUS_BYTES])
{
	pthread_mutex_lock(&lock);
	snprintf(text, CUPTI_STATUS_BYTES, "%s", status);
	pthread_mutex_unlock(&lock);
}

void cupti_status_note_error(const char *what, CUptiResult result)
{
	const char *text = "unknown error";

	cupti.cuptiGetResultString(result, &text);
	pthread_mutex_lock(&lock);
	snprintf(last_error, sizeof(last_error), "%s: %s (%d)%s", what, text, (int)result,
		 result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
			 ? ": another profiler is active in this process"
			 : "");
	pthread_mutex_unlock(&lock);
	losses_count(LOSS_CUPTI_ERROR, 1);
}

bool cupti_status_check(const char *what, CUptiResult result)
{
	char text[CUPTI_STATUS_BYTES];

	if (result == CUPTI_SUCCESS)
		return true;
	cupti_status_note_error(what, result);
	cupti_status_error(text);
	cupti_status_set(text);
	options_warn(OPTIONS_NO_CUPTI, "%s: GPU operations are missing from the trace", text);
	return false;
}

void cupti_status_error(char text[CUPTI_STATUS_BYTES])
{
	pthread_mutex_lock(&lock);
	snprintf(text, CUPTI_STATUS_BYTES, "%s", last_error[0] ? last_error : status);
	pthread_mutex_unlock(&lock);
}

void cupti_status_after_fork(void)
{
	pthread_mutex_init(&lock, NULL);
}
