import type { Result } from '../../operations.ts';
import type { Command } from '../command.ts';
import { need } from '../kit/command.ts';
import { choice } from '../kit/option.ts';
import { readTime, time } from '../time.ts';

type Figures = Result<'getLandingReport'>['total'];

const GROUPINGS = ['route', 'level', 'hour', 'address'] as const;
const DAY_MS = 24 * 60 * 60 * 1_000;
const COLUMNS = ['group', 'sent', 'landed', 'failed', 'expired', 'open', 'slots', 'ms', 'fees', 'tips'];

export const landingReportCommand: Command = {
  name: 'landing-report',
  summary: 'Count how the transactions of the account landed, and how fast',
  details:
    'Of the intents that were prepared in the range and submitted. Slots and milliseconds are p50/p90/p99; fees and tips are lamports. With --by address, a second line shows those that the address was held out of.',
  options: {
    from: time('begin of the range', { ifUnset: 'a day before its end' }),
    to: time('end of the range, at most 31 days later', { ifUnset: 'now' }),
    by: choice('what the groups are', GROUPINGS, { default: 'route' }),
  },
  examples: ['--by hour', '--from 2026-11-20T00:00:00Z --by address'],
  async run({ client, output, signal, options }) {
    const to = options.to === undefined ? new Date().toISOString() : readTime(options.to);
    const from =
      options.from === undefined ? new Date(Date.parse(to) - DAY_MS).toISOString() : readTime(options.from);
    const by = need(options, 'by') as (typeof GROUPINGS)[number];
    const report = await client().getLandingReport({ from, to, by }, { signal });
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
    group,
    sent,
    landed,
    failed,
    expired,
    open,
    slots: percentiles(slots),
    ms: percentiles(milliseconds),
    fees: figures.feesLamports,
    tips: figures.tipsLamports,
  };
}
