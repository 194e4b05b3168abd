import { expect, test } from 'bun:test';
import { phases } from '../../faults/alerts/phases.ts';
import { firingMinutes, ruleTestText, valuesText } from '../../faults/alerts/rule-test.ts';
import { isAskedFor, readSloAlerts } from '../../faults/alerts/slo-alerts.ts';

test('every alert of an objective has a fault in which it has to fire', async () => {
  const { names } = await readSloAlerts();
  expect(phases.flatMap(({ alerts }) => alerts).toSorted()).toEqual(names.toSorted());
});

test('samples are kept when a rule asks for them, by their name and the labels that have one value', async () => {
  const { selectors } = await readSloAlerts();
  const asked = (sample: string) => isAskedFor(selectors, sample);
  const answers = 'launchwire_http_requests_total{operation="submitTransactionIntent",status="503",code="x"}';
  expect(asked(answers)).toBe(true);
  expect(asked(answers.replace('submitTransactionIntent', 'getToken'))).toBe(false);
  expect(asked('launchwire_source_proof_newest_age_seconds')).toBe(true);
  expect(asked('launchwire_intent_completion_seconds_bucket{status="confirmed",le="60"}')).toBe(false);
});

test('values are written as promtool reads them', () => {
  expect(valuesText([1, 1, 1, 2, undefined, undefined, 3], 9)).toBe('1+0x2 2 _x2 3 _x2');
});

test('a recording is written as the formatter leaves it', async () => {
  const text = ruleTestText({
    name: 'recorded faults',
    series: new Map([
      [`launchwire_http_requests_total{instance="api-1",operation="submitTransactionIntent"}`, [0, 1, 3]],
      ['up', Array.from({ length: 90 }, (_, at) => at % 7)],
    ]),
    minutes: 90,
    expectations: [{ alert: 'SubmissionAnswersBudgetFast', minute: 59, value: 1 }],
  });
  const biome = Bun.spawn(['node_modules/.bin/biome', 'format', '--stdin-file-path=ops/prometheus/any.yml'], {
    stdin: new Blob([text]),
    stdout: 'pipe',
  });
  expect(await new Response(biome.stdout).text()).toBe(text);
});

test('the minutes at which an alert fires are those at which promtool found it', () => {
  const output = [
    `    expr: "max(ALERTS{alertname='One',alertstate='firing'}) or vector(0)", time: 59m,`,
    '        exp: {} -1E+00',
    '        got: {} 0E+00',
    `    expr: "max(ALERTS{alertname='One',alertstate='firing'}) or vector(0)", time: 1h3m,`,
    '        exp: {} -1E+00',
    '        got: {} 1E+00',
  ].join('\n');
  expect(firingMinutes(output, ['One', 'Two'])).toEqual(
    new Map([
      ['One', [63]],
      ['Two', []],
    ]),
  );
});
