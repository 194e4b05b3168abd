import type { Route } from '../../http/operation.ts';
import { type DeliveryRouteDependencies, deliveryRoutes } from './deliveries/routes.ts';
import { type EndpointRouteDependencies, endpointRoutes } from './endpoints/routes.ts';

export interface WebhookRouteDependencies extends EndpointRouteDependencies, DeliveryRouteDependencies {}

export function webhookRoutes(dependencies: WebhookRouteDependencies): Route[] {
  return [...endpointRoutes(dependencies), ...deliveryRoutes(dependencies)];
}
