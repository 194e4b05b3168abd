import type { Schemas } from '../../operations.ts';
import { decimalOf, SOL_DECIMALS } from '../amounts.ts';
import { type Command, numberOf } from '../command.ts';
import { take } from '../take.ts';

const STATUSES = [
  'pending_launch_init',
  'bonding',
  'failed',
  'expired',
] as const satisfies readonly Schemas['Launch']['status'][];

/** `launch-configs` and `launches`: the terms to choose from, and what the account has launched. */
export const launchListCommands: readonly Command[] = [
  {
    name: 'launch-configs',
    summary: 'List the configs that tokens can be launched under, with their terms and costs; needs no key',
    arguments: [],
    options: {},
    examples: ['launchwire launch-configs', 'launchwire launch-configs --json'],
    async run({ client, output, signal }) {
      const { data } = await client().listLaunchConfigs({}, { signal });
      output.table(
        data,
        [
          ...['name', 'startingMarketCapInSol', 'graduationMarketCapInSol', 'raiseInSol', 'feePercent'],
          ...['creatorPercent', 'migration', 'token', 'costInSol'],
        ],
        shownConfig,
      );
    },
  },
  {
    name: 'launches',
    summary: 'List the launches of the account, newest first',
    arguments: [],
    options: {
      status: { kind: 'text', choices: STATUSES, help: 'only those with this status' },
      limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '20' },
    },
    examples: ['launchwire launches', 'launchwire launches --status bonding --limit 5'],
    async run(invocation) {
      const { client, output, options, signal } = invocation;
      const { status } = options as { status?: Schemas['Launch']['status'] };
      const launches = client().listLaunches.all(status === undefined ? {} : { status }, { signal });
      output.table(await take(launches, numberOf(invocation, 'limit', 1, 1_000) ?? 20), [
        ...['createdAt', 'symbol', 'name', 'status', 'config', 'mintAddress', 'poolAddress'],
      ]);
    },
  },
];

/** The terms in one line; the reason in place of the migration for a config that cannot be used. */
function shownConfig({ name, terms, cost, unavailableReason }: Schemas['LaunchConfig']): object {
  if (terms === null) return { name, migration: unavailableReason ?? 'terms are not known' };
  const { startPercent, endPercent, shares } = terms.tradingFee;
  return {
    name,
    startingMarketCapInSol: terms.startingMarketCapInSol,
    graduationMarketCapInSol: terms.graduationMarketCapInSol,
    raiseInSol: terms.raiseInSol,
    feePercent: startPercent === endPercent ? startPercent : `${startPercent} to ${endPercent}`,
    creatorPercent: shares.creatorPercent,
    migration: `${terms.migration.venue} at ${terms.migration.feePercent} %`,
    token: terms.token.standard,
    costInSol: cost === null ? null : decimalOf(cost.totalLamports, SOL_DECIMALS),
  };
}
