import type { Operation, Route } from '../../http/operation.ts';
import { type DeliveryRouteDependencies, deliveryOperations, deliveryRoutes } from './deliveries/routes.ts';
import { type EndpointRouteDependencies, endpointOperations, endpointRoutes } from './endpoints/routes.ts';

export interface WebhookRouteDependencies extends EndpointRouteDependencies, DeliveryRouteDependencies {}

export const webhookOperations: readonly Operation[] = [...endpointOperations, ...deliveryOperations];

export function webhookRoutes(dependencies: WebhookRouteDependencies): Route[] {
  return [...endpointRoutes(dependencies), ...deliveryRoutes(dependencies)];
}
