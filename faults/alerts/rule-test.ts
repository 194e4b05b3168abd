import { RULES_FILE } from './slo-alerts.ts';

/** Expectation of a test for an alert at one of its minutes: 1 when it fires, else 0. */
export interface Expectation {
  readonly alert: string;
  readonly minute: number;
  readonly value: number;
}

export interface RuleTest {
  readonly name: string;
  /** A value a minute for each series; undefined where there was none. */
  readonly series: ReadonlyMap<string, readonly (number | undefined)[]>;
  readonly minutes: number;
  readonly expectations: readonly Expectation[];
}

/** A file for `promtool test rules`, as the formatter leaves it, in which a tick of a recording is a minute. */
export function ruleTestText(
  { name, series, minutes, expectations }: RuleTest,
  { rulesFile = RULES_FILE, comment = '' }: { rulesFile?: string; comment?: string } = {},
): string {
  return `${[
    ...(comment === '' ? [] : comment.split('\n').map((line) => `# ${line}`)),
    'rule_files:',
    `  - ${rulesFile}`,
    'evaluation_interval: 1m',
    'tests:',
    `  - name: ${quoted(name)}`,
    '    interval: 1m',
    '    input_series:',
    ...[...series]
      .toSorted()
      .flatMap(([text, values]) => [
        `      - series: ${quoted(text)}`,
        `        values: ${valuesText(values, minutes)}`,
      ]),
    '    promql_expr_test:',
    ...expectations.flatMap(({ alert, minute, value }) => [
      `      - expr: ${quoted(firing(alert))}`,
      `        eval_time: ${minute}m`,
      `        exp_samples: [{ labels: "{}", value: ${value} }]`,
    ]),
  ].join('\n')}\n`;
}

/** Quotes a text with double quotes, unless single ones save escapes. */
function quoted(text: string): string {
  const isPlain = !text.includes("'") && !text.includes('\\');
  return text.includes('"') && isPlain ? `'${text}'` : JSON.stringify(text);
}

function firing(alert: string): string {
  return `max(ALERTS{alertname='${alert}',alertstate='firing'}) or vector(0)`;
}

/** Values in the notation of promtool: equal ones in a row, and missing ones, are counted. */
export function valuesText(values: readonly (number | undefined)[], count: number): string {
  const texts = Array.from({ length: count }, (_, at) => String(values[at] ?? '_'));
  const runs: { text: string; times: number }[] = [];
  for (const text of texts) {
    const last = runs.at(-1);
    if (last?.text === text) last.times += 1;
    else runs.push({ text, times: 1 });
  }
  // `a+0xN` is a and N more.
  return runs
    .map(({ text, times }) => {
      if (text === '_') return times === 1 ? '_' : `_x${times}`;
      return times === 1 ? text : `${text}+0x${times - 1}`;
    })
    .join(' ');
}

/** Reads from the output of promtool the minutes at which each alert fires. */
export function firingMinutes(output: string, alerts: readonly string[]): Map<string, number[]> {
  const minutes = new Map<string, number[]>(alerts.map((alert) => [alert, []]));
  const found = /alertname='(\w+)'[^\n]*time: ([\dhms]+),\s+exp: [^\n]+\n\s+got: \{\} (\S+)/g;
  for (const [, alert = '', time = '', value] of output.matchAll(found))
    if (Number(value) === 1) minutes.get(alert)?.push(minutesOf(time));
  return minutes;
}

function minutesOf(duration: string): number {
  const part = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(duration)?.[1] ?? 0);
  return part('d') * 1_440 + part('h') * 60 + part('m');
}
