import { type Static, Type } from '@sinclair/typebox';
import { priorityLevels, sendRoutes } from '../db/values/transaction-intents.ts';
import { described, IntStringField, Named, Nullable, OneOf } from '../shared/field-schemas.ts';

const LamportsField = Type.String({ pattern: '^(0|[1-9][0-9]{0,19})$', examples: ['10000'] });

/** Fields of a request that prepares a transaction (contract/trading#sending). */
export const sendingFields = {
  computeUnitPrice: Type.Optional(
    Type.String({
      pattern: `^(auto|${priorityLevels.join('|')}|0|[1-9][0-9]{0,19})$`,
      description:
        'Micro-lamports per compute unit, or a level of `getPriorityFees` (`min`, `low`, `medium`, `high`, `veryHigh`), which pays what recent transactions with this pool paid, or `auto`, which pays `high`.',
      examples: ['auto'],
    }),
  ),
  maxPriorityLamports: Type.Optional(
    described(
      'Maximum priority fee in lamports. The price is lowered until the fee does not exceed it.',
      LamportsField,
    ),
  ),
  tipLamports: Type.Optional(
    described(
      'Tip to a landing service in lamports, within the bounds that the operator set. Default: the tip that the operator set.',
      LamportsField,
    ),
  ),
  route: Type.Optional(
    described(
      'Addresses to which the transaction is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.',
      OneOf(sendRoutes),
    ),
  ),
};

/** contract/trading#sending */
export const SendingSchema = described(
  'How the transaction is sent, and what it pays to be sent.',
  Named('Sending', {
    route: described('Addresses to which it is sent.', OneOf(sendRoutes)),
    priorityLevel: described('The requested level; null if there is none.', Nullable(OneOf(priorityLevels))),
    computeUnitPrice: described(
      'The price in the transaction, in micro-lamports per compute unit.',
      IntStringField,
    ),
    computeUnitLimit: described('Maximum compute units of the transaction.', Type.Integer({ minimum: 0 })),
    priorityFeeLamports: described('Priority fee, in lamports.', IntStringField),
    tipLamports: described('Tip to a landing service, in lamports; 0 if there is none.', IntStringField),
    tipService: described(
      'Name of the landing service that gets the tip; null if there is no tip, or the operator gave the service no name.',
      Nullable(Type.String()),
    ),
  }),
);
export type Sending = Static<typeof SendingSchema>;
