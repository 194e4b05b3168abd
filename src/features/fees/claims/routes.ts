import type { Static } from '@sinclair/typebox';
import { type Caller, mutation, type Route, type RouteDefinition } from '../../../http/route.ts';
import { requestedSending } from '../../../intents/sending.ts';
import { Problem } from '../../../shared/problem.ts';
import { type ClaimDependencies, type ClaimRequest, prepareClaims } from './prepare-claims.ts';
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
    "Reads what the programs would pay the key's pinned wallet now (trading fees of the curve, surplus, migration fee, leftover, fees of positions), packs it into as few transactions as the wire takes, simulates each, and stores each as a transaction intent. Sign and submit every `intents[].intent` as any other: its `version` is what `If-Match` needs. They may land in any order. A claim that the chain would refuse is in `leftOut`; a request makes at most 10 intents, and what is beyond them is in `remaining`. A wallet of very many tokens goes on with `afterMint`.",
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

function requestOf(body: Static<typeof NewFeeClaimsBody>, { principal }: Caller<'wallet'>): ClaimRequest {
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
