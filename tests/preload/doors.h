/* What a program does at each door of doors_test.c: the same by every one. */
#ifndef DOORS_H
#define DOORS_H

/* doors_work.c by the runtime, doors_driver.c by the driver API; 0, or the first error. */
int doors_work(void);

/* Where doors_work.c built with DOORS_BY_NAME asks dlsym() for each function. */
extern void *doors_scope;

#endif
