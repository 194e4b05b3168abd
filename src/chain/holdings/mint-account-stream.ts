import { decodeAddress } from '../../shared/address.ts';
import { postJsonRpc } from '../rpc/post.ts';
import { createAccountScan } from './account-scan.ts';
import { type ListedBalance, readBalanceSlice } from './balance-slice.ts';

/**
 * A node closed the connection early, sent nothing for too long, or did not return a whole list of accounts
 * of the mint.
 */
export class UnusableNodeResponse extends Error {
  override readonly name = 'UnusableNodeResponse';
}

export interface AccountStream {
  url: string;
  request: object;
  mintAddress: string;
  tokenProgram: 'spl_token' | 'token_2022';
  signal: AbortSignal;
}

/** Accounts in one batch. 5,000 of them take about half a megabyte. */
const BATCH_MAX = 5_000;
/** For a large response a node may work for tens of seconds before it sends the first byte. */
const SILENCE_MAX_MS = 60_000;
/** Ten times the accounts of the most held token on the chain. A longer list is refused. */
const ACCOUNTS_MAX = 100_000_000;
/** The slot comes before or after the list, within this many characters of an end of the response. */
const EDGE_CHARACTERS = 4_096;
const SLOT = /"slot"\s*:\s*(\d{1,19})\b/;

/** Reads a getProgramAccounts response as it arrives (see `TokenHolderSource.list`). */
export async function* readAccounts(
  stream: AccountStream,
): AsyncGenerator<ListedBalance[], bigint, undefined> {
  const reading = new AbortController();
  const signal = AbortSignal.any([stream.signal, reading.signal]);
  try {
    return yield* readBatches(stream, signal, reading);
  } finally {
    // Runs also when the consumer stops early: the node then stops sending.
    reading.abort();
  }
}

async function* readBatches(
  { url, request, mintAddress, tokenProgram }: AccountStream,
  signal: AbortSignal,
  reading: AbortController,
): AsyncGenerator<ListedBalance[], bigint, undefined> {
  const mint = decodeAddress(mintAddress);
  if (mint === null) throw new TypeError('not a mint address');
  const idleLimit = silenceTimeout(reading);
  const body = await idleLimit.during(openResponse(url, request, signal));
  let batch: ListedBalance[] = [];
  let accounts = 0;
  const scan = createAccountScan((base64, accountAddress) => {
    accounts += 1;
    const read = readBalanceSlice(Buffer.from(base64, 'base64'), mint, tokenProgram);
    if (!read.ok) throw new UnusableNodeResponse(read.reason);
    if (read.balance !== null) batch.push({ ...read.balance, accountAddress });
  });
  const decoder = new TextDecoder('latin1');
  let head = '';
  let tail = '';
  for (;;) {
    const { done, value } = await idleLimit.during(unusable(body.read()));
    if (done) break;
    const text = decoder.decode(value, { stream: true });
    if (head.length < EDGE_CHARACTERS) head += text.slice(0, EDGE_CHARACTERS);
    tail = (tail + text).slice(-EDGE_CHARACTERS);
    await unusable(Promise.try(scan.push, text));
    if (accounts > ACCOUNTS_MAX) throw new UnusableNodeResponse('the list does not end');
    for (; batch.length >= BATCH_MAX; batch = batch.slice(BATCH_MAX)) yield batch.slice(0, BATCH_MAX);
  }
  await unusable(Promise.try(scan.end));
  if (batch.length > 0) yield batch;
  const slot = SLOT.exec(head)?.[1] ?? SLOT.exec(tail)?.[1];
  if (slot === undefined) throw new UnusableNodeResponse('the response names no slot');
  return BigInt(slot);
}

async function openResponse(url: string, request: object, signal: AbortSignal) {
  const { body } = await unusable(postJsonRpc(url, JSON.stringify(request), { signal }));
  if (body === null) throw new UnusableNodeResponse('the response is empty');
  return body.getReader();
}

/** Attributes every failure while reading to the node. */
async function unusable<Value>(promise: Promise<Value>): Promise<Value> {
  try {
    return await promise;
  } catch (cause) {
    if (cause instanceof UnusableNodeResponse) throw cause;
    throw new UnusableNodeResponse(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Aborts the reading when the node sends nothing for too long. The consumer's own time does not count. */
function silenceTimeout(reading: AbortController) {
  return {
    async during<Value>(waiting: Promise<Value>): Promise<Value> {
      const timer = setTimeout(
        () => reading.abort(new Error('the node sent nothing for too long')),
        SILENCE_MAX_MS,
      );
      try {
        return await waiting;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
