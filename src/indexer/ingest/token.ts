import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { launchTypes, tokenStatuses } from '../../db/schema/tokens.ts';
import type { IngestContext } from './context.ts';
import { Address, DecimalString, deepMistake, firstMistake, nullable, Timestamp } from './shapes.ts';
import { APPLIED, applyIsolating, type Checked, type Verdict } from './verdict.ts';

const Text = Type.Optional(nullable(Type.String()));

/** `ingest.token`, and the file of `token upsert` (contract/tokens#registration). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddress: Address,
  creatorWallet: Address,
  name: Type.String(),
  symbol: Type.String(),
  description: Text,
  imageUrl: Text,
  decimals: Type.Integer({ minimum: 0, maximum: 18 }),
  totalSupply: DecimalString,
  launchType: Type.Union(launchTypes.map((type) => Type.Literal(type))),
  status: Type.Union(tokenStatuses.map((status) => Type.Literal(status))),
  launchedAt: Type.Optional(nullable(Timestamp)),
  links: Type.Optional(nullable(Type.Object({ telegram: Text, twitter: Text, website: Text }))),
  poolAddress: Type.Optional(nullable(Address)),
  predictionsEnabled: Type.Optional(Type.Boolean()),
});
const compiled = TypeCompiler.Compile(schema);

export type TokenMessage = Static<typeof schema>;

export function checkToken(value: unknown): Checked<TokenMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstMistake(compiled.Errors(value)) };
  const { mintAddress, creatorWallet, poolAddress, launchedAt } = value;
  const detail =
    textMistake(value) ?? deepMistake({ mintAddress, creatorWallet, poolAddress }, { launchedAt });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** What a text must be, in characters as clients and the database count them: code points. */
function textMistake({ name, symbol, description, imageUrl, links }: TokenMessage): string | null {
  return (
    lengthMistake('/name', name, 1, 128) ??
    lengthMistake('/symbol', symbol, 1, 32) ??
    lengthMistake('/description', description, 0, 10_000) ??
    lengthMistake('/imageUrl', imageUrl, 0, 2_048) ??
    lengthMistake('/links/telegram', links?.telegram, 0, 2_048) ??
    lengthMistake('/links/twitter', links?.twitter, 0, 2_048) ??
    lengthMistake('/links/website', links?.website, 0, 2_048)
  );
}

function lengthMistake(
  path: string,
  text: string | null | undefined,
  least: number,
  most: number,
): string | null {
  if (text == null) return null;
  let characters = 0;
  for (const _ of text) characters += 1;
  if (characters < least || characters > most)
    return `${path} Expected ${least} to ${most} characters, not ${characters}`;
  // Postgres stores every character but this one.
  return text.includes('\0') ? `${path} Expected no character U+0000` : null;
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
