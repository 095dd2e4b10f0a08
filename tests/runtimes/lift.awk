# A lift with two buttons: each actor presses (reads the count, then writes it plus one).
# Written from docs/runtimes.md alone: JSON lines, ids as strings.
function say(text) { print text; fflush() }
function event(actor, k,   kind) {
  kind = k == 0 ? "read" : "write"
  if (kind == "read") seen[actor] = cell; else cell = seen[actor] + 1
  return "{\"actor\":\"" actor "\",\"kind\":\"" kind "\",\"object\":\"presses\",\"label\":\"" kind " presses\"}"
}
/"type":"hello"/ { say("{\"type\":\"hello\",\"protocol\":1,\"name\":\"lift\",\"relations\":{\"interferes\":\"same-object-write\"}}"); next }
/"type":"quit"/ { exit }
/"type":"run"/ {
  match($0, /"run":[0-9]+/); run = substr($0, RSTART + 6, RLENGTH - 6)
  match($0, /"seed":\[[^]]*\]/); seed = substr($0, RSTART + 8, RLENGTH - 9)
  n = split(seed, ids, ","); cell = 0; events = ""; delete done
  done["up"] = done["down"] = 0
  for (i = 1; i <= n; ++i) { gsub(/"/, "", ids[i]); split(ids[i], part, ":"); a = part[1]
    if (part[2] != done[a] || done[a] > 1) { say("{\"type\":\"end\",\"run\":" run ",\"status\":\"diverged\",\"at\":" i - 1 "}"); next }
    events = events (events == "" ? "" : ",") event(a, done[a]++) }
  for (b = 1; b <= 2; ++b) { a = b == 1 ? "up" : "down"; while (done[a] < 2) events = events (events == "" ? "" : ",") event(a, done[a]++) }
  status = cell == 2 ? "\"complete\"" : "\"failed\",\"failure\":{\"message\":\"a press is lost\"}"
  say("{\"type\":\"end\",\"run\":" run ",\"status\":" status ",\"events\":[" events "],\"result\":\"" cell "\"}")
}
