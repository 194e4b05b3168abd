import { getSignaturesForAddress, getTransaction, SIGNATURES_MAX } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { readTransaction } from '../../chain/transaction-reader.ts';
import { isSignedBy, type PreparedTransaction } from '../../chain/transactions/compare-submission.ts';
import { firstSignature } from '../../chain/transactions/transaction-id.ts';
import { decodeSignature } from '../../shared/address.ts';
import { encodeBase58 } from '../../shared/base58.ts';
import type { IntentRow } from '../row.ts';

const SIGNATURE_BYTES = 64;
const TIMEOUT_MS = 10_000;

/** What the chain says of an intent without a submission. */
export type LandingSearch =
  | { intent: IntentRow; outcome: 'landed'; signed: Uint8Array; signature: string; failed: boolean }
  /** No node lists a transaction of the wallet that is this one. */
  | { intent: IntentRow; outcome: 'not_found' }
  /** No node answered, or the wallet has more transactions than `PAGES_MAX` lists hold. */
  | { intent: IntentRow; outcome: 'unknown' };

/** What a node lists of a wallet. */
export interface WalletList {
  rpc: ChainRpc;
  /** Newest first. */
  records: { signature: string; failed: boolean }[];
  /** It goes back to the slot that was asked for. False also where the node did not answer. */
  isComplete: boolean;
}

/** Lists of one node are asked for at most this often, each of `SIGNATURES_MAX`. */
const PAGES_MAX = 20;

/** Looks for the transactions of intents in what every node lists of their signers, one wallet at a time. */
export async function findLanded(
  intents: readonly IntentRow[],
  rpcs: readonly ChainRpc[],
): Promise<LandingSearch[]> {
  const found: LandingSearch[] = [];
  for (const [wallet, ofWallet] of Map.groupBy(intents, ({ expectedSigner }) => expectedSigner)) {
    const lists = await Promise.all(rpcs.map((rpc) => listWallet(rpc, wallet, { sinceSlot: 0n })));
    for (const intent of ofWallet) found.push(await findInLists(intent, lists));
  }
  return found;
}

/**
 * The transactions of a wallet at one node, back to a slot.
 * @param options.minContextSlot a node that has not reached this slot gives no list
 */
export async function listWallet(
  rpc: ChainRpc,
  wallet: string,
  { sinceSlot, minContextSlot = 0n }: { sinceSlot: bigint; minContextSlot?: bigint },
): Promise<WalletList> {
  const records: WalletList['records'] = [];
  for (let page = 0, before: string | undefined; page < PAGES_MAX; page += 1) {
    const range = { limit: SIGNATURES_MAX, minContextSlot, before };
    const list = await getSignaturesForAddress(rpc, wallet, range, TIMEOUT_MS);
    if (!list.ok) break;
    records.push(...list.value.map(({ signature, failed }) => ({ signature, failed })));
    const last = list.value.at(-1);
    if (list.value.length < SIGNATURES_MAX || last === undefined || last.slot < sinceSlot)
      return { rpc, records, isComplete: true };
    before = last.signature;
  }
  return { rpc, records, isComplete: false };
}

/** Looks for the transaction of an intent in the lists of its signer. */
export async function findInLists(intent: IntentRow, lists: readonly WalletList[]): Promise<LandingSearch> {
  const { preparedTransaction: bytes, signatureOffset, expectedSigner } = intent;
  const prepared = { bytes, signatureOffset, expectedSigner };
  const id = knownId(prepared);
  const name = id === null ? null : encodeBase58(id);
  for (const { rpc, records } of lists) {
    for (const { signature, failed } of records) {
      if (name !== null && name !== signature) continue;
      const own = name === null ? signature : await signatureInside(rpc, signature, prepared);
      const signed = own === null ? null : signedWith(prepared, own);
      if (signed !== null) return { intent, outcome: 'landed', signed, signature, failed };
    }
  }
  return { intent, outcome: lists.some(({ isComplete }) => isComplete) ? 'not_found' : 'unknown' };
}

/** The signature of the expected signer in a transaction that another wallet pays for. */
async function signatureInside(
  rpc: ChainRpc,
  id: string,
  prepared: PreparedTransaction,
): Promise<string | null> {
  const found = await getTransaction(rpc, id, TIMEOUT_MS);
  const position = signerPosition(prepared);
  if (!found.ok || position === null) return null;
  const { transaction } = (found.value ?? {}) as { transaction?: { signatures?: unknown } };
  const signature = Array.isArray(transaction?.signatures) ? transaction.signatures[position] : null;
  return typeof signature === 'string' ? signature : null;
}

/** Which of the signatures of a transaction the expected signer gives; 0 is the id of the transaction. */
function signerPosition({ bytes, signatureOffset }: PreparedTransaction): number | null {
  const view = readTransaction(bytes);
  return view === null ? null : (signatureOffset - view.signaturesOffset) / SIGNATURE_BYTES;
}

/** The id that the transaction has whatever the expected signer signs; null when it is that signature. */
function knownId({ bytes, signatureOffset }: PreparedTransaction): Uint8Array | null {
  const view = readTransaction(bytes);
  if (view === null || view.signaturesOffset === signatureOffset) return null;
  return firstSignature(bytes, view);
}

/**
 * The prepared transaction with this signature of the expected signer, or null when it is one of something
 * else. A node cannot make it true: only the wallet can have signed these bytes.
 * @param signature base58
 */
function signedWith(prepared: PreparedTransaction, signature: string): Uint8Array | null {
  const bytes = decodeSignature(signature);
  if (bytes === null) return null;
  const signed = Uint8Array.from(prepared.bytes);
  signed.set(bytes, prepared.signatureOffset);
  return isSignedBy(signed, prepared.signatureOffset, prepared.expectedSigner) ? signed : null;
}
