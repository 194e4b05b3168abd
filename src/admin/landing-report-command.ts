import { need } from '../../packages/client/src/cli/kit/command.ts';
import { choice, required } from '../../packages/client/src/cli/kit/option.ts';
import { readReportOfAll } from '../features/transaction-intents/landing-report/read-report.ts';
import { judgeRange } from '../features/transaction-intents/landing-report/report-range.ts';
import {
  type LandingFigures,
  type ReportGrouping,
  reportGroupings,
} from '../features/transaction-intents/landing-report/schema.ts';
import type { Command } from './command.ts';
import { time } from './option.ts';

/** The figures of customers' landing reports over all accounts (contract/landing-report#report). */
export const landingReport: Command = {
  name: 'landing-report',
  summary: 'Counts how the intents of all accounts landed: sent, landed, failed, expired, with percentiles',
  options: {
    from: time('begin of the range, by the preparation of the intents', required),
    to: time('end of the range, at most 31 days later', required),
    by: choice('what the groups are', reportGroupings, { default: 'route' }),
  },
  examples: ['--from 2026-11-26T10:00:00Z --to 2026-11-26T11:00:00Z --by address'],
  async run({ database }, options) {
    const range = judgeRange(need(options, 'from'), need(options, 'to'));
    const by = need(options, 'by') as ReportGrouping;
    const { from, to, total, groups } = await readReportOfAll(database, range, by);
    return {
      from,
      to,
      groups: [
        ...groups.flatMap(({ key, figures, without }) => [
          row(by, key, figures),
          ...(without === null ? [] : [row(by, `${key}, held out`, without)]),
        ]),
        row(by, 'all', total),
      ],
    };
  },
};

/** One line of the table: slots and milliseconds as p50, p90 and p99. */
function row(by: ReportGrouping, name: string, { slots, milliseconds, ...counts }: LandingFigures) {
  return { [by]: name, ...counts, slots: percentiles(slots), milliseconds: percentiles(milliseconds) };
}

function percentiles(of: LandingFigures['slots']): string | null {
  return of === null ? null : `${of.p50} ${of.p90} ${of.p99}`;
}
