import type { Arguments, Result } from '../../operations.ts';
import type { Command } from '../command.ts';
import { timeOf } from '../time.ts';

type Query = Arguments<'getLandingReport'>;
type Figures = Result<'getLandingReport'>['total'];

const GROUPINGS = ['route', 'level', 'hour', 'address'] as const;
const DAY_MS = 24 * 60 * 60 * 1_000;
const COLUMNS = ['group', 'sent', 'landed', 'failed', 'expired', 'open', 'slots', 'ms', 'fees', 'tips'];

export const landingReportCommand: Command = {
  name: 'landing-report',
  summary: 'Count how the transactions of the account landed, and how fast',
  details:
    'Of the intents that were prepared in the range and submitted. Slots and milliseconds are p50/p90/p99; fees and tips are lamports. With --by address, a second line shows those that the address was held out of.',
  arguments: [],
  options: {
    from: {
      kind: 'text',
      value: 'TIME',
      help: 'begin of the range, RFC 3339; a day before its end unless given',
    },
    to: { kind: 'text', value: 'TIME', help: 'end of the range, at most 31 days later; now unless given' },
    by: { kind: 'text', choices: GROUPINGS, help: 'what the groups are', default: 'route' },
  },
  examples: [
    'launchwire landing-report --by hour',
    'launchwire landing-report --from 2026-11-20T00:00:00Z --by address',
  ],
  async run(invocation) {
    const { client, output, signal, options } = invocation;
    const { by } = options as { by?: Query['by'] };
    const to = timeOf(invocation, 'to') ?? new Date().toISOString();
    const from = timeOf(invocation, 'from') ?? new Date(Date.parse(to) - DAY_MS).toISOString();
    const report = await client().getLandingReport({ from, to, by: by ?? 'route' }, { signal });
    if (output.isJson) return output.record(report);
    const groups = report.groups.flatMap(({ key, figures, without }) => [
      lineOf(key, figures),
      ...(without === null ? [] : [lineOf(`without ${key}`, without)]),
    ]);
    output.table([lineOf('all', report.total), ...groups], COLUMNS);
  },
};

function lineOf(group: string, figures: Figures): object {
  const { sent, landed, failed, expired, open, slots, milliseconds } = figures;
  const percentiles = (of: Figures['slots']) => (of === null ? null : `${of.p50}/${of.p90}/${of.p99}`);
  return {
    ...{ group, sent, landed, failed, expired, open },
    ...{ slots: percentiles(slots), ms: percentiles(milliseconds) },
    ...{ fees: figures.feesLamports, tips: figures.tipsLamports },
  };
}
