import { type Static, Type } from '@sinclair/typebox';
import { sendResults } from '../../../chain/node-trust/judge-send.ts';
import { failureReasons } from '../../../chain/rpc/rpc-failure.ts';
import {
  Closed,
  CountField,
  described,
  IntStringField,
  Named,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../../shared/field-schemas.ts';

/** What became of the sends of one intent to one address (contract/landing-report#sends). */
const AddressSends = Closed({
  name: described('Name of the address, as the operator gave it.', Type.String()),
  heldOut: described(
    'Whether this intent was withheld from the address, so that the landing report can compare. The fields below are then null.',
    Type.Boolean(),
  ),
  sendCount: described('Number of recorded sends.', CountField),
  takenCount: described('Number of sends that the address accepted, or had accepted before.', CountField),
  firstSentAt: described('When the first recorded send began.', Nullable(TimestampField)),
  lastSentAt: described('When the latest recorded send began.', Nullable(TimestampField)),
  firstSlot: described(
    'Newest confirmed slot that the service knew at the first send; null if it knew none.',
    Nullable(IntStringField),
  ),
  answer: described('How the address answered the latest send.', Nullable(OneOf(sendResults))),
  reason: described(
    'Why it did not accept the latest send, where that is known.',
    Nullable(OneOf(failureReasons)),
  ),
});

export const IntentSendsSchema = Named('TransactionIntentSends', {
  intentId: described('The intent.', UuidField),
  addresses: described(
    'One for each address, by name; empty before the first record, and after its retention.',
    Type.Array(AddressSends),
  ),
});
export type IntentSends = Static<typeof IntentSendsSchema>;

/** What a report is grouped by. */
export const reportGroupings = ['route', 'level', 'hour', 'address'] as const;
export type ReportGrouping = (typeof reportGroupings)[number];

export const ReportQuery = Type.Object({
  from: described('Begin of the range (included), in RFC 3339.', TimestampField),
  to: Type.String({
    ...TimestampField,
    description: 'End of the range (excluded), in RFC 3339: at most 31 days after `from`.',
    examples: ['2026-11-20T11:00:00.000Z'],
  }),
  by: described(
    'Property by which intents are grouped.',
    Type.Optional({ ...OneOf(reportGroupings), default: 'route' }),
  ),
});

const percentilesOf = (unit: string) =>
  Nullable(
    Closed({
      p50: described(`Half of the transactions took at most this number of ${unit}.`, CountField),
      p90: described(`Nine of ten transactions took at most this number of ${unit}.`, CountField),
      p99: described(`99 of 100 transactions took at most this number of ${unit}.`, CountField),
    }),
  );

const figureFields = {
  sent: described('Intents that were submitted and therefore sent.', CountField),
  landed: described('Sent intents that were confirmed.', CountField),
  failed: described(
    'Intents that are on chain with an error, or were never sent because their stored bytes were unusable.',
    CountField,
  ),
  expired: described('Intents that never landed before their window closed.', CountField),
  open: described('Intents that have not ended.', CountField),
  reverted: described('Landed intents that a fork dropped afterwards.', CountField),
  slots: described(
    'Slots from the first send to the block; null if the first slot of no transaction on chain is known.',
    percentilesOf('slots'),
  ),
  milliseconds: described(
    'Milliseconds from the submission until the service saw the transaction on chain; null if none is on chain.',
    percentilesOf('milliseconds'),
  ),
  feesLamports: described('Fees paid, priority fees included, as far as they are known.', IntStringField),
  tipsLamports: described('Tips paid to landing services, as far as they are known.', IntStringField),
  unknownFees: described('Transactions on chain whose fee was not read yet.', CountField),
};

const Figures = Closed(figureFields);
export type LandingFigures = Static<typeof Figures>;

export const LandingReportSchema = Named('LandingReport', {
  from: described('Begin of the range.', TimestampField),
  to: described('End of the range.', TimestampField),
  by: described('Property by which intents are grouped.', OneOf(reportGroupings)),
  total: described('All intents of the range.', Figures),
  groups: described(
    'The groups in the order of `key`. Hours without intents are included, other groups without intents are not.',
    Type.Array(
      Closed({
        key: described(
          'The route, the level (`none` if there is none), the begin of the hour, or the name of the address.',
          Type.String(),
        ),
        figures: described(
          'With `by=address`, the figures of the intents that were sent to the address.',
          Figures,
        ),
        without: described(
          'With `by=address`, the figures of the intents that were withheld from the address; null if there are none, and for other groups.',
          Nullable(Figures),
        ),
      }),
    ),
  ),
});
export type LandingReport = Static<typeof LandingReportSchema>;
