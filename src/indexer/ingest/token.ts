import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { launchTypes, tokenStatuses } from '../../db/schema/tokens.ts';
import type { IngestContext } from './context.ts';
import { Address, DecimalString, deepMistake, firstMistake, nullable, Timestamp } from './shapes.ts';
import { APPLIED, applyIsolating, type Checked, type Verdict } from './verdict.ts';

const Link = nullable(Type.String({ maxLength: 2_048 }));

/** `ingest.token`, and the file of `token upsert` (contract/tokens#registration). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddress: Address,
  creatorWallet: Address,
  name: Type.String({ minLength: 1, maxLength: 256 }),
  symbol: Type.String({ minLength: 1, maxLength: 64 }),
  description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  imageUrl: Type.Optional(nullable(Type.String({ maxLength: 2_048 }))),
  decimals: Type.Integer({ minimum: 0, maximum: 18 }),
  totalSupply: DecimalString,
  launchType: Type.Union(launchTypes.map((type) => Type.Literal(type))),
  status: Type.Union(tokenStatuses.map((status) => Type.Literal(status))),
  launchedAt: Type.Optional(nullable(Timestamp)),
  links: Type.Optional(
    nullable(
      Type.Object({
        telegram: Type.Optional(Link),
        twitter: Type.Optional(Link),
        website: Type.Optional(Link),
      }),
    ),
  ),
  poolAddress: Type.Optional(nullable(Address)),
  predictionsEnabled: Type.Optional(Type.Boolean()),
});
const compiled = TypeCompiler.Compile(schema);

export type TokenMessage = Static<typeof schema>;

export function checkToken(value: unknown): Checked<TokenMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstMistake(compiled.Errors(value)) };
  const { mintAddress, creatorWallet, poolAddress, launchedAt } = value;
  const detail = deepMistake({ mintAddress, creatorWallet, poolAddress }, { launchedAt });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies token messages in order, each in its own transaction: there are few, and each may send events. */
export async function applyTokens(
  context: IngestContext,
  messages: readonly TokenMessage[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const message of messages) {
    verdicts.push(...(await applyIsolating([message], ([token]) => applyToken(context, token ?? message))));
  }
  return verdicts;
}

async function applyToken(context: IngestContext, message: TokenMessage): Promise<Verdict[]> {
  const { db, outbox, clock, upsertToken } = context;
  const { events } = await db.begin((transaction) => upsertToken(transaction, outbox, clock, message));
  context.onTokensChanged([message.mintAddress]);
  if (events.length > 0) context.onEventsAdded();
  return [APPLIED];
}
