import { claimableDefinitions, claimableRoutes } from '../features/fees/claimable/routes.ts';
import { feeClaimDefinitions, feeClaimRoutes } from '../features/fees/claims/routes.ts';
import { feeDefinitions, feeRoutes } from '../features/fees/routes.ts';
import {
  identityDefinitions,
  identityRoutes,
  keyDefinitions,
  keyRoutes,
} from '../features/identity/routes.ts';
import { imageDefinitions, imageRoutes } from '../features/images/routes.ts';
import { launchDefinitions, launchRoutes } from '../features/launches/routes.ts';
import { manifestDefinitions, manifestRoutes } from '../features/manifest/routes.ts';
import { overviewDefinitions, overviewRoutes } from '../features/market/overview/routes.ts';
import { marketDefinitions, marketRoutes } from '../features/market/routes.ts';
import { statsDefinitions, statsRoutes } from '../features/market/stats/routes.ts';
import { audienceDefinitions, audienceRoutes } from '../features/operations/audience/routes.ts';
import { recoveryDefinitions, recoveryRoutes } from '../features/operations/recovery/routes.ts';
import {
  addedOperationDefinitions,
  addedOperationRoutes,
  operationDefinitions,
  operationRoutes,
} from '../features/operations/routes.ts';
import { orderDefinitions, orderRoutes } from '../features/orders/routes.ts';
import { orderSlotDefinitions, orderSlotRoutes } from '../features/orders/slots/routes.ts';
import { predictionDefinitions, predictionRoutes } from '../features/predictions/routes.ts';
import {
  addedPredictionDefinitions,
  addedPredictionRoutes,
} from '../features/predictions/submissions/routes.ts';
import { presaleDefinitions, presaleRoutes } from '../features/presales/routes.ts';
import { stakingDefinitions, stakingRoutes } from '../features/staking/routes.ts';
import { streamDefinitions, streamRoutes } from '../features/streams/routes.ts';
import { tokenDefinitions, tokenRoutes } from '../features/tokens/routes.ts';
import { tradingDefinitions, tradingRoutes } from '../features/trading/routes.ts';
import {
  landingReportDefinitions,
  landingReportRoutes,
} from '../features/transaction-intents/landing-report/routes.ts';
import {
  addedIntentDefinitions,
  addedIntentRoutes,
  transactionIntentDefinitions,
  transactionIntentRoutes,
} from '../features/transaction-intents/routes.ts';
import {
  addedWebhookDefinitions,
  addedWebhookRoutes,
  webhookDefinitions,
  webhookRoutes,
} from '../features/webhooks/routes.ts';
import type { Route, RouteDefinition } from '../http/route.ts';
import type { ApiDependencies } from './dependencies.ts';

interface Feature {
  /** The definitions of the feature's routes. */
  definitions: readonly RouteDefinition[];
  /** The same routes with their handlers. */
  routes(dependencies: ApiDependencies): readonly Route[];
}

/** In the order of contract/endpoints#operations, then of contract/endpoints#added. */
const features: readonly Feature[] = [
  { definitions: manifestDefinitions, routes: manifestRoutes },
  { definitions: identityDefinitions, routes: identityRoutes },
  { definitions: tokenDefinitions, routes: tokenRoutes },
  { definitions: marketDefinitions, routes: marketRoutes },
  { definitions: stakingDefinitions, routes: stakingRoutes },
  { definitions: feeDefinitions, routes: feeRoutes },
  { definitions: presaleDefinitions, routes: presaleRoutes },
  { definitions: predictionDefinitions, routes: predictionRoutes },
  { definitions: operationDefinitions, routes: operationRoutes },
  { definitions: transactionIntentDefinitions, routes: transactionIntentRoutes },
  { definitions: webhookDefinitions, routes: webhookRoutes },
  { definitions: tradingDefinitions, routes: tradingRoutes },
  { definitions: launchDefinitions, routes: launchRoutes },
  { definitions: feeClaimDefinitions, routes: feeClaimRoutes },
  { definitions: addedIntentDefinitions, routes: addedIntentRoutes },
  { definitions: landingReportDefinitions, routes: landingReportRoutes },
  { definitions: addedOperationDefinitions, routes: addedOperationRoutes },
  { definitions: audienceDefinitions, routes: audienceRoutes },
  { definitions: addedWebhookDefinitions, routes: addedWebhookRoutes },
  { definitions: streamDefinitions, routes: streamRoutes },
  { definitions: recoveryDefinitions, routes: recoveryRoutes },
  { definitions: statsDefinitions, routes: statsRoutes },
  { definitions: overviewDefinitions, routes: overviewRoutes },
  { definitions: addedPredictionDefinitions, routes: addedPredictionRoutes },
  { definitions: keyDefinitions, routes: keyRoutes },
  { definitions: imageDefinitions, routes: imageRoutes },
  { definitions: claimableDefinitions, routes: claimableRoutes },
  { definitions: orderSlotDefinitions, routes: orderSlotRoutes },
  { definitions: orderDefinitions, routes: orderRoutes },
];

/** Every operation of the contract, for documentation and tests. */
export const contractDefinitions: readonly RouteDefinition[] = features.flatMap(
  ({ definitions }) => definitions,
);

/** Every operation of the contract with its handler, for the api. */
export function contractRoutes(dependencies: ApiDependencies): readonly Route[] {
  return features.flatMap(({ routes }) => routes(dependencies));
}
