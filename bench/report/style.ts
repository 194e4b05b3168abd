/** Styles of the report for both colour schemes, without external fonts or images. */
export const reportStyle = `
:root { color-scheme: light dark; --page: #fbfbfa; --card: #fff; --text: #1c1d1f; --quiet: #62656b; --line: #e3e4e6;
  --s0: #3b6fd4; --s1: #8a8f98; --s2: #c9622c; --s3: #2c9a75; --s4: #8a55c9; --s5: #b8902a; --bad: #b3261e; --good: #1d7a4c; }
@media (prefers-color-scheme: dark) { :root { --page: #141517; --card: #1d1f22; --text: #ececee; --quiet: #a0a4ab;
  --line: #33363b; --s0: #7ba4f5; --s1: #9aa0aa; --s2: #ee9463; --s3: #5cc9a3; --s4: #bb91ee; --s5: #dcb95a;
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
${[0, 1, 2, 3, 4, 5]
  .map(
    (index) =>
      `rect.series-${index}, circle.series-${index} { fill: var(--s${index}); } polyline.series-${index} { stroke: var(--s${index}); } i.series-${index} { background: var(--s${index}); }`,
  )
  .join('\n')}
.kept { color: var(--good); } .within { color: var(--s5); } .missed { color: var(--bad); font-weight: 600; }
`;
