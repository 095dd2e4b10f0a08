#!/bin/sh
# The runtime "asyncio" of `plait explore --runtime`: see docs/asyncio.md.
runtime=${0%/*}/../python/plait_asyncio.py
# As plait_asyncio.py wants it: then it need not start Python once more.
export PYTHONHASHSEED=0
if setarch -R true 2>/dev/null; then
  exec setarch -R python3 -B "$runtime" "$@"
fi
exec python3 -B "$runtime" "$@"
