import type { Database } from '../../../db/client.ts';
import { privateRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { findFeeAccount } from '../fee-account-rows.ts';
import { PlatformFeeAccountSchema } from './schema.ts';

const getPlatformFeeAccount = {
  id: 'getPlatformFeeAccount',
  method: 'GET',
  path: '/platform-fee-account',
  refusesUnknownQuery: true,
  tag: 'Trading',
  summary: 'The account of your platform fees',
  description:
    'An operator registers the address for your account, and no request can name another one. Read it before you offer swaps with `platformFeeBps`: without an address they are refused with `platform_fee_account_missing`.',
  auth: 'any-key',
  ratePolicy: 'api-key-read',
  successStatus: 200,
  response: PlatformFeeAccountSchema,
  problems: [],
} satisfies RouteDefinition;

export const platformFeeAccountDefinitions: readonly RouteDefinition[] = [getPlatformFeeAccount];

export interface PlatformFeeAccountDependencies {
  database: Database;
}

export function platformFeeAccountRoutes({ database }: PlatformFeeAccountDependencies): Route[] {
  return [
    privateRead(getPlatformFeeAccount, async (_input, { accountId }) => {
      const registered = await findFeeAccount(database, accountId);
      return {
        body: {
          address: registered?.address ?? null,
          updatedAt: registered?.updatedAt.toISOString() ?? null,
          maxPlatformFeeBps: unpublishedLimits.platformFeeBps,
        },
      };
    }),
  ];
}
