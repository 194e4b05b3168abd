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
        'Micro-lamports per compute unit; a level of `getPriorityFees` (`min`, `low`, `medium`, `high`, `veryHigh`) for what recent transactions with this pool paid; or `auto`, which pays `high`.',
      examples: ['auto'],
    }),
  ),
  maxPriorityLamports: Type.Optional(
    described(
      'The most that priority may cost in lamports: the price is lowered until it does.',
      LamportsField,
    ),
  ),
  tipLamports: Type.Optional(
    described(
      'What the transaction pays a landing service, between the bounds of the operator; the default of the operator without it.',
      LamportsField,
    ),
  ),
  route: Type.Optional(
    described(
      'To which addresses the transaction is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.',
      OneOf(sendRoutes),
    ),
  ),
};

/** contract/trading#sending */
export const SendingSchema = described(
  'How the transaction is sent, and what it pays for that.',
  Named('Sending', {
    route: described('To which addresses it is sent.', OneOf(sendRoutes)),
    priorityLevel: described('The requested level; null without one.', Nullable(OneOf(priorityLevels))),
    computeUnitPrice: described(
      'The price in the transaction, micro-lamports per compute unit.',
      IntStringField,
    ),
    computeUnitLimit: described('The compute units that it may use.', Type.Integer({ minimum: 0 })),
    priorityFeeLamports: described('What priority costs, in lamports.', IntStringField),
    tipLamports: described('What it pays a landing service; 0 for nothing.', IntStringField),
    tipService: described(
      'The landing service that the tip pays, by its name; null without a tip, and where the operator names none.',
      Nullable(Type.String()),
    ),
  }),
);
export type Sending = Static<typeof SendingSchema>;
