import type { SerialisedCache } from '../../../http/caches/serialised-cache.ts';
import type { Cursors } from '../../../http/lists/cursor.ts';
import { requestedPage } from '../../../http/lists/pages.ts';
import { publicRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import type { Clock } from '../../../shared/clock.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { WalletPath } from '../../../shared/field-schemas.ts';
import { requestedMints } from '../../../shared/requested-mints.ts';
import type { MintPosition } from './list-claim-tokens.ts';
import { listClaimableFees } from './list-claimable-fees.ts';
import { type ClaimableFeesPage, ClaimableFeesPageSchema, ClaimsQuerySchema } from './schema.ts';
import type { WalletClaims } from './wallet-claims.ts';

export interface ClaimableRouteDependencies {
  clock: Clock;
  cursors: Cursors;
  walletClaims: WalletClaims;
  /** Chain reads during requests, shared by concurrent requests and kept for at most 2 seconds. */
  claimableFees: SerialisedCache<ClaimableFeesPage>;
}

const listClaimableFeesDefinition = {
  id: 'listClaimableFees',
  method: 'GET',
  path: '/wallets/:address/claimable-fees',
  tag: 'Fees',
  summary: 'Fees that a wallet can claim',
  description:
    'Trading fees, surplus, migration fee and leftover of bonding curves, and fees of DAMM v2 positions that the wallet owns now, of all tokens of this service. Amounts are read from the chain, exact to the base unit, and are at most 2 seconds old; each has the slot at which it was read. Parts that could not be read are listed in `unread`. A page may hold fewer tokens than `limit` while `hasMore` is true.',
  auth: 'anonymous',
  ratePolicy: 'public-read-expensive',
  successStatus: 200,
  maxAgeSeconds: 1,
  refusesUnknownQuery: true,
  params: WalletPath,
  query: ClaimsQuerySchema,
  response: ClaimableFeesPageSchema,
  problems: ['cursor_invalid', 'chain_unavailable', 'market_data_unavailable'],
  unavailable: 'market_data_unavailable',
} satisfies RouteDefinition;

export const claimableDefinitions: readonly RouteDefinition[] = [listClaimableFeesDefinition];

export function claimableRoutes({
  clock,
  cursors,
  walletClaims,
  claimableFees,
}: ClaimableRouteDependencies): Route[] {
  return [
    publicRead(listClaimableFeesDefinition, (reader) => {
      const {
        params: { address },
        query,
      } = reader;
      const mints =
        query.mints === undefined ? undefined : requestedMints(query.mints, unpublishedLimits.listedMints);
      const binding = [listClaimableFeesDefinition.id, address, mints ?? null];
      const page = requestedPage<MintPosition>(cursors, query, binding, 1);
      const { after, limit } = page;
      return claimableFees.require(
        reader,
        JSON.stringify([address, mints, limit, after]),
        async () => {
          const asOf = clock.now().toISOString();
          const listed = await listClaimableFees(walletClaims, address, { mints, after, limit });
          return { asOf, positionsComplete: listed.arePositionsComplete, ...page.toBody(listed) };
        },
        'market_data_unavailable',
      );
    }),
  ];
}
