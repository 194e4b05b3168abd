import type { ProblemCode } from '../../shared/problem-table.ts';
import { accessExplanations } from './access.ts';
import type { AreaExplanations, ProblemExplanation } from './explanation.ts';
import { imageExplanations } from './images.ts';
import { intentExplanations } from './intents.ts';
import { internalExplanations } from './internal.ts';
import { launchExplanations } from './launches.ts';
import { marketExplanations } from './market.ts';
import { orderExplanations } from './orders.ts';
import { predictionExplanations } from './predictions.ts';
import { requestExplanations } from './requests.ts';
import { tradingExplanations } from './trading.ts';
import { webhookExplanations } from './webhooks.ts';

/** Areas in the order of the page. */
export const problemAreas = [
  { id: 'access', title: 'Access and limits', explanations: accessExplanations },
  { id: 'requests', title: 'Requests', explanations: requestExplanations },
  { id: 'market', title: 'Tokens, market data, staking, presales', explanations: marketExplanations },
  { id: 'trading', title: 'Trading', explanations: tradingExplanations },
  { id: 'predictions', title: 'Predictions', explanations: predictionExplanations },
  { id: 'intents', title: 'Operations and transaction intents', explanations: intentExplanations },
  { id: 'launches', title: 'Launches', explanations: launchExplanations },
  { id: 'images', title: 'Images', explanations: imageExplanations },
  { id: 'orders', title: 'Orders', explanations: orderExplanations },
  { id: 'webhooks', title: 'Webhooks', explanations: webhookExplanations },
  { id: 'internal', title: 'Internal API', explanations: internalExplanations },
] as const satisfies readonly { id: string; title: string; explanations: AreaExplanations }[];

/** A code of the table without an explanation does not compile. */
export const problemExplanations: Readonly<Record<ProblemCode, ProblemExplanation>> = {
  ...accessExplanations,
  ...requestExplanations,
  ...marketExplanations,
  ...tradingExplanations,
  ...predictionExplanations,
  ...intentExplanations,
  ...launchExplanations,
  ...imageExplanations,
  ...orderExplanations,
  ...webhookExplanations,
  ...internalExplanations,
};
