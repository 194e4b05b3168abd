import type { KindDependencies } from './kind-dependencies.ts';
import type { FeeDistributionDependencies } from './kinds/fee-distribution.ts';
import type { PresaleMovementDependencies } from './kinds/presale-movement.ts';
import type { TokenDependencies } from './kinds/token.ts';

export interface IngestDependencies
  extends KindDependencies,
    TokenDependencies,
    FeeDistributionDependencies,
    PresaleMovementDependencies {}
