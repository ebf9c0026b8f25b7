/* Makes loader_plugin.c a library with Python in it, as far as a tracer asks: not initialized, without threads. */
#include <stddef.h>

extern const unsigned long Py_Version;
extern char PyCode_Type[], PyUnicode_Type[], PyBytes_Type[], _PyRuntime[];
int Py_IsInitialized(void);
void *PyGILState_GetThisThreadState(void);
void *PyInterpreterState_Main(void);
void *PyInterpreterState_ThreadHead(void *interpreter);

const unsigned long Py_Version = 0x030b07f0;
char PyCode_Type[8], PyUnicode_Type[8], PyBytes_Type[8], _PyRuntime[8];

int Py_IsInitialized(void)
{
	return 0;
}

void *PyGILState_GetThisThreadState(void)
{
	return NULL;
}

void *PyInterpreterState_Main(void)
{
	return NULL;
}

void *PyInterpreterState_ThreadHead(void *interpreter)
{
	return NULL;
}
