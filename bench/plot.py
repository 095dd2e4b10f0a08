"""A line plot as SVG: a few series, logarithmic vertical axis. Standard library only."""
import html
import math

COLORS = ("#b5542a", "#7a5ca8", "#2a7ab5", "#3a8a4a", "#888888")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 70, 150, 40, 50


def lines(series, title, x_label, y_label):
    """series: name -> list of (x, y, finished); unfinished points are drawn open, with an arrow up."""
    points = [point for values in series.values() for point in values]
    xs = sorted({x for x, _, _ in points})
    top = max(1, math.ceil(math.log10(max(y for _, y, _ in points))))

    def place(x, y):
        across = (x - xs[0]) / max(1, xs[-1] - xs[0])
        up = math.log10(max(1, y)) / top
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" role="img" '
           f'aria-label="{html.escape(title)}">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="15">{html.escape(title)}</text>']
    for power in range(top + 1):
        _, y = place(xs[0], 10 ** power)
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10 ** power:,}</text>')
    for x in xs:
        across, _ = place(x, 1)
        out.append(f'<text x="{across:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{html.escape(x_label)}</text>')
    out.append(f'<text x="16" y="{TOP - 18}">{html.escape(y_label)}</text>')
    labels = {}  # name -> where it stands; those that would cover each other move apart
    below = None
    for name, values in sorted(series.items(), key=lambda item: place(*item[1][-1][:2])[1]):
        across, up = place(*values[-1][:2])
        below = up if below is None else max(up, below + 14)
        labels[name] = across + 10, below + 4
    for (name, values), color in zip(series.items(), COLORS):
        path = " ".join(f"{'M' if i == 0 else 'L'}{place(x, y)[0]:.1f},{place(x, y)[1]:.1f}" for i, (x, y, _) in enumerate(values))
        out.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        for x, y, finished in values:
            across, up = place(x, y)
            out.append(f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3.5" fill="{color if finished else "white"}" stroke="{color}"/>')
            if not finished:
                out.append(f'<text x="{across:.1f}" y="{up - 6:.1f}" text-anchor="middle" fill="{color}">&#8593;</text>')
        across, up = labels[name]
        out.append(f'<text x="{across:.1f}" y="{up:.1f}" fill="{color}">{html.escape(name)}</text>')
    return "\n".join(out) + "\n</svg>\n"
