import type { RuleName } from '../judge/judge.ts';
import type { FaultKind } from '../plan/fault-plan.ts';

/** A guard of the product, how it is taken away, and which rule has to find that. */
export interface Guard {
  readonly name: string;
  readonly protects: string;
  /** Exact pieces of text; each must be there exactly once. */
  readonly changes: readonly { readonly file: string; readonly from: string; readonly to: string }[];
  /** Faults that need the guard. */
  readonly faults: readonly FaultKind[];
  readonly foundBy: readonly RuleName[];
}

export const guards: readonly Guard[] = [
  {
    name: 'lease',
    protects: 'what a killed relay had claimed is free again when its lease ends',
    changes: [
      {
        file: 'relay/maintenance/sweep.ts',
        from: ' and lease_expires_at < now()\n      order by',
        to: ' and false order by',
      },
      {
        file: 'relay/deliver/event-leases.ts',
        from: 'or event_leases.lease_expires_at <= now()',
        to: '',
      },
      {
        file: 'relay/maintenance/sweep.ts',
        from: 'select event_id from event_leases where lease_expires_at < now()',
        to: 'select event_id from event_leases where false',
      },
    ],
    faults: ['kill'],
    foundBy: ['nothing is stuck', 'every event has its deliveries, and every receiver got each'],
  },
  {
    name: 'fence',
    protects: 'a stream passes no entry of the log before every earlier one is committed or given up',
    changes: [
      {
        file: 'drizzle/functions/read_stream_page.sql',
        from: 'SELECT horizon.complete_through, horizon.given_out,',
        to: 'SELECT horizon.given_out, horizon.given_out,',
      },
      {
        file: 'drizzle/functions/read_stream_page.sql',
        from: 'stream_log.id <= horizon.complete_through',
        to: 'stream_log.id <= horizon.given_out',
      },
    ],
    faults: ['kill', 'stop', 'slow'],
    foundBy: ['every reader of a stream sees every change once and in order'],
  },
  {
    name: 'hash',
    protects: 'a key of an account is unique: a repeated request gets the stored response',
    changes: [
      {
        file: 'src/http/mutations/request-fingerprint.ts',
        from: '    key,\n    fingerprint: ',
        to: '    key: crypto.randomUUID(),\n    fingerprint: ',
      },
    ],
    faults: ['kill'],
    foundBy: ['no idempotency key has two outcomes', 'nothing is paid twice'],
  },
];
