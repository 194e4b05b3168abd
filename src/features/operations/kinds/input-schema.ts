import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import {
  Closed,
  described,
  MintAddressField,
  OneOf,
  TimestampField,
  UuidField,
} from '../../../shared/field-schemas.ts';
import { schemaMistakes } from '../../../shared/schema-mistakes.ts';

/** Input of an audience export. */
export const AudienceExportInput = Closed({
  mintAddress: MintAddressField,
  minimumBalanceRaw: described(
    'A positive amount of raw units. Wallets that hold less are left out. Default: 1.',
    Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,19}$' })),
  ),
  top: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Maximum number of wallets. Those with the largest balances are exported.',
    }),
  ),
  minSlot: Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,14})$',
      description: 'Earliest slot of the snapshot. It may be of a later slot.',
    }),
  ),
  format: described('Format of the file.', Type.Optional(OneOf(['csv', 'ndjson']))),
});
export type AudienceExportInput = Static<typeof AudienceExportInput>;

/** Input of a bulk replay of deliveries. */
export const DeliveryReplayInput = Closed({
  endpointId: described('The webhook endpoint.', UuidField),
  status: described('Which deliveries to send again.', OneOf(['succeeded', 'dead_letter'])),
  since: described('Events from this time on.', Type.Optional(TimestampField)),
});
export type DeliveryReplayInput = Static<typeof DeliveryReplayInput>;

/** Input of a recovery: deliveries that wait for another attempt, finished ones, and events without one, since a time. */
export const DeliveryRecoveryInput = Closed({
  endpointId: described('The webhook endpoint.', UuidField),
  since: described('Events from this time on.', TimestampField),
  until: TimestampField,
  statuses: described(
    'What to send: `missed` for events that have no delivery, `retrying` for deliveries that wait for their next attempt, `dead_letter` or `succeeded` for deliveries that ended so.',
    Type.Array(OneOf(['missed', 'retrying', 'dead_letter', 'succeeded']), { minItems: 1, maxItems: 4 }),
  ),
});
export type DeliveryRecoveryInput = Static<typeof DeliveryRecoveryInput>;

/** Inputs of the kinds that the worker runs. Operators run any other kind with commands. */
export const runnerInputs = {
  audience_export: AudienceExportInput,
  delivery_replay: DeliveryReplayInput,
  delivery_recovery: DeliveryRecoveryInput,
} as const;
export type RunnerKind = keyof typeof runnerInputs;

export function isRunnerKind(kind: string): kind is RunnerKind {
  return Object.hasOwn(runnerInputs, kind);
}

/** All mistakes in the input of a kind; null when there is none. */
export function inputMistake(kind: RunnerKind, input: unknown): string | null {
  const schema = runnerInputs[kind];
  return Value.Check(schema, input) ? null : schemaMistakes(Value.Errors(schema, input));
}
