import { svg } from './element.js';

const WIDTH = 56;
const HEIGHT = 22;

/** A line through the values, oldest first; empty below two values. */
export function sparkline(values) {
  const image = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    width: WIDTH,
    height: HEIGHT,
    'aria-hidden': 'true',
  });
  if (values.length < 2) return image;
  const least = Math.min(...values);
  const span = Math.max(...values) - least || 1;
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * (WIDTH - 2) + 1;
    const y = HEIGHT - 2 - ((value - least) / span) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const direction = values.at(-1) >= values[0] ? 'up' : 'down';
  image.append(svg('polyline', { points: points.join(' '), class: `line ${direction}` }));
  return image;
}
