import type { Static } from '@sinclair/typebox';
import { type Caller, mutation, type Route, type RouteDefinition } from '../../../http/route.ts';
import { requestedSending } from '../../../intents/sending.ts';
import { Problem } from '../../../shared/problem.ts';
import type { ClaimOrder } from './plan-claims.ts';
import { type ClaimDependencies, prepareClaims } from './prepare-claims.ts';
import { FeeClaimsSchema, NewFeeClaimsBody } from './schema.ts';
import { storeClaimIntents } from './store-claim-intents.ts';

const createFeeClaims = {
  id: 'createFeeClaims',
  method: 'POST',
  path: '/fee-claims',
  refusesUnknownQuery: true,
  tag: 'Fees',
  summary: 'Prepare claims of your fees',
  description:
    "Reads what the programs would pay the key's pinned wallet now (trading fees of the curve, surplus, migration fee, leftover, fees of positions), packs the claims into as few transactions as possible, simulates each, and stores each as a transaction intent. Sign and submit every `intents[].intent` like any other intent, with its `version` in `If-Match`. They may land in any order. Claims that the chain would refuse are listed in `leftOut`. A request prepares at most 10 intents; claims beyond them are listed in `remaining`. A wallet with very many tokens continues with `afterMint`.",
  auth: ['transactions:write'],
  ratePolicy: 'swap-prepare',
  dependsOnKey: 'wallet',
  successStatus: 201,
  body: NewFeeClaimsBody,
  bodyOptional: true,
  exampleBody: { kinds: ['creator_trading_fee', 'position_fee'], minimumLamports: '10000' },
  response: FeeClaimsSchema,
  problems: ['fee_claims_empty', 'fee_claims_refused', 'send_route_unavailable', 'chain_unavailable'],
} satisfies RouteDefinition;

export const feeClaimDefinitions: readonly RouteDefinition[] = [createFeeClaims];

export function feeClaimRoutes(dependencies: ClaimDependencies): Route[] {
  return [
    mutation(createFeeClaims, {
      prepare: ({ body }, caller) => prepareClaims(dependencies, requestOf(body, caller)),
      async handle(_input, { principal }, transaction, prepared) {
        if (prepared instanceof Problem) throw prepared;
        await storeClaimIntents(transaction, prepared, principal.accountId, dependencies.intentKeeper);
        return { body: prepared.shown };
      },
    }),
  ];
}

function requestOf(body: Static<typeof NewFeeClaimsBody>, { principal }: Caller<'wallet'>): ClaimOrder {
  const { mints = null, afterMint = null, kinds = null, minimumLamports = '0', ...sending } = body;
  return {
    accountId: principal.accountId,
    wallet: principal.walletAddress,
    mints,
    afterMint,
    kinds,
    minimumLamports: BigInt(minimumLamports),
    sending: requestedSending(sending),
  };
}
