import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import {
  Address,
  addressError,
  PositiveRawAmount,
  RawAmount,
  Timestamp,
} from '../../indexer/ingest/shapes.ts';
import { parseInstant } from '../../shared/instant.ts';
import { schemaMistakes } from '../../shared/schema-mistakes.ts';
import { timedId } from '../../shared/timed-id.ts';
import { type NewPresale, PresaleRefused } from './create-presale.ts';

const BASIS_POINTS = 10_000;
const Share = Type.Integer({ minimum: 0, maximum: BASIS_POINTS });

/** The platform's definition of a presale, from a file or a request. */
export const PresalePlan = Type.Object(
  {
    id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })),
    mintAddress: Address,
    status: Type.Optional(Type.Union([Type.Literal('draft'), Type.Literal('initializing')])),
    allocationsBps: Type.Object({ burn: Share, pool: Share, sale: Share }, { additionalProperties: false }),
    creatorCommitmentLamports: RawAmount,
    minCapLamports: RawAmount,
    maxCapLamports: PositiveRawAmount,
    perWalletCapLamports: PositiveRawAmount,
    publicStartAt: Timestamp,
    deadline: Timestamp,
  },
  { additionalProperties: false },
);

/** Checks a definition. A new id has the time `now`. Throws PresaleRefused with its mistakes. */
export function plannedPresale(value: unknown, now: Date): NewPresale {
  if (!Value.Check(PresalePlan, value)) throw invalid(schemaMistakes(Value.Errors(PresalePlan, value)));
  const { mintAddress, publicStartAt, deadline, allocationsBps } = value;
  const mistake = addressError('mintAddress', mintAddress);
  if (mistake !== null) throw invalid(mistake);
  if (allocationsBps.burn + allocationsBps.pool + allocationsBps.sale > BASIS_POINTS)
    throw invalid('/allocationsBps Expected at most 10000 together');
  if (BigInt(value.minCapLamports) > BigInt(value.maxCapLamports))
    throw invalid('/minCapLamports Expected at most maxCapLamports');
  const [startAt, endAt] = [parseInstant(publicStartAt), parseInstant(deadline)];
  if (startAt >= endAt) throw invalid('/publicStartAt Expected a time before the deadline');
  return {
    ...value,
    id: value.id ?? timedId(now),
    status: value.status ?? 'draft',
    publicStartAt: startAt,
    deadline: endAt,
  };
}

function invalid(detail: string): PresaleRefused {
  const field = /^\/[\w/]*/.exec(detail)?.[0] ?? '';
  return new PresaleRefused('invalid', `the presale is invalid: ${detail}`, field);
}
