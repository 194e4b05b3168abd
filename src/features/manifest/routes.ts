import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import type { ChainHeadSource } from '../../chain/head.ts';
import { launchTypes } from '../../db/values/tokens.ts';
import { publicRead, type Route, type RouteDefinition } from '../../http/route.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';
import { commitments, programs, tokenPrograms } from './facts.ts';
import { createNetworkFacts, type NetworkFactsDependencies } from './network-facts.ts';
import { ManifestSchema } from './schema.ts';

const getSolanaManifest = {
  id: 'getSolanaManifest',
  method: 'GET',
  path: '/solana/manifest',
  tag: 'System',
  summary: 'Chain and limits of this deployment',
  description:
    'Check `cluster` and `genesisHash` before you sign anything: a transaction for another chain never lands. `network` is what the chain is like now, and changes. `limits` are the numbers of this contract.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 60,
  response: ManifestSchema,
  problems: ['manifest_unavailable'],
  unavailable: 'manifest_unavailable',
} satisfies RouteDefinition;

export const manifestDefinitions: readonly RouteDefinition[] = [getSolanaManifest];

export interface ManifestRouteDependencies extends NetworkFactsDependencies {
  chainHead: ChainHeadSource;
}

export function manifestRoutes(dependencies: ManifestRouteDependencies): Route[] {
  const { chainHead, clock } = dependencies;
  const networkFacts = createNetworkFacts(dependencies);
  // The other facts never change while a process runs, so `asOf` stays, and the ETag remains valid for a minute.
  let asOf: string | undefined;
  return [
    publicRead(getSolanaManifest, async () => {
      const identity = chainHead.identity();
      if (identity === null) throw new Problem('manifest_unavailable');
      asOf ??= clock.now().toISOString();
      return {
        body: {
          ...identity,
          nativeMint: WRAPPED_SOL_MINT,
          tokenPrograms,
          programs,
          launchTypes: [...launchTypes],
          commitments,
          network: await networkFacts(),
          limits: publishedLimits,
          asOf,
        },
      };
    }),
  ];
}
