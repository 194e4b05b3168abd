import type { Route } from '../../http/operation.ts';
import { type DeliveryRouteDependencies, deliveryRoutes } from './delivery-routes.ts';
import { type EndpointRouteDependencies, endpointRoutes } from './endpoint-routes.ts';

export interface WebhookRouteDependencies extends EndpointRouteDependencies, DeliveryRouteDependencies {}

export function webhookRoutes(dependencies: WebhookRouteDependencies): Route[] {
  return [...endpointRoutes(dependencies), ...deliveryRoutes(dependencies)];
}
