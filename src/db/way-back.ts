import { entries } from '../../drizzle/meta/_journal.json';
import { Refusal } from '../shared/refusal.ts';

/** What a release without a migration cannot do on a schema that has it. */
export interface Crossing {
  migration: string;
  process: 'api' | 'worker' | 'relay';
  cannot: string;
  /** What clients see end; such a process must not be started again. Absent where nothing ends. */
  stops?: string;
}

/** Every migration that an earlier release notices, oldest first (operations/upgrades-and-restore#the-way-back). */
const crossings: readonly Crossing[] = [
  {
    migration: '0039_one_commit_order',
    process: 'api',
    cannot: 'list events that were recorded since the migration',
    stops: 'listEvents ends with the migration, and no cursor says so; deliveries and streams go on',
  },
  {
    migration: '0040_send_routes',
    process: 'worker',
    cannot: 'send protected transactions again, and read names in SOLANA_SEND_URL and SOLANA_RPC_URL',
  },
  {
    migration: '0041_intent_landings',
    process: 'worker',
    cannot: 'follow landings: what it ends has no `landed`, and is never `finalized` or `reverted`',
  },
  { migration: '0042_intent_sends', process: 'worker', cannot: 'record sends for landing reports' },
  { migration: '0043_platform_fee_accounts', process: 'api', cannot: 'prepare swaps with a platform fee' },
  {
    migration: '0045_cursors_survive_promotion',
    process: 'api',
    cannot: 'continue cursors over a promotion: they are refused, or their streams begin with a gap',
  },
  {
    migration: '0048_database_histories',
    process: 'worker',
    cannot: 'look for lost submissions after a promotion or a restore: run `admin reconcile` then',
  },
];

/** Everything that lies between a release and the newest schema. @param to its newest migration */
export function crossingsFrom(to: string): Crossing[] {
  const whenOf = (tag: string) => entries.find((entry) => entry.tag === tag)?.when;
  const from = whenOf(to);
  if (from === undefined) throw new Refusal('unknown', `there is no migration ${to}`);
  return crossings.filter(({ migration }) => (whenOf(migration) ?? 0) > from);
}
