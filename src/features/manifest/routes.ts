import type { ChainHeadSource } from '../../chain/head.ts';
import { launchTypes } from '../../db/schema/tokens.ts';
import { publicRead, type Route, type RouteDefinition } from '../../http/route.ts';
import type { Clock } from '../../shared/clock.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';
import { commitments, nativeMint, programs, tokenPrograms } from './facts.ts';
import { ManifestSchema } from './schema.ts';

const getSolanaManifest = {
  id: 'getSolanaManifest',
  method: 'GET',
  path: '/solana/manifest',
  tag: 'System',
  summary: 'The chain, programs, commitments and limits of this deployment',
  description:
    'Check `cluster` and `genesisHash` before you sign anything: a transaction for another chain never lands. `limits` are the numbers of this contract.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 60,
  response: ManifestSchema,
  problems: ['manifest_unavailable'],
  unavailable: 'manifest_unavailable',
} satisfies RouteDefinition;

export const manifestDefinitions: readonly RouteDefinition[] = [getSolanaManifest];

export interface ManifestRouteDependencies {
  chainHead: ChainHeadSource;
  clock: Clock;
}

export function manifestRoutes({ chainHead, clock }: ManifestRouteDependencies): Route[] {
  // The facts never change while a process runs, so `asOf` stays and the ETag remains valid.
  let asOf: string | undefined;
  return [
    publicRead(getSolanaManifest, () => {
      const identity = chainHead.identity();
      if (identity === null) throw new Problem('manifest_unavailable');
      asOf ??= clock.now().toISOString();
      return {
        body: {
          ...identity,
          nativeMint,
          tokenPrograms,
          programs,
          launchTypes: [...launchTypes],
          commitments,
          limits: publishedLimits,
          asOf,
        },
      };
    }),
  ];
}
