import type { Route, RouteDefinition } from '../../http/route.ts';
import {
  addedDeliveryDefinitions,
  addedDeliveryRoutes,
  type DeliveryRouteDependencies,
  deliveryDefinitions,
  deliveryRoutes,
} from './deliveries/routes.ts';
import {
  addedEndpointDefinitions,
  addedEndpointRoutes,
  type EndpointRouteDependencies,
  endpointDefinitions,
  endpointRoutes,
} from './endpoints/routes.ts';
import { eventDefinitions, eventRoutes } from './events/routes.ts';

export interface WebhookRouteDependencies extends EndpointRouteDependencies, DeliveryRouteDependencies {}

export const webhookDefinitions: readonly RouteDefinition[] = [
  ...endpointDefinitions,
  ...deliveryDefinitions,
];

export function webhookRoutes(dependencies: WebhookRouteDependencies): Route[] {
  return [...endpointRoutes(dependencies), ...deliveryRoutes(dependencies)];
}

/** Operations added after the first 36 (contract/endpoints#added). */
export const addedWebhookDefinitions: readonly RouteDefinition[] = [
  ...addedDeliveryDefinitions,
  ...addedEndpointDefinitions,
  ...eventDefinitions,
];

export function addedWebhookRoutes(dependencies: WebhookRouteDependencies): Route[] {
  return [
    ...addedDeliveryRoutes(dependencies),
    ...addedEndpointRoutes(dependencies),
    ...eventRoutes(dependencies),
  ];
}
