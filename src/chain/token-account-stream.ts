import { decodeAddress } from '../shared/address.ts';
import { readBalanceSlice, type TokenBalance } from './token-balance-slice.ts';
import { createAccountScan } from './token-balances.ts';

/** A node broke off, stayed silent, or told something else than a whole list of accounts of the mint. */
export class NodeAnswerUnusable extends Error {
  override readonly name = 'NodeAnswerUnusable';
}

export interface AccountStream {
  url: string;
  request: object;
  mintAddress: string;
  tokenProgram: 'spl_token' | 'token_2022';
  signal: AbortSignal;
}

/** Written to the database at once; 5,000 are about half a megabyte. */
const BATCH_MAX = 5_000;
/** A node prepares large answers for tens of seconds before the first byte. */
const SILENCE_MAX_MS = 60_000;
/** Ten times the most held token of the chain: an answer that goes on is none. */
const ACCOUNTS_MAX = 100_000_000;
/** The slot stands before the list or behind it, in the first or last characters of the answer. */
const EDGE_CHARACTERS = 4_096;
const SLOT = /"slot"\s*:\s*(\d{1,19})\b/;

/** Reads a getProgramAccounts answer as it arrives; see TokenHolderSource.list. */
export async function* readAccounts(
  stream: AccountStream,
): AsyncGenerator<TokenBalance[], bigint, undefined> {
  const reading = new AbortController();
  const signal = AbortSignal.any([stream.signal, reading.signal]);
  try {
    return yield* readBatches(stream, signal, reading);
  } finally {
    // Also when the consumer gives up: the node stops sending.
    reading.abort();
  }
}

async function* readBatches(
  { url, request, mintAddress, tokenProgram }: AccountStream,
  signal: AbortSignal,
  reading: AbortController,
): AsyncGenerator<TokenBalance[], bigint, undefined> {
  const mint = decodeAddress(mintAddress);
  if (mint === null) throw new TypeError('not a mint address');
  const silence = silenceAlarm(reading);
  const body = await silence.during(openAnswer(url, request, signal));
  let batch: TokenBalance[] = [];
  let accounts = 0;
  const scan = createAccountScan((base64) => {
    accounts += 1;
    const read = readBalanceSlice(Buffer.from(base64, 'base64'), mint, tokenProgram);
    if (!read.ok) throw new NodeAnswerUnusable(read.reason);
    if (read.balance !== null) batch.push(read.balance);
  });
  const decoder = new TextDecoder('latin1');
  let head = '';
  let tail = '';
  for (;;) {
    const { done, value } = await silence.during(unusable(body.read()));
    if (done) break;
    const text = decoder.decode(value, { stream: true });
    if (head.length < EDGE_CHARACTERS) head += text.slice(0, EDGE_CHARACTERS);
    tail = (tail + text).slice(-EDGE_CHARACTERS);
    await unusable(Promise.try(scan.push, text));
    if (accounts > ACCOUNTS_MAX) throw new NodeAnswerUnusable('the list does not end');
    for (; batch.length >= BATCH_MAX; batch = batch.slice(BATCH_MAX)) yield batch.slice(0, BATCH_MAX);
  }
  await unusable(Promise.try(scan.end));
  if (batch.length > 0) yield batch;
  const slot = SLOT.exec(head)?.[1] ?? SLOT.exec(tail)?.[1];
  if (slot === undefined) throw new NodeAnswerUnusable('the answer names no slot');
  return BigInt(slot);
}

async function openAnswer(url: string, request: object, signal: AbortSignal) {
  const response = await unusable(
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal,
    }),
  );
  if (!response.ok || response.body === null) throw new NodeAnswerUnusable(`HTTP ${response.status}`);
  return response.body.getReader();
}

/** Whatever goes wrong while reading is the node's. */
async function unusable<Value>(promise: Promise<Value>): Promise<Value> {
  try {
    return await promise;
  } catch (cause) {
    if (cause instanceof NodeAnswerUnusable) throw cause;
    throw new NodeAnswerUnusable(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Ends the reading when the node is waited for too long; time that the consumer takes does not count. */
function silenceAlarm(reading: AbortController) {
  return {
    async during<Value>(waiting: Promise<Value>): Promise<Value> {
      const timer = setTimeout(() => reading.abort(new Error('the node was silent')), SILENCE_MAX_MS);
      try {
        return await waiting;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
