import { UnexpectedResponseError } from '../errors.ts';
import type { Schemas } from '../operations.ts';
import type { CallOptions } from '../request.ts';
import { pauseSlots } from './pause-slots.ts';
import { HELD_MIN_MS, HELD_SECONDS, type Read, readingOf, type WaitOptions } from './wait-for.ts';
import { type Saw, waiting } from './waiting.ts';

const POLL_SLOTS = 5;

/** The first trade of a transaction, once its token's trades show it. */
export function waitForTrade(
  read: Read,
  { mint, transactionSignature: signature }: { mint: string; transactionSignature: string },
  options: WaitOptions,
): Promise<Schemas['Trade']> {
  return waiting(`the trade of transaction ${signature} in ${mint}`, options.signal, (saw) =>
    readToTrade(read, mint, signature, options, saw),
  );
}

async function readToTrade(
  read: Read,
  mint: string,
  signature: string,
  options: WaitOptions,
  saw: Saw,
): Promise<Schemas['Trade']> {
  let etag: string | null = null;
  let newest = '';
  for (;;) {
    const askedAtMs = performance.now();
    // The first read gets no copy from before what the wait follows. With the ETag of the known trades, the service holds
    // the request until the list changes.
    const asked: CallOptions =
      etag === null
        ? { fresh: true }
        : { headers: { Prefer: `wait=${HELD_SECONDS}`, 'If-None-Match': etag } };
    const answer = await unlessUnchanged(
      read('listTokenTrades', { mint, signature }, { ...readingOf(options), ...asked }),
    );
    const { data } = (answer?.body ?? { data: [] }) as { data: Schemas['Trade'][] };
    // Newest first. A service that does not know the filter shows the newest trades of all transactions.
    const trade = data.findLast((one) => one.transactionSignature === signature);
    if (trade !== undefined) return trade;
    saw({ status: 'not listed yet' });
    const [{ id = '' } = {}] = data;
    const isNew = etag === null || (answer !== undefined && id !== newest);
    etag = answer?.headers.get('ETag') ?? etag;
    newest = answer === undefined ? newest : id;
    if (!isNew && performance.now() - askedAtMs < HELD_MIN_MS)
      await pauseSlots(read, POLL_SLOTS, options.signal);
  }
}

/** Undefined for 304, which an ETag makes an expected answer. */
async function unlessUnchanged<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UnexpectedResponseError && error.status === 304) return undefined;
    throw error;
  }
}
