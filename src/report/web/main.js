// Stepping, playing, keys, pointer.
let timer = 0;

const steps = () => view.steps;

function select(step, quiet) {
  if (step < 0 || step >= events.length) return;
  const folded = view.rows[view.rowOf.get(step)]?.fold;
  if (folded !== undefined) {
    view.opened.add(folded);
    drawLanes();
  }
  byId("step-" + view.now)?.setAttribute("aria-selected", "false");
  view.now = step;
  const rows = byId("rows"), element = byId("step-" + step), scroll = byId("scroll");
  element.setAttribute("aria-selected", "true");
  rows.setAttribute("aria-activedescendant", element.id);
  // Steps after this one have not happened yet: only those between the old and the new place change.
  const list = steps(), at = list.indexOf(step);
  const low = view.shown < 0 ? 0 : Math.min(at, view.shown), high = view.shown < 0 ? list.length - 1 : Math.max(at, view.shown);
  for (let i = low; i <= high && i < list.length; ++i) byId("step-" + list[i]).classList.toggle("later", i > at && !(events[list[i]].p && step >= lastPerformed));
  view.shown = at;
  const top = view.rowOf.get(step) * rowHeight;
  if (top < scroll.scrollTop + rowHeight) scroll.scrollTop = top - 2 * rowHeight;
  else if (top > scroll.scrollTop + scroll.clientHeight - 3 * rowHeight) scroll.scrollTop = top - scroll.clientHeight + 4 * rowHeight;
  byId("slider").max = list.length - 1;
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", describe(step));
  byId("counter").textContent = `step ${step + 1} of ${events.length}`;
  const state = stateAt(step);
  drawMinimap();
  drawArrows();
  drawBuffers(state);
  showSource(state);
  showState(state);
  showDetail();
  if (!quiet) byId("live").textContent = detailLines(step).join(". ");
}

function move(by) {
  const list = steps();
  select(list[Math.min(list.length - 1, Math.max(0, list.indexOf(view.now) + by))]);
}

// The nearest shown step in the direction for which `wanted` holds.
function find(direction, wanted) {
  const list = steps();
  for (let i = list.indexOf(view.now) + direction; i >= 0 && i < list.length; i += direction)
    if (wanted(list[i], list[i - 1])) return select(list[i]);
}

function play(on) {
  clearInterval(timer);
  timer = 0;
  const list = steps();
  if (on) {
    if (view.now === list[list.length - 1]) select(list[0]);
    timer = setInterval(() => { if (view.now === steps().at(-1)) play(false); else move(1); }, 700);
  }
  byId("play").textContent = on ? "⏸ pause" : "▶ play";
  byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
  byId("play").setAttribute("aria-pressed", String(on));
}

function setAll(on) {
  view.all = on;
  byId("all").checked = on;
  view.opened.clear();
  drawLanes();
  if (!byId("step-" + view.now)) view.now = steps().findLast((s) => s <= view.now) ?? steps()[0];
  select(view.now, true);
}
function setArrows(on) {
  view.arrows = on;
  byId("edges").checked = on;
  drawAllArrows();
}
function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  if (view.rows.length) drawMinimap();
}
function toggleTheme() { setTheme(document.documentElement.dataset.theme !== "dark"); }
function toggleHelp() {
  byId("keys").hidden = !byId("keys").hidden;
  byId("help").setAttribute("aria-expanded", String(!byId("keys").hidden));
}

// Along the slice: from a read to its write, from there to what its writer had read.
const trail = [];
function go(step) {
  trail.push(view.now);
  select(step);
}
function followSlice() {
  const stops = [...new Set(slice.flatMap((edge) => [edge.to, edge.from]))];
  if (stops.length) go(stops[(stops.indexOf(view.now) + 1) % stops.length]);
}

const keys = {
  ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1),
  ArrowRight: () => find(1, (s) => events[s].t === events[view.now].t),
  ArrowLeft: () => find(-1, (s) => events[s].t === events[view.now].t),
  n: () => find(1, (s, before) => before !== undefined && events[s].t !== events[before].t),
  p: () => find(-1, (s, before) => before !== undefined && events[s].t !== events[before].t),
  Home: () => select(steps()[0]), End: () => select(steps().at(-1)), " ": () => play(!timer),
  PageDown: () => move(15), PageUp: () => move(-15),
  g: () => { const edge = (edgesInto.get(view.now) || [])[0]; if (edge) go(edge.from); },
  s: followSlice, b: () => { if (trail.length) select(trail.pop()); }, h: () => toggleLane(events[view.now].t),
  a: () => setAll(!view.all), e: () => setArrows(!view.arrows), t: toggleTheme, "?": toggleHelp,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const on = event.target;
  // Controls keep their own keys: a button its space, a slider its arrows, the source pane its scrolling.
  if (on.tagName === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
  if (on.type === "checkbox" && event.key === " ") return;
  if ((on.id === "slider" || on.id === "source") && /^(Arrow|Page|Home|End)/.test(event.key)) return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  if (event.key !== " ") play(false);
  action();
});

byId("rows").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row) return;
  if (row.dataset.fold === undefined) return select(Number(row.dataset.step));
  view.opened.add(Number(row.dataset.fold));
  drawLanes();
  select(view.now, true);
});
byId("rows").addEventListener("mousemove", (event) => {
  const tip = byId("tip"), row = event.target.closest(".row[data-step]");
  tip.hidden = !row;
  if (!row) return;
  tip.textContent = detailLines(Number(row.dataset.step)).join("\n");
  tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
  tip.style.top = Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8) + "px";
});
byId("rows").addEventListener("mouseleave", () => { byId("tip").hidden = true; });
byId("scroll").addEventListener("scroll", () => { byId("names").scrollLeft = byId("scroll").scrollLeft; byId("tip").hidden = true; drawMinimap(); });
byId("first").onclick = keys.Home;
byId("last").onclick = keys.End;
byId("back").onclick = () => move(-1);
byId("next").onclick = () => move(1);
byId("play").onclick = () => play(!timer);
byId("theme").onclick = toggleTheme;
byId("help").onclick = toggleHelp;
byId("all").onchange = () => setAll(byId("all").checked);
byId("edges").onchange = () => setArrows(byId("edges").checked);
byId("slider").oninput = () => { play(false); select(steps()[Number(byId("slider").value)]); };
addEventListener("resize", () => { drawLanes(); select(view.now, true); });

document.querySelector(".lanes").style.flexGrow = Math.min(2.2, 1 + 0.16 * data.threads.length);
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
byId("kind").textContent = data.failure ? data.failure.kind : "no failure";
byId("kind").classList.toggle("ok", !data.failure);
byId("headline").textContent = data.headline;
byId("model").textContent = { sc: "SC", tso: "TSO", pso: "PSO" }[data.memory_model];
byId("model").title = "memory model: " + { sc: "sequential consistency", tso: "total store order", pso: "partial store order" }[data.memory_model];
byId("summary").textContent = data.summary;
byId("summary").hidden = !data.summary;
byId("inputs").textContent = "with the inputs " + data.inputs;
byId("inputs").hidden = !data.inputs;
document.body.classList.toggle("buffers", hasBuffers);
showWhy();
byId("replay").textContent = data.replay;
byId("stdout").textContent = data.stdout || "(none)";
if (events.length) {
  view.arrows = events.length <= 60;
  byId("edges").checked = view.arrows;
  drawLanes();
  select(failingStep >= 0 ? failingStep : Math.max(0, lastPerformed), true);
} else byId("counter").textContent = "no steps were recorded";
