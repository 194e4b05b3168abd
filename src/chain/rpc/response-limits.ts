const KIB = 1_024;
const MIB = 1_024 * KIB;

/**
 * The most bytes in a response to a method, decompressed: several times the largest correct response to our
 * requests. A node that sends more loses its connection.
 */
const RESPONSE_BYTES_MAX: Readonly<Record<string, number>> = {
  // 256 statuses of about 200 bytes.
  getSignatureStatuses: 256 * KIB,
  // The error includes the logs of the preflight.
  sendTransaction: 64 * KIB,
  simulateTransaction: 512 * KIB,
  // 100 pools, vaults, mints or lookup tables, each of up to 8 KiB.
  getMultipleAccounts: 4 * MIB,
  getAccountInfo: MIB,
  // About 300 bytes for each account of a wallet or position of a pool.
  getTokenAccountsByOwner: 4 * MIB,
  getProgramAccounts: 16 * MIB,
  // 1,000 records with memos of up to 566 bytes.
  getSignaturesForAddress: 2 * MIB,
  getTransaction: 4 * MIB,
  // Some thousands of transactions of 5 KiB.
  getBlock: 48 * MIB,
};
/** The limit for positions, hashes and every method outside the table. */
const OTHER_RESPONSE_BYTES_MAX = 16 * KIB;

/** A node sent more than a response to this method can have. */
export class OversizedResponse extends Error {
  override readonly name = 'OversizedResponse';

  constructor(method: string, bytesMax: number) {
    super(`the response to ${method} is larger than ${bytesMax} bytes`);
  }
}

export function responseBytesMax(method: string): number {
  return (
    (Object.hasOwn(RESPONSE_BYTES_MAX, method) ? RESPONSE_BYTES_MAX[method] : undefined) ??
    OTHER_RESPONSE_BYTES_MAX
  );
}

/**
 * The body as text. Throws OversizedResponse and cancels the rest once the body exceeds the method's limit.
 */
export async function readBoundedResponse(response: Response, method: string): Promise<string> {
  const bytesMax = responseBytesMax(method);
  // An uncompressed body that states its length cannot exceed it. Reading it at once is less work than a
  // stream.
  const { headers } = response;
  const announced = headers.get('content-length');
  if (announced !== null && Number(announced) <= bytesMax && headers.get('content-encoding') === null)
    return response.text();
  if (response.body === null) return '';
  const reader = response.body.getReader();
  // Chunks are copied, so that a response in chunks of one byte costs no more than one in a single chunk.
  const sink = new Bun.ArrayBufferSink();
  let byteLength = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    byteLength += value.byteLength;
    if (byteLength > bytesMax) {
      // The result of the cancellation does not matter.
      reader.cancel().catch(() => {});
      throw new OversizedResponse(method, bytesMax);
    }
    sink.write(value);
  }
  return new TextDecoder().decode(sink.end());
}
