"use strict";
// The recorded run and what follows from it: which steps are shown, and what holds after each of them.
const data = JSON.parse(document.getElementById("data").textContent);
const events = data.events;
const laneOf = new Map(data.threads.map((thread, index) => [thread.id, index]));
const threadName = new Map(data.threads.map((thread) => [thread.id, thread.name]));
const edgesInto = new Map(), edgesFrom = new Map();
for (const [from, to, kind] of data.edges) {
  if (!edgesInto.has(to)) edgesInto.set(to, []);
  if (!edgesFrom.has(from)) edgesFrom.set(from, []);
  edgesInto.get(to).push({ from, to, kind });
  edgesFrom.get(from).push({ from, to, kind });
}
// The last step that was performed; what follows it was pending when the run ended.
const lastPerformed = events.reduce((last, event, i) => (event.p ? last : i), -1);
// The step that the failure belongs to: the failing thread's last one.
const race = data.failure?.race || [];
const failingStep = !data.failure || data.failure.blocked.length ? -1 : race.length ? race[1]
  : events.reduce((last, event, i) => (!event.p && event.k !== "flush" && event.t === data.failure.thread ? i : last), -1);
// The values that led to the failure, last first: what the failing thread read, where that came from, what its writer
// had read before, and so on.
const slice = [];
for (let at = race.length ? -1 : failingStep; at >= 0 && slice.length < 6;) {
  const thread = events[at].t;
  let found = null;
  for (let i = at; i >= 0 && !found; --i)
    if (events[i].t === thread && !slice.some((edge) => edge.to === i))
      found = (edgesInto.get(i) || []).find((edge) => edge.kind === "reads-from") || null;
  if (!found) break;
  slice.push(found);
  at = found.from;
}
const hasBuffers = data.memory_model !== "sc";
// What the memory model did, by the step at which it shows.
const reordered = new Map();
for (const { at, text } of data.reordering) reordered.set(at, [...(reordered.get(at) || []), text]);

function placeText(event) {
  if (event.f < 0) return "";
  return data.files[event.f].name.replace(/^.*\//, "") + ":" + event.l;
}

// The object that the step is about, in words.
function objectText(event) {
  const object = event.a === undefined ? undefined : data.objects.find((o) => event.a >= o.a && event.a < o.a + Math.max(1, o.s));
  return object ? `${object.n}: ${object.x}` : "";
}

function describe(i) {
  const event = events[i];
  return `step ${i + 1}, ${threadName.get(event.t)}, ${event.x}${placeText(event) ? ", " + placeText(event) : ""}`;
}

// Rows of the drawing: a step, a run of steps that are folded, or one call of a library's function.
function makeRows(all, opened) {
  const rows = [];
  for (let i = 0; i < events.length; ++i) {
    const told = (k) => all || events[k].r || k === failingStep || race.includes(k);
    const [last, call] = events[i].c || [];
    const stops = (k) => k === failingStep || race.includes(k);
    if (call && !all && !opened.has(i) && !events.slice(i, last + 1).some((e, k) => stops(i + k))) {
      rows.push({ fold: i, end: last + 1, call });
      i = last;
      continue;
    }
    if (told(i)) { rows.push({ event: i }); continue; }
    let end = i;
    while (end < events.length && !told(end)) ++end;
    if (opened.has(i)) for (let k = i; k < end; ++k) rows.push({ event: k });
    else rows.push({ fold: i, end });
    i = end - 1;
  }
  return rows;
}

// What holds after step `now`: memory, store buffers, owners of locks, where each thread stands.
function stateAt(now) {
  const memory = new Map(), owners = new Map(), lent = new Map();
  const buffers = new Map(data.threads.map((t) => [t.id, []]));
  const threads = new Map(data.threads.map((t) => [t.id, { last: -1, next: -1, begun: t.id === 0, ended: false }]));
  const own = (object, thread) => {
    if (!owners.has(object)) owners.set(object, []);
    owners.get(object).push(thread);
  };
  const disown = (object, thread) => {
    const list = owners.get(object) || [];
    const at = list.indexOf(thread);
    if (at >= 0) list.splice(at, 1);
  };
  for (let i = 0; i < events.length; ++i) {
    const event = events[i], thread = threads.get(event.t);
    if (i > now || event.p) {
      if (thread.next < 0 && event.k !== "flush") thread.next = i;
      continue;
    }
    if (event.k !== "flush") thread.last = i;
    thread.begun = true;
    if (event.x === "ends") thread.ended = true;
    // Only what is read or written: the value after the step is what memory holds.
    if (event.v !== undefined && event.a !== undefined) memory.set(event.a, { name: event.n, value: event.v, step: i, by: event.t });
    if (event.b !== undefined) buffers.get(event.t).push({ name: event.n, value: event.b, step: i });
    if (event.u !== undefined) buffers.set(event.t, buffers.get(event.t).filter((store) => store.step !== event.u));
    if (event.take !== undefined) own(event.take, event.t);
    if (event.give !== undefined) disown(event.give, event.t);
    if (event.lends) lent.set(event.t, event.give);
    if (event.back && lent.has(event.t)) own(lent.get(event.t), event.t);
  }
  // Locks that only one thread uses: there are no events of them.
  for (const hold of data.holds) {
    if (hold.e > Math.min(now, lastPerformed) + 1) break;
    if (hold.take) own(hold.a, hold.t); else disown(hold.a, hold.t);
  }
  return { memory, buffers, owners, threads };
}

// Names of the objects that are locks.
const lockNames = new Map(data.holds.map((hold) => [hold.a, hold.n]));
for (const event of events) if (event.k === "lock" && event.a !== undefined && !lockNames.has(event.a)) lockNames.set(event.a, event.n);
