import { createHash, randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { type Principal, sql, UUID } from './peer-database.ts';
import { writtenDocuments } from './written-documents.ts';

const ADDRESS = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';
const AMOUNT_OFFSET = 64;

export const predictionBody = Type.Object(
  {
    roundId: Type.String({ pattern: UUID }),
    walletAddress: Type.String({ pattern: ADDRESS }),
    predictedPriceInSol: Type.String({ pattern: '^(0|[1-9]\\d{0,11})(\\.\\d{1,18})?$' }),
  },
  { additionalProperties: false },
);

export interface PredictionRequest {
  roundId: string;
  walletAddress: string;
  predictedPriceInSol: string;
}

export interface Balance {
  amountRaw: bigint;
  slot: number;
}

const mints = new Map<string, string>();

/** The mint of a round, which never changes and is queried once; undefined when there is no such round. */
export async function mintOfRound(roundId: string): Promise<string | undefined> {
  const known = mints.get(roundId);
  if (known !== undefined) return known;
  const [row] = await sql<{ mintAddress: string }[]>`
    select mint_address as "mintAddress" from prediction_rounds where id = ${roundId}`;
  if (row !== undefined) mints.set(roundId, row.mintAddress);
  return row?.mintAddress;
}

/** The finalized balance of a wallet, by one JSON-RPC call. */
export async function readBalance(wallet: string, mint: string): Promise<Balance> {
  const options = { commitment: 'finalized', encoding: 'base64', dataSlice: { offset: 0, length: 72 } };
  const response = await fetch(process.env.SOLANA_RPC_URL ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getTokenAccountsByOwner',
      params: [wallet, { mint }, options],
    }),
  });
  const { result } = (await response.json()) as {
    result: { context: { slot: number }; value: { account: { data: [string, string] } }[] };
  };
  const amountRaw = result.value.reduce(
    (sum, { account }) => sum + Buffer.from(account.data[0], 'base64').readBigUInt64LE(AMOUNT_OFFSET),
    0n,
  );
  return { amountRaw, slot: result.context.slot };
}

interface StoredPrediction {
  id: string;
  accountId: string;
  idempotencyKey: string;
  request: PredictionRequest;
  balance: Balance;
  /** The response, stored for replays as the contract requires. */
  response: string;
  event: string;
}

/**
 * Checks and stores everything in one statement: it locks the round, checks the requirements, and stores prediction,
 * event and idempotent response. False when a requirement fails.
 */
export async function storePrediction(prediction: StoredPrediction): Promise<boolean> {
  const { id, accountId, idempotencyKey, request, balance, response, event } = prediction;
  const { roundId, walletAddress, predictedPriceInSol } = request;
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 86_400_000);
  const fingerprint = createHash('sha256').update(JSON.stringify(request)).digest();
  const lockId = fingerprint.readBigInt64BE(0).toString();
  const headers = { Location: `/api/v2/predictions/${id}` };
  const accepted = await sql`
    with guard as materialized (
      select pg_try_advisory_xact_lock(${lockId}::bigint) as acquired
    ), facts as materialized (
      select r.id as round_id, w.username
      from guard, prediction_rounds r join tokens t using (mint_address)
        join wallets w on w.address = ${walletAddress}
      where guard.acquired and r.id = ${roundId} and r.status = 'open' and r.locks_at > ${now}
        and not r.requires_delegated_intent and r.minimum_balance_raw <= ${balance.amountRaw.toString()}::numeric
        and t.predictions_enabled and not t.hidden and w.verified and w.username is not null
        and not exists (select from idempotency_records where account_id = ${accountId} and key = ${idempotencyKey})
      for share of r
    ), accepted as (
      insert into predictions (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status,
        evaluation_slot, balance_raw, submitted_at)
      select ${id}::uuid, round_id, ${accountId}::uuid, ${walletAddress}, username, ${predictedPriceInSol}::numeric,
        'accepted', ${balance.slot}::int8, ${balance.amountRaw.toString()}::numeric, ${now}
      from facts
      on conflict (round_id, wallet_address) do nothing
      returning id
    ), recorded as (
      insert into events (id, type, subject, account_id, body, created_at)
      select ${randomUUID()}::uuid, ${'com.example.prediction.submitted'}, ${id}, ${accountId}::uuid, ${event}, ${now}
      from accepted
    ), answered as (
      insert into idempotency_records
        (account_id, key, fingerprint, response_status, response_headers, response_body, sealed, created_at, expires_at)
      select ${accountId}::uuid, ${idempotencyKey}, ${fingerprint}, ${201}::int, ${JSON.stringify(headers)}::text::jsonb,
        ${Buffer.from(response)}, false, ${now}, ${expiresAt}
      from accepted
    )
    select from accepted`;
  return accepted.count === 1;
}

/** Reads the balance, checks and stores. The id and the response, or null when the prediction is not acceptable. */
export async function acceptPrediction(
  { accountId, walletAddress }: Principal,
  idempotencyKey: string,
  request: PredictionRequest,
): Promise<{ id: string; text: string } | null> {
  const mint = await mintOfRound(request.roundId);
  if (mint === undefined || request.walletAddress !== walletAddress) return null;
  const balance = await readBalance(walletAddress, mint);
  const id = randomUUID();
  const evaluated = { evaluationSlot: String(balance.slot), balanceRaw: balance.amountRaw.toString() };
  const documents = writtenDocuments(id, { ...request, ...evaluated });
  const stored = await storePrediction({ ...documents, id, accountId, idempotencyKey, request, balance });
  return stored ? { id, text: documents.response } : null;
}
