// The drawing: a lane per thread, time runs down, arrows between steps.
const rowHeight = 27, margin = 68;
const byId = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
// Hues that stay apart for most kinds of colour vision; names are always written, too.
const hues = [212, 28, 150, 285, 350, 95, 185, 55];
const threadColor = (thread) => `hsl(${hues[laneOf.get(thread) % hues.length]} 75% var(--lightness))`;

const view = {
  rows: [], rowOf: new Map(), steps: [], chipEnd: new Map(), // as drawn
  now: 0, shown: -1, all: false, arrows: false, opened: new Set(), laneWidth: 200, whole: 0, svg: null,
  narrow: new Set(), left: new Map(), // threads whose lanes are narrow; where each lane begins
};
const leastLane = 130, narrowLane = 26, widestChip = 460;

function laneLeft(thread) { return view.left.get(thread); }
function laneWidth(thread) { return view.narrow.has(thread) ? narrowLane : view.laneWidth; }

// As wide as there is room for; many threads have less, and then the drawing scrolls.
function placeLanes(room) {
  const wide = data.threads.filter((thread) => !view.narrow.has(thread.id)).length;
  const rest = room - margin - 12 - view.narrow.size * narrowLane;
  view.laneWidth = Math.max(leastLane, Math.floor(rest / Math.max(1, wide)));
  let left = margin;
  for (const { id } of data.threads) {
    view.left.set(id, left);
    left += laneWidth(id);
  }
  return left;
}

function toggleLane(thread) {
  if (!view.narrow.delete(thread)) view.narrow.add(thread);
  drawLanes();
  select(view.now, true);
}

function drawRow(row, index) {
  const element = make("div", "row");
  element.style.top = index * rowHeight + "px";
  if (row.fold !== undefined) {
    const who = [...new Set(events.slice(row.fold, row.end).map((e) => threadName.get(e.t)))].join(", ");
    const count = row.end - row.fold;
    const fold = make("span", "fold", row.call ? `⋯ ${row.call}` : `⋯ ${count} more ${count === 1 ? "step" : "steps"} of ${who}`);
    if (row.call) fold.style.left = laneLeft(events[row.fold].t) + "px";
    element.append(fold);
    element.dataset.fold = row.fold;
    element.setAttribute("role", "presentation");
    return element;
  }
  const event = events[row.event];
  element.id = "step-" + row.event;
  element.dataset.step = row.event;
  element.setAttribute("role", "option");
  element.setAttribute("aria-selected", "false");
  element.setAttribute("aria-label", describe(row.event) + (reordered.get(row.event) || []).map((text) => ", " + text).join("") + (row.event === failingStep ? ", fails here" : ""));
  element.append(make("span", "number", event.p ? "end" : row.event + 1));
  const before = view.rows[index - 1];
  if (before && before.event !== undefined && events[before.event].t !== event.t) element.classList.add("switch");
  if (row.event === failingStep || race.includes(row.event)) element.classList.add("fails");
  const narrow = view.narrow.has(event.t);
  const chip = make("span", "chip " + event.k + (event.p ? " pending" : "") + (narrow ? " narrow" : ""));
  chip.style.left = laneLeft(event.t) + "px";
  // Nobody else has a step in this row: names may need the room of the next lanes.
  const room = narrow ? narrowLane : Math.max(view.laneWidth, Math.min(widestChip, view.whole - laneLeft(event.t)));
  chip.style.maxWidth = room - 10 + "px";
  chip.style.borderColor = threadColor(event.t);
  chip.append(make("b", "", (row.event === failingStep || race.includes(row.event) ? "✗ " : event.p ? "‖ " : event.k === "flush" ? "⇣ " : "") + event.x), make("i", "", placeText(event)));
  if (reordered.has(row.event)) chip.prepend(make("span", "warn", "!"));
  element.append(chip);
  return element;
}

function drawLanes() {
  const rows = byId("rows"), names = byId("names"), scroll = byId("scroll");
  view.rows = makeRows(view.all, view.opened);
  view.rowOf = new Map();
  view.rows.forEach((row, index) => {
    if (row.event !== undefined) view.rowOf.set(row.event, index);
    else for (let i = row.fold; i < row.end; ++i) view.rowOf.set(i, index);
  });
  view.steps = view.rows.filter((row) => row.event !== undefined).map((row) => row.event);
  byId("minimap").hidden = view.rows.length * rowHeight <= scroll.clientHeight;
  const width = view.whole = placeLanes(scroll.clientWidth), height = view.rows.length * rowHeight;
  rows.replaceChildren();
  view.shown = -1;
  names.replaceChildren();
  rows.style.height = height + 8 + "px";
  rows.style.width = width + "px";
  for (const thread of data.threads) {
    const lane = make("div", "lane");
    lane.style.left = laneLeft(thread.id) + 1 + "px";
    lane.style.borderColor = threadColor(thread.id);
    rows.append(lane);
    const nested = thread.path.split(".").length > 2;
    const name = make("button", "", thread.name + (nested ? ` (${thread.path})` : ""));
    name.style.left = laneLeft(thread.id) + "px";
    name.style.maxWidth = laneWidth(thread.id) - 4 + "px";
    name.style.color = threadColor(thread.id);
    name.title = `${thread.name}: click to make its lane narrow or wide (h)`;
    name.setAttribute("aria-pressed", String(view.narrow.has(thread.id)));
    name.onclick = () => toggleLane(thread.id);
    names.append(name);
    if (!hasBuffers) continue;
    const buffer = make("div", "buffer");
    buffer.id = "buffer-" + thread.id;
    buffer.style.left = laneLeft(thread.id) + "px";
    buffer.style.width = laneWidth(thread.id) - 8 + "px";
    names.append(buffer);
  }
  const fragment = document.createDocumentFragment();
  view.rows.forEach((row, index) => fragment.append(drawRow(row, index)));
  rows.append(fragment);
  // Measured once: asking for a width between two changes makes the browser lay out everything again.
  view.chipEnd = new Map();
  for (const chip of rows.querySelectorAll(".chip"))
    view.chipEnd.set(Number(chip.parentNode.dataset.step), chip.offsetLeft + chip.offsetWidth);
  view.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  view.svg.setAttribute("width", width);
  view.svg.setAttribute("height", height);
  view.svg.setAttribute("aria-hidden", "true");
  view.svg.innerHTML = '<defs><marker id="tip-end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="4.5" markerHeight="4.5" ' +
    'orient="auto"><path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker></defs><g id="arrows"></g><g id="arrows-now"></g>';
  rows.append(view.svg);
  drawAllArrows();
}

// The stores that wait in a thread's buffer, oldest first, under its name.
function drawBuffers(state) {
  if (!hasBuffers) return;
  for (const { id, name } of data.threads) {
    const element = byId("buffer-" + id), waiting = state.buffers.get(id);
    element.replaceChildren(...waiting.map((store) => make("span", "waiting", `${store.name} = ${store.value}`)));
    if (!waiting.length) element.append(make("span", "empty", "buffer empty"));
    element.title = waiting.length ? `${name}'s store buffer, oldest first: not in memory yet` : `${name}'s store buffer is empty`;
  }
}

const edgeClass = { "reads-from": "reads-from", lock: "lock-edge", wake: "wake", thread: "thread-edge", flush: "flush-edge", race: "race-edge" };

function arrow(edge, current) {
  const a = view.rowOf.get(edge.from), b = view.rowOf.get(edge.to);
  if (a === b) return null;
  const from = events[edge.from].t, to = events[edge.to].t;
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const y1 = a * rowHeight + rowHeight / 2, y2 = b * rowHeight + rowHeight / 2;
  const same = from === to, right = laneOf.get(to) > laneOf.get(from);
  const chipEnd = view.chipEnd.get(edge.from) ?? laneLeft(from) + 40;
  // Between lanes: from the side of the chip that faces the other lane. In one lane: an arc on its left.
  const x1 = same || !right ? laneLeft(from) : Math.min(chipEnd, laneLeft(to) - 8), x2 = laneLeft(to);
  const reach = same ? -Math.min(34, 10 + (y2 - y1) / 8) : Math.max(30, Math.abs(x2 - x1) / 3);
  const c1 = same ? x1 + reach : right ? x1 + reach : x1 - reach, c2 = same ? x2 + reach : x2 - 30;
  path.setAttribute("d", `M${x1} ${y1}C${c1} ${y1} ${c2} ${y2} ${x2} ${y2}`);
  path.setAttribute("class", `edge ${edgeClass[edge.kind]}${current ? " now" : ""}${slice.includes(edge) ? " slice" : ""}`);
  path.setAttribute("marker-end", "url(#tip-end)");
  path.dataset.from = edge.from;
  path.dataset.to = edge.to;
  return path;
}

// All arrows between lanes, and from stores to their flushes: drawn with the lanes.
function drawAllArrows() {
  const group = byId("arrows");
  group.replaceChildren();
  for (const list of edgesInto.values())
    for (const edge of list) {
      const always = edge.kind === "race" || slice.includes(edge);
      if (!view.arrows && !always) continue;
      const path = (always || events[edge.from].t !== events[edge.to].t || events[edge.to].k === "flush") && arrow(edge, false);
      if (path) group.append(path);
    }
}

// Those of the current step.
function drawArrows() {
  const group = byId("arrows-now");
  group.replaceChildren();
  for (const [edges, current] of [[edgesFrom, false], [edgesInto, true]])
    for (const edge of edges.get(view.now) || []) {
      const path = arrow(edge, current);
      if (path) group.append(path);
    }
}
