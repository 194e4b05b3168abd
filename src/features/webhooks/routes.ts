import type { Operation, Route } from '../../http/operation.ts';
import {
  addedDeliveryOperations,
  addedDeliveryRoutes,
  type DeliveryRouteDependencies,
  deliveryOperations,
  deliveryRoutes,
} from './deliveries/routes.ts';
import {
  addedEndpointOperations,
  addedEndpointRoutes,
  type EndpointRouteDependencies,
  endpointOperations,
  endpointRoutes,
} from './endpoints/routes.ts';
import { eventOperations, eventRoutes } from './events/routes.ts';

export interface WebhookRouteDependencies extends EndpointRouteDependencies, DeliveryRouteDependencies {}

export const webhookOperations: readonly Operation[] = [...endpointOperations, ...deliveryOperations];

export function webhookRoutes(dependencies: WebhookRouteDependencies): Route[] {
  return [...endpointRoutes(dependencies), ...deliveryRoutes(dependencies)];
}

/** What came after the first 36 (contract/endpoints#added). */
export const addedWebhookOperations: readonly Operation[] = [
  ...addedDeliveryOperations,
  ...addedEndpointOperations,
  ...eventOperations,
];

export function addedWebhookRoutes(dependencies: WebhookRouteDependencies): Route[] {
  return [
    ...addedDeliveryRoutes(dependencies),
    ...addedEndpointRoutes(dependencies),
    ...eventRoutes(dependencies),
  ];
}
