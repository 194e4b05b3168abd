import type { EventName } from '../../shared/events/catalogue.ts';
import type { DocumentedEvent } from './documented-event.ts';
import { feeEvents } from './fees.ts';
import { intentEvents } from './intents.ts';
import { operationEvents } from './operations.ts';
import { orderEvents } from './orders.ts';
import { predictionEvents } from './predictions.ts';
import { presaleEvents } from './presales.ts';
import { tokenEvents } from './tokens.ts';
import { webhookEvents } from './webhooks.ts';

/** Every event of the catalogue (contract/events#catalogue). */
export const documentedEvents: Readonly<Record<EventName, DocumentedEvent>> = {
  ...tokenEvents,
  ...presaleEvents,
  ...predictionEvents,
  ...feeEvents,
  ...operationEvents,
  ...intentEvents,
  ...orderEvents,
  ...webhookEvents,
};
