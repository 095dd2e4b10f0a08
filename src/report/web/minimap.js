// The whole run at a glance, beside the lanes: a mark per row in its thread's column, what fails in red, and the part
// that is in view. Only if there is more than fits.
function drawMinimap() {
  const map = byId("minimap"), scroll = byId("scroll");
  const height = scroll.clientHeight, whole = view.rows.length * rowHeight;
  map.hidden = whole <= height;
  if (map.hidden) return;
  const width = 46, ratio = window.devicePixelRatio || 1, scale = height / whole;
  map.width = width * ratio;
  map.height = height * ratio;
  map.style.height = height + "px";
  const paint = map.getContext("2d");
  paint.scale(ratio, ratio);
  const column = (width - 4) / data.threads.length, tall = Math.max(1.5, rowHeight * scale - 0.5);
  view.rows.forEach((row, index) => {
    if (row.event === undefined) return;
    const event = events[row.event], bad = row.event === failingStep || race.includes(row.event) || event.p;
    paint.fillStyle = bad ? getComputedStyle(document.documentElement).getPropertyValue("--bad") : paintColor(event.t);
    paint.fillRect(2 + laneOf.get(event.t) * column, index * rowHeight * scale, Math.max(2, column - 1), tall);
  });
  paint.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
  paint.strokeRect(0.5, scroll.scrollTop * scale + 0.5, width - 1, Math.max(6, height * scale) - 1);
}

// A canvas knows no variables of the style.
function paintColor(thread) {
  const lightness = getComputedStyle(document.documentElement).getPropertyValue("--lightness");
  return `hsl(${hues[laneOf.get(thread) % hues.length]} 75% ${lightness})`;
}

byId("minimap").addEventListener("pointerdown", (event) => {
  const scroll = byId("scroll"), jump = (y) => {
    scroll.scrollTop = (y / scroll.clientHeight) * view.rows.length * rowHeight - scroll.clientHeight / 2;
  };
  const move = (e) => jump(e.offsetY);
  jump(event.offsetY);
  event.target.addEventListener("pointermove", move);
  addEventListener("pointerup", () => event.target.removeEventListener("pointermove", move), { once: true });
});
