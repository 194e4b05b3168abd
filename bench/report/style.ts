/** Colours of the series of a plot by their position, in the light and in the dark scheme. */
const SERIES = [
  ['#3b6fd4', '#7ba4f5'],
  ['#8a8f98', '#9aa0aa'],
  ['#c9622c', '#ee9463'],
  ['#2c9a75', '#5cc9a3'],
  ['#8a55c9', '#bb91ee'],
  ['#b8902a', '#dcb95a'],
  ['#b04a80', '#e58ebb'],
  ['#5f8a1f', '#a3cc5c'],
  ['#15839f', '#5fc4de'],
  ['#7a5a40', '#c2a082'],
] as const;

const colours = (scheme: 0 | 1) => SERIES.map((pair, at) => `--s${at}: ${pair[scheme]};`).join(' ');

/** The class of a series. Beyond the last colour they begin again. */
export const seriesClass = (at: number) => `series-${at % SERIES.length}`;

/** Styles of the report for both colour schemes, without external fonts or images. */
export const reportStyle = `
:root { color-scheme: light dark; --page: #fbfbfa; --card: #fff; --text: #1c1d1f; --quiet: #62656b; --line: #e3e4e6;
  ${colours(0)} --bad: #b3261e; --good: #1d7a4c; }
@media (prefers-color-scheme: dark) { :root { --page: #141517; --card: #1d1f22; --text: #ececee; --quiet: #a0a4ab;
  --line: #33363b; ${colours(1)}
  --bad: #f2847c; --good: #66cc98; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1400px; padding: 32px 24px 64px; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 0 0 2px; }
p { margin: 4px 0 12px; } .quiet { color: var(--quiet); } a { color: var(--s0); }
nav { columns: 16em; margin: 16px 0 28px; } nav a { display: block; text-decoration: none; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 18px 20px; margin: 0 0 20px; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 440px), 1fr)); gap: 20px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13.5px; margin: 8px 0 14px; }
th, td { padding: 4px 12px 4px 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } th { font-weight: 600; color: var(--quiet); }
figure { margin: 0; } figcaption { font-size: 13.5px; font-weight: 600; margin-bottom: 6px; } svg { width: 100%; height: auto; }
svg text { fill: var(--text); font: 12px system-ui, sans-serif; } svg text.tick { fill: var(--quiet); font-size: 11px; }
.grid { stroke: var(--line); } .round { fill: var(--card); stroke: var(--text); stroke-width: 1; opacity: 0.75; }
polyline { fill: none; stroke-width: 2; }
.legend { font-size: 12.5px; margin: 4px 0 0; } .legend span { display: inline-block; margin-right: 16px; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px; }
${SERIES.map(
  (_, at) =>
    `rect.series-${at}, circle.series-${at} { fill: var(--s${at}); } polyline.series-${at} { stroke: var(--s${at}); } i.series-${at} { background: var(--s${at}); }`,
).join('\n')}
.kept { color: var(--good); } .within { color: var(--s5); } .missed { color: var(--bad); font-weight: 600; }
`;
