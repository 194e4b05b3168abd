import { getSignaturesForAddress, getTransaction, SIGNATURES_MAX } from '../../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../../chain/rpc.ts';
import { encodeBase58 } from '../../../shared/base58.ts';
import type { IntentRow } from '../record.ts';
import type { PreparedTransaction } from '../submission/verification.ts';
import { knownId, signedWith, signerPosition } from './signed-transaction.ts';

const TIMEOUT_MS = 10_000;

/** What the chain says of an intent without a submission. */
export type Landing =
  | { intent: IntentRow; outcome: 'landed'; signed: Uint8Array; signature: string; failed: boolean }
  /** No node lists a transaction of the wallet that is this one. */
  | { intent: IntentRow; outcome: 'not_found' }
  /** No node answered, or the wallet has more transactions than one list holds. */
  | { intent: IntentRow; outcome: 'unknown' };

interface Listed {
  /** By node: what it lists of the wallet, newest first. */
  records: { rpc: ChainRpc; signature: string; failed: boolean }[];
  isComplete: boolean;
}

/** Looks for the transactions of intents in what every node lists of their signers, one wallet at a time. */
export async function findLanded(
  intents: readonly IntentRow[],
  rpcs: readonly ChainRpc[],
): Promise<Landing[]> {
  const found: Landing[] = [];
  for (const [wallet, ofWallet] of Map.groupBy(intents, ({ expectedSigner }) => expectedSigner)) {
    const listed = await listTransactions(wallet, rpcs);
    for (const intent of ofWallet) found.push(await findOne(intent, listed));
  }
  return found;
}

async function listTransactions(wallet: string, rpcs: readonly ChainRpc[]): Promise<Listed> {
  const lists = await Promise.all(
    rpcs.map(async (rpc) => ({
      rpc,
      list: await getSignaturesForAddress(rpc, wallet, { limit: SIGNATURES_MAX }, TIMEOUT_MS),
    })),
  );
  const records = lists.flatMap(({ rpc, list }) =>
    list.ok ? list.value.map(({ signature, failed }) => ({ rpc, signature, failed })) : [],
  );
  const isComplete = lists.some(({ list }) => list.ok && list.value.length < SIGNATURES_MAX);
  return { records, isComplete };
}

async function findOne(intent: IntentRow, { records, isComplete }: Listed): Promise<Landing> {
  const { preparedTransaction: bytes, signatureOffset, expectedSigner } = intent;
  const prepared = { bytes, signatureOffset, expectedSigner };
  const id = knownId(prepared);
  const name = id === null ? null : encodeBase58(id);
  for (const { rpc, signature, failed } of records) {
    if (name !== null && name !== signature) continue;
    const own = name === null ? signature : await signatureInside(rpc, signature, prepared);
    const signed = own === null ? null : signedWith(prepared, own);
    if (signed !== null) return { intent, outcome: 'landed', signed, signature, failed };
  }
  return { intent, outcome: isComplete ? 'not_found' : 'unknown' };
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
