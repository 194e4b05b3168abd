import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { LaunchedPool } from '../../../chain/pools/curve/launched-pool.ts';
import type { Transaction } from '../../../db/client.ts';
import { launchTypes, tokenStatuses } from '../../../db/values/tokens.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import { publicTextFault } from '../../../shared/public-text.ts';
import { schemaMistakes } from '../../../shared/schema-mistakes.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, addressError, DecimalString, nullable, Timestamp, utcText } from '../shapes.ts';
import { APPLIED, type Checked, type Verdict } from '../verdict.ts';

const VAULTS_MAX = 10;
const Vaults = Type.Optional(nullable(Type.Array(Address, { maxItems: VAULTS_MAX })));
/** Beyond every limit of a text below, each of which is counted in characters and refused with its number. */
const TEXT_UNITS_MAX = 32_768;
const RequiredText = Type.String({ maxLength: TEXT_UNITS_MAX });
const Text = Type.Optional(nullable(RequiredText));

/** `ingest.token`, and the file of `token upsert` (contract/tokens#registration). Unknown fields are ignored. */
export const TokenReport = Type.Object({
  mintAddress: Address,
  creatorWallet: Address,
  name: RequiredText,
  symbol: RequiredText,
  description: Text,
  imageUrl: Text,
  decimals: Type.Integer({ minimum: 0, maximum: 18 }),
  totalSupply: DecimalString,
  launchType: Type.Union(launchTypes.map((type) => Type.Literal(type))),
  status: Type.Union(tokenStatuses.map((status) => Type.Literal(status))),
  launchedAt: Type.Optional(nullable(Timestamp)),
  links: Type.Optional(nullable(Type.Object({ telegram: Text, twitter: Text, website: Text }))),
  poolAddress: Type.Optional(nullable(Address)),
  stakingVaults: Vaults,
  tokenomicsVaults: Vaults,
  predictionsEnabled: Type.Optional(Type.Boolean()),
  announce: Type.Optional(Type.Boolean()),
});
const compiled = TypeCompiler.Compile(TokenReport);

export type TokenMessage = Static<typeof TokenReport>;

export function checkToken(value: unknown): Checked<TokenMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: schemaMistakes(compiled.Errors(value)) };
  const { mintAddress, creatorWallet, poolAddress, launchedAt } = value;
  const detail =
    textError(value) ??
    vaultError(value) ??
    addressError('mintAddress', mintAddress) ??
    addressError('creatorWallet', creatorWallet) ??
    addressError('poolAddress', poolAddress);
  if (detail !== null) return { ok: false, detail };
  if (launchedAt != null) value.launchedAt = utcText(launchedAt);
  return { ok: true, message: value };
}

/** Every vault must be an address, and be listed once: otherwise its balance would count twice. */
function vaultError({ stakingVaults, tokenomicsVaults }: TokenMessage): string | null {
  const seen = new Set<string>();
  const lists = { stakingVaults, tokenomicsVaults };
  for (const [field, vaults] of Object.entries(lists))
    for (const [at, vault] of (vaults ?? []).entries()) {
      const path = `${field}/${at}`;
      const detail = addressError(path, vault);
      if (detail !== null) return detail;
      if (seen.has(vault)) return `/${path} Expected a vault that is not named before`;
      seen.add(vault);
    }
  return null;
}

/** The rules for texts. They count characters as clients and the database do: in code points. */
function textError({ name, symbol, description, imageUrl, links }: TokenMessage): string | null {
  return (
    lengthError('/name', name, 1, 128) ??
    lengthError('/symbol', symbol, 1, 32) ??
    lengthError('/description', description, 0, 10_000) ??
    characterError('/name', name, true) ??
    characterError('/symbol', symbol, true) ??
    characterError('/description', description ?? '', false) ??
    lengthError('/imageUrl', imageUrl, 0, 2_048) ??
    lengthError('/links/telegram', links?.telegram, 0, 2_048) ??
    lengthError('/links/twitter', links?.twitter, 0, 2_048) ??
    lengthError('/links/website', links?.website, 0, 2_048)
  );
}

function lengthError(
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
  // Postgres stores every character except this one.
  return text.includes('\0') ? `${path} Expected no character U+0000` : null;
}

function characterError(path: string, text: string, isLine: boolean): string | null {
  const fault = publicTextFault(text, { isLine });
  return fault === null ? null : `${path} Expected no ${fault}`;
}

/**
 * Stores a reported token and appends its launch events. It is passed in, because the rules of tokens belong
 * to their feature, which the indexer does not import.
 */
export type UpsertToken = (
  transaction: Transaction,
  outbox: Outbox,
  clock: Clock,
  token: TokenMessage,
  pool: LaunchedPool | null,
) => Promise<unknown>;

export interface TokenDependencies extends KindDependencies {
  outbox: Outbox;
  upsertToken: UpsertToken;
  /** The pool of an announced token as the chain shows it. */
  findReportedPool(token: TokenMessage): Promise<LaunchedPool | null>;
}

/** Applies token messages in order, each in its own transaction: there are few, and each may send events. */
export async function applyTokens(
  dependencies: TokenDependencies,
  messages: readonly TokenMessage[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const message of messages) {
    verdicts.push(
      ...(await applyIsolating([message], ([token]) => applyToken(dependencies, token ?? message))),
    );
  }
  return verdicts;
}

async function applyToken(dependencies: TokenDependencies, message: TokenMessage): Promise<Verdict[]> {
  const { db, outbox, clock, upsertToken } = dependencies;
  const pool = await dependencies.findReportedPool(message);
  await db.begin((transaction) => upsertToken(transaction, outbox, clock, message, pool));
  dependencies.onTokensChanged([message.mintAddress]);
  return [APPLIED];
}
