import type { SendTarget } from '../../chain/rpc/send-target.ts';
import type { SendRoute } from '../../db/values/transaction-intents.ts';

/** The addresses of each route (contract/intents#routes). */
export type RouteTargets = Readonly<Record<SendRoute, readonly SendTarget[]>>;

/** Without a marked address nothing that is protected is sent, rather than sent elsewhere. */
export function routeTargets(all: readonly SendTarget[]): RouteTargets {
  return { fast: all, protected: all.filter(({ isProtected }) => isProtected) };
}
