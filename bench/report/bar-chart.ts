import { type Markup, markup } from './markup.ts';
import { formatNumber, linearTicks } from './scale.ts';
import { seriesClass } from './style.ts';

export interface Bar {
  label: string;
  /** Median. */
  value: number;
  /** Every round, drawn as dots on the bar. */
  rounds: readonly number[];
}

const WIDTH = 640;
const LABEL_WIDTH = 190;
const VALUE_WIDTH = 70;
const ROW_HEIGHT = 30;
const BAR_HEIGHT = 16;
const AXIS_HEIGHT = 22;

/** Horizontal bars of medians; each round is a dot, so that the spread shows. */
export function barChart(title: string, bars: readonly Bar[]): Markup {
  const ticks = linearTicks(Math.max(...bars.flatMap(({ value, rounds }) => [value, ...rounds])));
  const end = ticks.at(-1) ?? 1;
  const plotWidth = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const x = (value: number) => LABEL_WIDTH + (value / end) * plotWidth;
  const plotHeight = bars.length * ROW_HEIGHT;
  const height = plotHeight + AXIS_HEIGHT;
  return markup`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
${ticks.map(
  (tick) => markup`<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="0" y2="${plotHeight}"/>
<text class="tick" x="${x(tick)}" y="${height - 6}" text-anchor="middle">${formatNumber(tick)}</text>`,
)}
${bars.map((bar, index) => row(bar, index, x))}
</svg></figure>`;
}

function row({ label, value, rounds }: Bar, index: number, x: (value: number) => number): Markup {
  const middle = index * ROW_HEIGHT + ROW_HEIGHT / 2;
  const width = Math.max(1, x(value) - x(0));
  const reach = Math.max(x(value), ...rounds.map(x));
  return markup`<text class="label" x="${LABEL_WIDTH - 10}" y="${middle + 4}" text-anchor="end">${label}</text>
<rect class="${seriesClass(index)}" x="${x(0)}" y="${middle - BAR_HEIGHT / 2}" width="${width}" height="${BAR_HEIGHT}" rx="2"/>
${rounds.map((round) => markup`<circle class="round" cx="${x(round)}" cy="${middle}" r="2.5"/>`)}
<text class="value" x="${reach + 8}" y="${middle + 4}">${formatNumber(value)}</text>`;
}
