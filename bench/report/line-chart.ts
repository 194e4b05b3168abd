import { type Markup, markup } from './markup.ts';
import { decadeTicks, formatNumber, linearTicks } from './scale.ts';
import { seriesClass } from './style.ts';

export interface Line {
  label: string;
  /** One value for each category; null where there is none. */
  values: readonly (number | null)[];
}

export interface LineChart {
  title: string;
  categories: readonly string[];
  lines: readonly Line[];
  /** Decades: for values that lie orders of magnitude apart. */
  logarithmic: boolean;
}

const WIDTH = 640;
const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 28;
/** Width of a digit or small letter of a tick label, and the gap between two labels. */
const LETTER_WIDTH = 6.2;
const LABEL_GAP = 10;

/** Lines over named positions, with a dot for every value. */
export function lineChart({ title, categories, lines, logarithmic }: LineChart): Markup {
  const values = lines.flatMap(({ values }) => values).filter((value) => value !== null);
  const ticks = logarithmic ? decadeTicks(values) : linearTicks(Math.max(...values));
  const position = logarithmic
    ? (value: number) => Math.log10(Math.max(value, ticks[0] ?? 1))
    : (value: number) => value;
  const low = position(ticks[0] ?? 0);
  const high = position(ticks.at(-1) ?? 1);
  const y = (value: number) => TOP + (1 - (position(value) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, categories.length);
  const x = (index: number) => LEFT + (index + 0.5) * step;
  return markup`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
${ticks.map(
  (tick) => markup`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}"/>
<text class="tick" x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${formatNumber(tick)}</text>`,
)}
${readableLabels(categories, step).map(
  ({ category, index }) =>
    markup`<text class="tick" x="${x(index)}" y="${HEIGHT - 8}" text-anchor="middle">${category}</text>`,
)}
${lines.map((line, index) => drawLine(line, index, x, y))}
</svg>
${legend(lines)}</figure>`;
}

/** The labels that fit beside each other, evenly spread, always with the last one. */
function readableLabels(categories: readonly string[], step: number): { category: string; index: number }[] {
  const longest = Math.max(...categories.map(({ length }) => length)) * LETTER_WIDTH + LABEL_GAP;
  const every = Math.max(1, Math.ceil(longest / step));
  return categories
    .map((category, index) => ({ category, index }))
    .filter(({ index }) => (categories.length - 1 - index) % every === 0);
}

function drawLine(
  { label, values }: Line,
  index: number,
  x: (index: number) => number,
  y: (value: number) => number,
): Markup {
  const points = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  const path = points.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return markup`<polyline class="${seriesClass(index)}" points="${path}"/>
${points.map(
  ({ at, value }) =>
    markup`<circle class="${seriesClass(index)}" cx="${x(at)}" cy="${y(value)}" r="3.5"><title>${label}: ${formatNumber(value)}</title></circle>`,
)}`;
}

function legend(lines: readonly Line[]): Markup {
  return markup`<p class="legend">${lines.map(
    ({ label }, index) => markup`<span><i class="${seriesClass(index)}"></i>${label}</span> `,
  )}</p>`;
}
