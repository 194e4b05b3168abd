import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import {
  createPresale,
  type NewPresale,
  PresaleRefused,
  publishPresale,
} from '../features/presales/create-presale.ts';
import {
  Address,
  contentError,
  firstSchemaError,
  PositiveRawAmount,
  RawAmount,
  Timestamp,
} from '../indexer/ingest/shapes.ts';
import { type Command, CommandRefused, need, needUuid, parseJsonOption, UsageError } from './command.ts';

const BASIS_POINTS = 10_000;
const Share = Type.Integer({ minimum: 0, maximum: BASIS_POINTS });

/** The file of `presale create`. */
const PresaleFile = Type.Object(
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

const presaleCreate: Command = {
  group: 'presale',
  verb: 'create',
  summary:
    'Create a presale from a JSON file, as a draft unless its status is initializing; - reads standard input',
  options: { file: { description: 'path of the JSON file', required: true } },
  async run({ database, clock }, options) {
    const file = need(options, 'file');
    const text = await (file === '-' ? Bun.stdin.text() : readFile(file, 'utf8')).catch(() => {
      throw new UsageError(`--file ${file} cannot be read`);
    });
    const presale = readPresale(parseJsonOption('file', text));
    const create = database.begin((transaction) => createPresale(transaction, presale, clock.now()));
    return { ...(await create.catch(refuse)) };
  },
};

const presalePublish: Command = {
  group: 'presale',
  verb: 'publish',
  summary: 'Make a draft public; it opens at its start',
  options: { id: { description: 'presale id', required: true } },
  async run({ database, clock }, options) {
    const id = needUuid(options, 'id');
    const publish = database.begin((transaction) => publishPresale(transaction, id, clock.now()));
    return { ...(await publish.catch(refuse)) };
  },
};

export const presaleCommands = [presaleCreate, presalePublish];

/** The checked file. Throws CommandRefused with the first mistake. */
function readPresale(value: unknown): NewPresale {
  if (!Value.Check(PresaleFile, value)) throw invalid(firstSchemaError(Value.Errors(PresaleFile, value)));
  const { mintAddress, publicStartAt, deadline, allocationsBps } = value;
  const mistake = contentError({ mintAddress }, { publicStartAt, deadline });
  if (mistake !== null) throw invalid(mistake);
  if (allocationsBps.burn + allocationsBps.pool + allocationsBps.sale > BASIS_POINTS)
    throw invalid('/allocationsBps Expected at most 10000 together');
  if (BigInt(value.minCapLamports) > BigInt(value.maxCapLamports))
    throw invalid('/minCapLamports Expected at most maxCapLamports');
  const [startAt, endAt] = [new Date(publicStartAt), new Date(deadline)];
  if (startAt >= endAt) throw invalid('/publicStartAt Expected a time before the deadline');
  return {
    ...value,
    id: value.id ?? Bun.randomUUIDv7(),
    status: value.status ?? 'draft',
    publicStartAt: startAt,
    deadline: endAt,
  };
}

function invalid(detail: string): CommandRefused {
  return new CommandRefused(`the presale is invalid: ${detail}`);
}

function refuse(error: unknown): never {
  throw error instanceof PresaleRefused ? new CommandRefused(error.message) : error;
}
