import { type Static, Type } from '@sinclair/typebox';
import { PageOf, paginationFields } from '../../../http/lists/pages.ts';
import { described, Named, SubjectField, TimestampField, UuidField } from '../../../shared/field-schemas.ts';

/** contract/events#record */
export const EventSchema = Named('RecordedEvent', {
  id: described('Id of the event: `webhook-id` of its deliveries.', UuidField),
  type: described('Type of the event.', Type.String()),
  subject: described('Subject of the event.', Type.String()),
  recordedAt: described('When it was recorded; the list is in this order.', TimestampField),
  body: Type.Object(
    {},
    { additionalProperties: true, description: 'The CloudEvent, as deliveries carry it.' },
  ),
});
export type EventRecord = Static<typeof EventSchema>;

export const EventListQuery = Type.Object({
  ...paginationFields,
  type: Type.Optional(
    Type.String({
      maxLength: 128,
      description:
        'Only events of this type: an event type, a prefix that ends in `.*`, both also in short (`order.landed`), or `*`.',
      examples: ['build.service.launch.*'],
    }),
  ),
  subject: described(
    'Only events about this mint, presale, round, prediction, operation, intent or endpoint.',
    Type.Optional(SubjectField),
  ),
  createdAfter: described('Only events recorded at this time or later.', Type.Optional(TimestampField)),
  createdBefore: described('Only events recorded before this time.', Type.Optional(TimestampField)),
});

export const EventPath = Type.Object({ eventId: described('Event id.', UuidField) });

export const EventPageSchema = PageOf(EventSchema);
