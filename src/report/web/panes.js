// Everything beside the drawing: the source with the threads' current lines, values, locks, details.
let shownFile = -2;

function showFile(file) {
  if (file === shownFile) return;
  shownFile = file;
  const source = byId("source");
  source.replaceChildren();
  if (file < 0) { byId("file").textContent = "Source: not known for this step"; return; }
  const { name, lines, changed, partial } = data.files[file];
  byId("file").textContent = name + (changed ? " (changed since the check: recorded lines only)" : partial ? " (recorded lines only)" : "");
  const fragment = document.createDocumentFragment();
  for (const [number, text] of lines) {
    const line = make("div");
    line.dataset.line = number;
    line.append(make("span", "marks"), make("span", "ln", number), make("span", "", text));
    fragment.append(line);
  }
  source.append(fragment);
}

function mark(thread, running) {
  const element = make("span", "mark" + (running ? " running" : ""), threadName.get(thread));
  element.style.borderColor = threadColor(thread);
  if (running) element.style.background = threadColor(thread);
  else element.style.color = threadColor(thread);
  element.title = running ? "has just performed this line" : "stands here";
  return element;
}

// Where a thread is: its last step; while it is stuck, what it is stuck in.
function standsAt(state, id) {
  const thread = state.threads.get(id);
  if (thread.next >= 0 && events[thread.next].p && view.now >= lastPerformed) return thread.next;
  return thread.last;
}

function showSource(state) {
  const current = events[view.now];
  showFile(current.f);
  const source = byId("source");
  source.querySelectorAll(".now, .bad").forEach((line) => line.classList.remove("now", "bad"));
  source.querySelectorAll(".mark").forEach((old) => old.remove());
  for (const { id } of data.threads) {
    const at = standsAt(state, id);
    if (at < 0 || state.threads.get(id).ended || events[at].f !== current.f) continue;
    source.querySelector(`[data-line="${events[at].l}"] .marks`)?.append(mark(id, id === current.t));
  }
  if (data.failure && view.now === failingStep && data.failure.f === current.f)
    source.querySelector(`[data-line="${data.failure.l}"]`)?.classList.add("bad");
  const line = source.querySelector(`[data-line="${current.l}"]`);
  line?.classList.add("now");
  if (line) source.scrollTop = line.offsetTop - source.offsetTop - source.clientHeight / 2;
}

function tableRow(cells, className) {
  const row = make("tr", className);
  cells.forEach(([text, kind, color]) => {
    const cell = make("td", kind || "", text);
    if (color) { cell.style.color = color; cell.style.fontWeight = 600; }
    row.append(cell);
  });
  return row;
}

function threadStatus(state, id) {
  const thread = state.threads.get(id);
  if (thread.ended) return ["has ended", ""];
  const next = thread.next >= 0 ? events[thread.next] : null;
  if (race.some((i) => events[i].t === id) && view.now >= lastPerformed)
    return ["races: " + events[race.find((i) => events[i].t === id)].x, "stuck"];
  if (next && next.p && view.now >= lastPerformed) {
    const stuck = data.failure?.blocked.find((b) => b.t === id);
    return [stuck ? stuck.text.replace(/^\S+ /, "") : next.x, stuck ? "stuck" : ""];
  }
  if (view.now >= failingStep && failingStep >= 0 && id === data.failure.thread && view.now >= lastPerformed)
    return ["fails: " + data.failure.message, "stuck"];
  if (!thread.begun) return ["not started", ""];
  return [next ? "next: " + next.x + (placeText(next) ? " at " + placeText(next) : "") : "no further step", ""];
}

function showState(state) {
  const threads = byId("threads"), variables = byId("variables");
  threads.replaceChildren();
  for (const { id, name } of data.threads) {
    const held = [...state.owners].filter(([, who]) => who.includes(id)).map(([object]) => lockNames.get(object) || "?");
    const [status, kind] = threadStatus(state, id);
    const className = (id === events[view.now].t ? "now " : "") + kind;
    const waiting = state.buffers.get(id).map((store) => `${store.name} = ${store.value}`);
    const has = [held.length ? "holds " + held.join(", ") : "", waiting.length ? "in its buffer: " + waiting.join(", ") : ""];
    threads.append(tableRow([[name, "", threadColor(id)], [status], [has.filter(Boolean).join("; ")]], className));
  }
  variables.replaceChildren();
  const cells = [...state.memory].sort((a, b) => b[1].step - a[1].step).slice(0, 40);
  for (const [, cell] of cells)
    variables.append(tableRow([[cell.name], [cell.value, "value"], [`${threadName.get(cell.by)}, step ${cell.step + 1}`]],
      cell.step === view.now ? "now" : ""));
  if (!cells.length) variables.append(tableRow([["nothing read or written yet"]]));
}

// Plain text: the tooltip shows it, and the pane "this step".
function detailLines(i) {
  const event = events[i];
  const lines = [`${i + 1}. ${threadName.get(event.t)}: ${event.x}`];
  if (event.fn) lines.push(`in ${event.fn}${placeText(event) ? " at " + placeText(event) : ""}`);
  if (event.s) lines.push(event.s);
  if (event.st && event.st.length > 1) lines.push("called from " + event.st.slice(1).join(" ← "));
  if (objectText(event)) lines.push(objectText(event));
  if (event.o) lines.push("memory order: " + event.o);
  for (const edge of edgesInto.get(i) || []) {
    const what = { "reads-from": "reads the value written by", lock: "possible since", wake: "woken by", thread: "follows", flush: "takes to memory what was stored in", race: "races with" }[edge.kind];
    lines.push(`${what} step ${edge.from + 1} (${threadName.get(events[edge.from].t)}: ${events[edge.from].x})`);
  }
  lines.push(...(reordered.get(i) || []));
  if (i === failingStep) lines.push("fails here: " + data.failure.message);
  return lines;
}

// Why it fails, as in the text form; a circle of waiting threads also as a drawing.
function showWhy() {
  const lines = data.failure?.why || [], cycle = (data.failure?.blocked || []).filter((b) => b.awaits !== undefined);
  byId("why-part").hidden = !lines.length;
  for (const { d, x } of lines) {
    const line = make("div", d ? "" : "point", x);
    line.style.marginLeft = 14 * d + "px";
    byId("why").append(line);
  }
  if (cycle.length > 1 && cycle.every((b) => cycle.some((c) => c.t === b.awaits))) byId("why").prepend(drawCycle(cycle));
}

// Threads on a circle, an arrow to whom each waits for, with the name of what it wants.
function drawCycle(cycle) {
  const space = "http://www.w3.org/2000/svg", width = 420, height = 200, radius = 72;
  const element = (tag, attributes, text) => {
    const made = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const order = [cycle[0]];
  while (order.length < cycle.length) order.push(cycle.find((b) => b.t === order.at(-1).awaits));
  const at = (i) => {
    const angle = (2 * Math.PI * i) / order.length - (order.length === 2 ? Math.PI : Math.PI / 2);
    return [width / 2 + 1.6 * radius * Math.cos(angle), height / 2 + radius * Math.sin(angle)];
  };
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, class: "cycle", role: "img",
    "aria-label": order.map((b) => `${threadName.get(b.t)} waits for ${b.object}, ${threadName.get(b.awaits)}`).join("; ") });
  order.forEach((b, i) => {
    const [x1, y1] = at(i), [x2, y2] = at((i + 1) % order.length);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1, dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    // Two threads: the arrows bend away from each other.
    const bend = order.length === 2 ? 34 : 12, cx = (x1 + x2) / 2 + dy * bend, cy = (y1 + y2) / 2 - dx * bend;
    svg.append(element("path", { class: "edge now lock-edge", "marker-end": "url(#tip-end)",
      d: `M${x1 + 20 * dx} ${y1 + 20 * dy}Q${cx} ${cy} ${x2 - 24 * dx} ${y2 - 24 * dy}` }));
    svg.append(element("text", { x: (x1 + x2) / 4 + cx / 2 + dy * 20, y: (y1 + y2) / 4 + cy / 2 - dx * 14 + 4, "text-anchor": "middle" }, b.object));
  });
  order.forEach((b, i) => {
    const [x, y] = at(i);
    svg.append(element("circle", { cx: x, cy: y, r: 18, fill: "var(--chip)", stroke: threadColor(b.t), "stroke-width": 2 }));
    svg.append(element("text", { x, y: y + 4, "text-anchor": "middle", fill: threadColor(b.t), "font-weight": 600 }, threadName.get(b.t)));
  });
  return svg;
}

function showDetail() {
  const detail = byId("detail");
  detail.replaceChildren();
  detailLines(view.now).forEach((text, k) => {
    const line = make("div");
    line.append(text === events[view.now].s ? make("code", "", text) : make(k === 0 ? "b" : "span", "", text));
    detail.append(line);
  });
}
