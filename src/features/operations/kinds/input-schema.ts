import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { AddressField, OneOf, TimestampField, UuidField } from '../../../shared/field-schemas.ts';
import { schemaMistakes } from '../../../shared/schema-mistakes.ts';

/** Which holders of a token an audience export lists. */
export const AudienceExportInput = Type.Object(
  {
    mintAddress: AddressField,
    minimumBalanceRaw: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,19}$',
        description: 'a positive amount of raw units: wallets with less are left out; 1 without it',
      }),
    ),
    top: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description: 'only as many wallets, those with the largest balances',
      }),
    ),
    minSlot: Type.Optional(
      Type.String({
        pattern: '^(0|[1-9][0-9]{0,14})$',
        description: 'a slot: the snapshot is of that slot or a later one',
      }),
    ),
    format: Type.Optional(OneOf(['csv', 'ndjson'])),
  },
  { additionalProperties: false },
);
export type AudienceExportInput = Static<typeof AudienceExportInput>;

/** Which deliveries a bulk replay sends again. */
export const DeliveryReplayInput = Type.Object(
  {
    endpointId: UuidField,
    status: OneOf(['succeeded', 'dead_letter']),
    /** Only deliveries created at this time or later. */
    since: Type.Optional(TimestampField),
  },
  { additionalProperties: false },
);
export type DeliveryReplayInput = Static<typeof DeliveryReplayInput>;

/** What a recovery delivers to an endpoint: events without a delivery, and finished deliveries, of a time. */
export const DeliveryRecoveryInput = Type.Object(
  {
    endpointId: UuidField,
    since: TimestampField,
    until: TimestampField,
    statuses: Type.Array(OneOf(['missed', 'dead_letter', 'succeeded']), { minItems: 1, maxItems: 3 }),
  },
  { additionalProperties: false },
);
export type DeliveryRecoveryInput = Static<typeof DeliveryRecoveryInput>;

/** Kinds that the worker runs, with what each takes; any other kind is run by an operator's commands. */
export const runnerInputs = {
  audience_export: AudienceExportInput,
  delivery_replay: DeliveryReplayInput,
  delivery_recovery: DeliveryRecoveryInput,
} as const;
export type RunnerKind = keyof typeof runnerInputs;

export function isRunnerKind(kind: string): kind is RunnerKind {
  return Object.hasOwn(runnerInputs, kind);
}

/** Everything that is wrong with the input of a kind; null when nothing is. */
export function inputMistake(kind: RunnerKind, input: unknown): string | null {
  const schema = runnerInputs[kind];
  return Value.Check(schema, input) ? null : schemaMistakes(Value.Errors(schema, input));
}
