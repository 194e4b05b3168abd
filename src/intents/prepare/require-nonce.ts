import { type NonceAccount, readNonceAccount } from '../../chain/accounts/nonce-account.ts';
import { getAccounts } from '../../chain/rpc/account-calls.ts';
import { isBlockhashValid } from '../../chain/rpc/blockhash-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { lifetimeOf, nonceAdvancedBy } from '../../chain/transaction-lifetime.ts';
import type { InstructionView, TransactionView } from '../../chain/transaction-reader.ts';
import { encodeAddress } from '../../shared/address.ts';
import { PreparationRefused, PreparationUnavailable } from './preparation.ts';

const TIMEOUT_MS = 5_000;
const KEY_BYTES = 32;

/**
 * Throws PreparationRefused when a transaction advances a nonce so that it cannot land, or so that another
 * lifetime than the recorded one decides its end (contract/intents#preparation-nonce). Asks nodes only when
 * the transaction advances a nonce.
 */
export async function requireNonce(
  bytes: Uint8Array,
  view: TransactionView,
  rpcs: readonly ChainRpc[],
): Promise<void> {
  const lifetime = lifetimeOf(bytes, view);
  if (lifetime.kind === 'nonce') await requireGoodNonce(bytes, view, lifetime, rpcs);
  else await refuseNonceOutOfPlace(bytes, view, lifetime.blockhash, rpcs);
}

/** One node with the nonce is enough, because others may lag. */
async function requireGoodNonce(
  bytes: Uint8Array,
  view: TransactionView,
  { nonceAccount, nonce }: { nonceAccount: string; nonce: string },
  rpcs: readonly ChainRpc[],
): Promise<void> {
  const [first] = view.instructions;
  if (first === undefined) return;
  const held = await readNonceAccounts(nonceAccount, rpcs);
  const good = held.find((account) => account?.nonce === nonce);
  if (good === undefined || good === null) {
    if (await isRecentBlockhash(nonce, rpcs))
      throw new PreparationRefused(
        `the first instruction advances the nonce of account ${nonceAccount}, but the transaction carries a recent blockhash instead of the nonce`,
      );
    if (held.every((account) => account === null))
      throw new PreparationRefused(`account ${nonceAccount} is not an initialised nonce account`);
    throw new PreparationRefused(
      `nonce account ${nonceAccount} does not hold the nonce ${nonce}: it was advanced`,
    );
  }
  if (!firstAccountIsWritable(bytes, view, first))
    throw new PreparationRefused(
      `nonce account ${nonceAccount} is not writable, so its nonce does not count`,
    );
  if (!signersOf(bytes, view, first).includes(good.authority))
    throw new PreparationRefused(
      `the authority ${good.authority} of nonce account ${nonceAccount} does not sign its advance`,
    );
}

/** A nonce counts only if the first instruction advances it; other nonces may be advanced anywhere. */
async function refuseNonceOutOfPlace(
  bytes: Uint8Array,
  view: TransactionView,
  blockhash: string,
  rpcs: readonly ChainRpc[],
): Promise<void> {
  for (const instruction of view.instructions) {
    const nonceAccount = nonceAdvancedBy(bytes, view, instruction);
    if (nonceAccount === null) continue;
    const held = await readNonceAccounts(nonceAccount, rpcs);
    if (held.some((account) => account?.nonce === blockhash))
      throw new PreparationRefused(
        `the transaction carries the nonce of account ${nonceAccount}, which its first instruction does not advance`,
      );
  }
}

/** The account at each node that responds. */
async function readNonceAccounts(
  address: string,
  rpcs: readonly ChainRpc[],
): Promise<(NonceAccount | null)[]> {
  const reads = await Promise.all(rpcs.map((rpc) => getAccounts(rpc, [address], TIMEOUT_MS)));
  const held = reads.flatMap((read) =>
    read.ok ? [readNonceAccount(read.value.accounts.get(address) ?? null)] : [],
  );
  if (held.length === 0)
    throw new PreparationUnavailable(`nonce account ${address} could not be read: no node responds`);
  return held;
}

async function isRecentBlockhash(blockhash: string, rpcs: readonly ChainRpc[]): Promise<boolean> {
  const answers = await Promise.all(rpcs.map((rpc) => isBlockhashValid(rpc, blockhash, TIMEOUT_MS)));
  return answers.some((answer) => answer.ok && answer.value.isValid);
}

/** Whether the first account of an instruction, a static key, is writable by the header of the message. */
export function firstAccountIsWritable(
  bytes: Uint8Array,
  { version, messageOffset, keyCount }: TransactionView,
  { accountsOffset }: InstructionView,
): boolean {
  const headerOffset = version === 'legacy' ? messageOffset : messageOffset + 1;
  const [signers = 0, readonlySigned = 0, readonlyUnsigned = 0] = bytes.subarray(headerOffset);
  const index = bytes[accountsOffset] ?? keyCount;
  return index < signers ? index < signers - readonlySigned : index < keyCount - readonlyUnsigned;
}

/** The accounts of an instruction whose signatures the transaction requires. */
function signersOf(
  bytes: Uint8Array,
  { keysOffset, signatureCount }: TransactionView,
  { accountsOffset, accountCount }: InstructionView,
): string[] {
  return [...bytes.subarray(accountsOffset, accountsOffset + accountCount)]
    .filter((index) => index < signatureCount)
    .map((index) => {
      const start = keysOffset + index * KEY_BYTES;
      return encodeAddress(bytes.subarray(start, start + KEY_BYTES));
    });
}
