import type { Result } from '../../operations.ts';
import { choice } from '../kit/option.ts';
import { operationCommand } from '../operation-command.ts';
import { readTime, time } from '../time.ts';

type Figures = Result<'getLandingReport'>['total'];

const DAY_MS = 24 * 60 * 60 * 1_000;

export const landingReportCommand = operationCommand(
  'landing-report',
  'getLandingReport',
  'Count how the transactions of the account landed, and how fast',
  {
    details:
      'It counts the intents that were prepared in the range and submitted. Slots and milliseconds are p50/p90/p99; fees and tips are lamports. With --by address, a second line shows those that the address was held out of.',
    options: {
      from: time('begin of the range', { ifUnset: 'a day before its end' }),
      to: time('end of the range, at most 31 days later', { ifUnset: 'now' }),
      by: choice('what the groups are', ['route', 'level', 'hour', 'address'], { default: 'route' }),
    },
    async complete({ options }) {
      const to = options.to === undefined ? new Date().toISOString() : readTime(options.to);
      const dayBefore = () => new Date(Date.parse(to) - DAY_MS).toISOString();
      return { from: options.from === undefined ? dayBefore() : readTime(options.from), to };
    },
    examples: ['--by hour', '--from 2026-11-20T00:00:00Z --by address'],
    columns: 'group sent landed failed expired open slots ms fees tips',
    list: ({ total, groups }) => [
      lineOf('all', total),
      ...groups.flatMap(({ key, figures, without }) =>
        without === null ? [lineOf(key, figures)] : [lineOf(key, figures), lineOf(`without ${key}`, without)],
      ),
    ],
  },
);

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
