import { versionTag } from '../../../http/mutations/mutation-headers.ts';
import { mutation, type Route, type RouteDefinition } from '../../../http/route.ts';
import { requestedSending } from '../../../intents/sending.ts';
import { API_PREFIX } from '../../../shared/api-prefix.ts';
import { MintPath } from '../../../shared/field-schemas.ts';
import { Problem } from '../../../shared/problem.ts';
import { prepareTransfer, type TransferDependencies } from './prepare-transfer.ts';
import { CreatorTransferBody, CreatorTransferSchema } from './schema.ts';

const createCreatorTransfer = {
  id: 'createCreatorTransfer',
  method: 'POST',
  path: '/tokens/:mint/creator-transfers',
  refusesUnknownQuery: true,
  tag: 'Launches',
  summary: 'Prepare a change of creator',
  description:
    "Builds the transaction with which the key's wallet transfers the rights of the creator to `newCreatorWallet`, including all fees that it has not claimed from the curve. The key's wallet must be the current creator of the pool. The new wallet does not sign, and only it can transfer the rights back. The next request is the submission: sign `intent.serializedTransaction`, and send the `ETag` back in `If-Match`. Once it has landed, `creatorWallet` of the token and the claimable fees follow within seconds. Positions in the AMM pool are not part of it.",
  auth: ['transactions:write'],
  ratePolicy: 'swap-prepare',
  dependsOnKey: 'wallet',
  successStatus: 201,
  params: MintPath,
  body: CreatorTransferBody,
  exampleBody: { newCreatorWallet: 'G4etfwECx7Z9bNojEHhy1fnnstF6V5LTxFV211MoCzzS' },
  response: CreatorTransferSchema,
  responseHeaders: ['ETag', 'Location'],
  problems: ['token_not_found', 'creator_transfer_refused', 'send_route_unavailable', 'chain_unavailable'],
} satisfies RouteDefinition;

export const creatorTransferDefinitions: readonly RouteDefinition[] = [createCreatorTransfer];

export interface CreatorTransferDependencies extends TransferDependencies {
  /** Origin that clients see. */
  publicUrl: string;
}

export function creatorTransferRoutes(dependencies: CreatorTransferDependencies): Route[] {
  const { intentKeeper, publicUrl } = dependencies;
  return [
    mutation(createCreatorTransfer, {
      prepare: ({ params, body }, { principal }) =>
        prepareTransfer(
          {
            accountId: principal.accountId,
            creatorWallet: principal.walletAddress,
            newCreatorWallet: body.newCreatorWallet,
            mintAddress: params.mint,
            sending: requestedSending(body),
          },
          dependencies,
        ),
      async handle(_input, _caller, transaction, prepared) {
        if (prepared instanceof Problem) throw prepared;
        const { intent, claimableLamports, claimableTokenRaw, slot, ...transfer } = prepared;
        await intentKeeper.store(transaction, intent);
        const Location = `${API_PREFIX}/transaction-intents/${intent.id}`;
        return {
          body: {
            ...transfer,
            claimableLamports: claimableLamports?.toString() ?? null,
            claimableTokenRaw: claimableTokenRaw.toString(),
            slot: slot.toString(),
            intentId: intent.id,
            intentUrl: `${publicUrl}${Location}`,
            intent: intent.shown,
          },
          headers: { ETag: versionTag(intent.version), Location },
        };
      },
    }),
  ];
}
