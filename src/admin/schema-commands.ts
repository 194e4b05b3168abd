import type { Queryable } from '../db/client.ts';
import { readSchemaVersion, schemaName } from '../db/schema-version.ts';
import { type Crossing, crossingsFrom } from '../db/way-back.ts';
import { type Command, need } from './command.ts';
import { required, text } from './option.ts';

const COUNTED_MAX = 10_000;

const schemaBack: Command = {
  group: 'schema',
  verb: 'back',
  summary:
    'Says what an earlier release cannot do on this schema, before its processes are started again; refuses what would stop clients',
  options: {
    to: text('the newest migration of that release, the last file of its drizzle/', {
      ...required,
      format: 'migration',
    }),
  },
  example: '--to 0043_platform_fee_accounts',
  async run({ database }, options) {
    const to = need(options, 'to');
    const schema = schemaName(await readSchemaVersion(database));
    const crossings = crossingsFrom(to);
    const isRefused = crossings.some(({ stops }) => stops !== undefined);
    return {
      schema,
      to,
      result: isRefused ? 'keep the processes that are named with `stops`' : 'may be started',
      crossings: await Promise.all(crossings.map((crossing) => describe(crossing, database))),
    };
  },
  isFailure: ({ result }) => result !== 'may be started',
};

async function describe({ migration, process, cannot, stops }: Crossing, database: Queryable) {
  if (stops === undefined) return { migration, process, cannot };
  return { migration, process, cannot, stops, events: await countPlacedEvents(database) };
}

/** Events that a release before migration 0039 does not list, up to `COUNTED_MAX`. */
async function countPlacedEvents(database: Queryable): Promise<number> {
  const [row] = await database<{ count: number }[]>`
    select count(*)::int as count from (
      select from events where recorded_in >= (select first_place::text::xid8 from event_order) limit ${COUNTED_MAX}) as placed`;
  return row?.count ?? 0;
}

export const schemaCommands = [schemaBack];
