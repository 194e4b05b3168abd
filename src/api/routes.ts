import { feeOperations, feeRoutes } from '../features/fees/routes.ts';
import { identityOperations, identityRoutes } from '../features/identity/routes.ts';
import { launchOperations, launchRoutes } from '../features/launches/routes.ts';
import { manifestOperations, manifestRoutes } from '../features/manifest/routes.ts';
import { marketOperations, marketRoutes } from '../features/market/routes.ts';
import { audienceOperations, audienceRoutes } from '../features/operations/audience/routes.ts';
import { recoveryOperations, recoveryRoutes } from '../features/operations/recovery/routes.ts';
import {
  addedOperationOperations,
  addedOperationRoutes,
  operationOperations,
  operationRoutes,
} from '../features/operations/routes.ts';
import { predictionOperations, predictionRoutes } from '../features/predictions/routes.ts';
import { presaleOperations, presaleRoutes } from '../features/presales/routes.ts';
import { stakingOperations, stakingRoutes } from '../features/staking/routes.ts';
import { streamOperations, streamRoutes } from '../features/streams/routes.ts';
import { tokenOperations, tokenRoutes } from '../features/tokens/routes.ts';
import { tradingOperations, tradingRoutes } from '../features/trading/routes.ts';
import {
  addedIntentOperations,
  addedIntentRoutes,
  transactionIntentOperations,
  transactionIntentRoutes,
} from '../features/transaction-intents/routes.ts';
import {
  addedWebhookOperations,
  addedWebhookRoutes,
  webhookOperations,
  webhookRoutes,
} from '../features/webhooks/routes.ts';
import type { Operation, Route } from '../http/operation.ts';
import type { ApiDependencies } from './dependencies.ts';

interface Feature {
  /** What its routes do, as data. */
  operations: readonly Operation[];
  /** The same operations with their handlers. */
  routes(dependencies: ApiDependencies): readonly Route[];
}

/** In the order of contract/endpoints#operations, then of contract/endpoints#added. */
const features: readonly Feature[] = [
  { operations: manifestOperations, routes: manifestRoutes },
  { operations: identityOperations, routes: identityRoutes },
  { operations: tokenOperations, routes: tokenRoutes },
  { operations: marketOperations, routes: marketRoutes },
  { operations: stakingOperations, routes: stakingRoutes },
  { operations: feeOperations, routes: feeRoutes },
  { operations: presaleOperations, routes: presaleRoutes },
  { operations: predictionOperations, routes: predictionRoutes },
  { operations: operationOperations, routes: operationRoutes },
  { operations: transactionIntentOperations, routes: transactionIntentRoutes },
  { operations: webhookOperations, routes: webhookRoutes },
  { operations: tradingOperations, routes: tradingRoutes },
  { operations: launchOperations, routes: launchRoutes },
  { operations: addedIntentOperations, routes: addedIntentRoutes },
  { operations: addedOperationOperations, routes: addedOperationRoutes },
  { operations: audienceOperations, routes: audienceRoutes },
  { operations: addedWebhookOperations, routes: addedWebhookRoutes },
  { operations: streamOperations, routes: streamRoutes },
  { operations: recoveryOperations, routes: recoveryRoutes },
];

/** Every operation of the contract: what documentation and tests read. */
export const contractOperations: readonly Operation[] = features.flatMap(({ operations }) => operations);

/** Every operation of the contract with its handler: what the api serves. */
export function contractRoutes(dependencies: ApiDependencies): readonly Route[] {
  return features.flatMap(({ routes }) => routes(dependencies));
}
