/* What a program does through each API path of api_path_test.c: the same through every one. */
#ifndef API_PATH_H
#define API_PATH_H

/* api_path_work.c by the runtime, api_path_driver.c by the driver API; 0, or the first error. */
int api_path_work(void);

/* Where api_path_work.c built with API_PATH_BY_NAME asks dlsym() for each function. */
extern void *api_path_scope;

#endif
