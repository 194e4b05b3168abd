const KIB = 1_024;
const MIB = 1_024 * KIB;

/**
 * The most bytes that an answer of a method may have, decompressed: several times what the largest honest answer to
 * our questions has. A node that sends more is cut off.
 */
const ANSWER_BYTES_MAX: Readonly<Record<string, number>> = {
  // 256 statuses of some 200 bytes.
  getSignatureStatuses: 256 * KIB,
  // Logs of the preflight are part of an error.
  sendTransaction: 64 * KIB,
  simulateTransaction: 512 * KIB,
  // 100 pools, vaults and mints, or lookup tables of 8 KiB.
  getMultipleAccounts: 4 * MIB,
  getAccountInfo: MIB,
  // Some 300 bytes for each account of a wallet or position of a pool.
  getTokenAccountsByOwner: 4 * MIB,
  getProgramAccounts: 16 * MIB,
  // 1,000 records with memos of up to 566 bytes.
  getSignaturesForAddress: 2 * MIB,
  getTransaction: 4 * MIB,
};
/** Positions, hashes and whatever the table does not know. */
const OTHER_ANSWER_BYTES_MAX = 16 * KIB;

/** A node sent more than an answer to this method can have. */
export class OversizedAnswer extends Error {
  override readonly name = 'OversizedAnswer';

  constructor(method: string, bytesMax: number) {
    super(`the answer to ${method} is larger than ${bytesMax} bytes`);
  }
}

export function answerBytesMax(method: string): number {
  return (
    (Object.hasOwn(ANSWER_BYTES_MAX, method) ? ANSWER_BYTES_MAX[method] : undefined) ?? OTHER_ANSWER_BYTES_MAX
  );
}

/** The body as text. Throws OversizedAnswer, and has the rest cancelled, once it exceeds the bound of the method. */
export async function readBoundedAnswer(response: Response, method: string): Promise<string> {
  const bytesMax = answerBytesMax(method);
  if (response.body === null) return '';
  const reader = response.body.getReader();
  // Copied, so that an answer in pieces of one byte costs no more than one in a piece.
  const sink = new Bun.ArrayBufferSink();
  let byteLength = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    byteLength += value.byteLength;
    if (byteLength > bytesMax) {
      // What cancelling comes to does not matter any more.
      reader.cancel().catch(() => {});
      throw new OversizedAnswer(method, bytesMax);
    }
    sink.write(value);
  }
  return new TextDecoder().decode(sink.end());
}
