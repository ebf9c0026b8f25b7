#!/bin/sh
# torchrun.sh RANKS PROGRAM [ARGUMENT]...: starts it once a rank, with what torchrun tells its workers.
ranks=$1
shift
rank=0
while [ "$rank" -lt "$ranks" ]; do
	RANK=$rank LOCAL_RANK=$rank WORLD_SIZE=$ranks TORCHELASTIC_RUN_ID=none \
		MASTER_ADDR=localhost MASTER_PORT=29500 "$@" &
	rank=$((rank + 1))
done
wait
