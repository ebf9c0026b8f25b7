/* gate_schema.json as a string. */
	.section .rodata
	.global gate_schema
	.hidden gate_schema
	.type gate_schema, @object
gate_schema:
	.incbin "gate_schema.json"
	.byte 0
	.size gate_schema, . - gate_schema
	.section .note.GNU-stack, "", @progbits
