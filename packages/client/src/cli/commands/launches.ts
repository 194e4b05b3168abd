import type { Schemas } from '../../operations.ts';
import { decimalOf, SOL_DECIMALS } from '../amounts.ts';
import type { Command } from '../command.ts';
import { choice } from '../kit/option.ts';
import { operationCommand } from '../operation-command.ts';

const STATUSES = [
  'pending_launch_init',
  'bonding',
  'failed',
  'expired',
] as const satisfies readonly Schemas['Launch']['status'][];

/** `launch-configs` and `launches`: the terms to choose from, and what the account has launched. */
export const launchListCommands: readonly Command[] = [
  operationCommand(
    'launch-configs',
    'listLaunchConfigs',
    'List the configs that tokens can be launched under, with their terms and costs; needs no key',
    {
      examples: ['', '--json'],
      columns:
        'name startingMarketCapInSol graduationMarketCapInSol raiseInSol feePercent creatorPercent migration token costInSol',
      forPeople: configForPeople,
    },
  ),
  operationCommand('launches', 'listLaunches', 'List the launches of the account, newest first', {
    options: { status: choice('only those with this status', STATUSES) },
    examples: ['', '--status bonding --limit 5'],
    columns: 'createdAt symbol name status config mintAddress poolAddress',
  }),
];

/** The terms in one line; the reason in place of the migration for a config that cannot be used. */
function configForPeople({ name, terms, cost, unavailableReason }: Schemas['LaunchConfig']): object {
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
