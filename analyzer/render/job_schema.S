/* job_schema.json as a string. */
	.section .rodata
	.global job_schema
	.hidden job_schema
	.type job_schema, @object
job_schema:
	.incbin "job_schema.json"
	.byte 0
	.size job_schema, . - job_schema
	.section .note.GNU-stack, "", @progbits
