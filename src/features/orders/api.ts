import type { FeatureSource } from '../../chain/feature-gates.ts';
import type { Database } from '../../db/client.ts';
import type { ApiDoor } from '../../http/api-door.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { NonceGateAddress } from '../../shared/nonce-gates.ts';
import { findLiveOrders, findStreamedOrders } from './find-streamed-orders.ts';
import { createNonceGates, observeNonceGates } from './nonce-gates.ts';
import { toOrder } from './record.ts';
import { orderDefinitions, orderRoutes } from './routes.ts';
import { orderSlotDefinitions, orderSlotRoutes } from './slots/routes.ts';

export interface OrderGround {
  config: { nonceGates: readonly NonceGateAddress[] };
  features: FeatureSource;
  processMetrics: ProcessMetrics;
}

export const orderApi = {
  added: [
    { definitions: orderSlotDefinitions, routes: orderSlotRoutes },
    { definitions: orderDefinitions, routes: orderRoutes },
  ],
  open({ config, features, processMetrics }: OrderGround) {
    const nonceGates = createNonceGates(config.nonceGates, features);
    observeNonceGates(processMetrics, nonceGates);
    return { nonceGates };
  },
  records: ({ database }: { database: Database }) => ({
    async orders(ids: readonly string[]) {
      const rows = await findStreamedOrders(database, ids);
      return new Map(rows.map((row) => [row.id, toOrder(row)]));
    },
    openOrders: async (accountId: string, limit: number) =>
      (await findLiveOrders(database, accountId, limit)).map(toOrder),
  }),
} satisfies ApiDoor;
