#!/bin/sh
# The runtime "asyncio" of `plait explore --runtime`: see docs/asyncio.md.
here=$(dirname "$0")
exec python3 -B "$here/../python/plait_asyncio.py" "$@"
