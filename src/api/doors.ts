import { feeApi } from '../features/fees/api.ts';
import { identityApi } from '../features/identity/api.ts';
import { imageApi } from '../features/images/api.ts';
import { launchApi } from '../features/launches/api.ts';
import { manifestApi } from '../features/manifest/api.ts';
import { marketApi } from '../features/market/api.ts';
import { operationApi } from '../features/operations/api.ts';
import { orderApi } from '../features/orders/api.ts';
import { predictionApi } from '../features/predictions/api.ts';
import { presaleApi } from '../features/presales/api.ts';
import { stakingApi } from '../features/staking/api.ts';
import { streamApi } from '../features/streams/api.ts';
import { tokenApi } from '../features/tokens/api.ts';
import { tradingApi } from '../features/trading/api.ts';
import { transactionIntentApi } from '../features/transaction-intents/api.ts';
import { webhookApi } from '../features/webhooks/api.ts';
import { intentApi } from '../intents/api.ts';

/** Every room that gives something to the api, in the order of contract/endpoints#operations. */
export const doors = [
  manifestApi,
  identityApi,
  tokenApi,
  marketApi,
  stakingApi,
  feeApi,
  presaleApi,
  predictionApi,
  operationApi,
  intentApi,
  transactionIntentApi,
  webhookApi,
  tradingApi,
  launchApi,
  streamApi,
  imageApi,
  orderApi,
] as const;
