"""Plots as SVG, without any library: lines and points over two axes."""

from typing import List, Sequence, Tuple

COLOURS = ["#1f6f8b", "#c0504d", "#6a994e", "#8d6cab"]
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 50, 40, 20


def _ticks(low: float, high: float) -> List[float]:
    step = 10.0 ** (len(f"{(high - low) / 5:e}") and int(f"{(high - low) / 5:e}".split("e")[1]))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) <= 6:
            step *= factor
            break
    first = int(low / step) if low >= 0 else int(low / step) - 1
    return [k * step for k in range(first, first + 12) if low - 1e-12 <= k * step <= high + 1e-12]


def plot(path: str, title: str, x_name: str, y_name: str,
         lines: Sequence[Tuple[str, Sequence[float], Sequence[float], bool]]) -> None:
    """Writes a plot: each line has a name, its x and y, and whether it is points."""
    xs = [x for _, line, _, _ in lines for x in line]
    ys = [y for _, _, line, _ in lines for y in line]
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    x1, y1 = (x1 if x1 > x0 else x0 + 1), (y1 if y1 > y0 else y0 + 1)

    def at(x: float, y: float) -> Tuple[float, float]:
        return (LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - BOTTOM - TOP))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{WIDTH / 2}" y="22" text-anchor="middle" font-size="15">{title}</text>',
           f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{x_name}</text>',
           f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">{y_name}</text>']
    for tick in _ticks(x0, x1):
        x, _ = at(tick, y0)
        out.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
                   f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{tick:.4g}</text>')
    for tick in _ticks(y0, y1):
        _, y = at(x0, tick)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:.4g}</text>')
    for i, (name, line_x, line_y, is_points) in enumerate(lines):
        colour, places = COLOURS[i % len(COLOURS)], [at(x, y) for x, y in zip(line_x, line_y)]
        if is_points:
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in places]
        else:
            way = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            out.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        out.append(f'<text x="{WIDTH - RIGHT - 8}" y="{TOP + 16 * (i + 1)}" text-anchor="end" fill="{colour}">{name}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out + ["</svg>"]) + "\n")
