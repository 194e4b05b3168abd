import { accountJson } from '../account-json.ts';
import { captureBalances } from '../balance-capture.ts';
import { feeLamportsOf } from '../fees.ts';
import { loadedDataBytes } from '../loaded-data-size.ts';
import type { RpcContext } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, configAt, type RpcConfig } from '../rpc-params.ts';
import { parsedInnerInstructions } from '../transaction-json.ts';
import { innerInstructionsOf, returnDataOf } from '../transaction-meta.ts';
import type { Simulation, StoredAccount } from '../vm.ts';
import type { WireMessage } from '../wire-message.ts';
import { type WireTransaction, withBlockhash } from '../wire-transaction.ts';

/** The value of simulateTransaction: the effects of a transaction on the newest state. */
export function simulate(
  context: RpcContext,
  given: WireTransaction,
  config: RpcConfig,
  slot: bigint,
): Record<string, unknown> {
  const { ledger } = context;
  const replace = config.replaceRecentBlockhash === true;
  const verify = config.sigVerify === true;
  if (replace && verify) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  const transaction = replace ? withBlockhash(given, ledger.ring.hashOf(slot)) : given;
  const { message } = transaction;
  const loaded = ledger.loadedAddressesOf(message);
  const keys = [...message.staticKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
  const addresses = wantedAddresses(config, keys.length);

  const simulation = ledger.simulate(transaction, verify);
  const unsigned = verify && simulation.err === 'SignatureFailure';
  const refusal = unsigned ? simulation.err : ledger.refusalOf(transaction, slot);
  const err = refusal ?? simulation.err;
  const ran = refusal === null && simulation.landed;
  const { meta } = simulation;
  return {
    err,
    logs: refusal === null ? meta.logs() : [],
    unitsConsumed: ran ? meta.computeUnitsConsumed() : 0,
    returnData: ran ? returnDataOf(meta) : null,
    accounts:
      addresses === null ? null : simulatedAccounts(context, addresses, slot, ran ? simulation : null),
    innerInstructions:
      config.innerInstructions === true && ran
        ? parsedInnerInstructions(innerInstructionsOf(meta), keys)
        : null,
    replacementBlockhash: replace
      ? {
          blockhash: ledger.ring.hashOf(slot),
          lastValidBlockHeight: ledger.ring.lastValidBlockHeight(slot),
        }
      : null,
    loadedAddresses: loaded,
    ...effects(context, message, keys, ran ? simulation : null),
  };
}

/** Fee, balances and loaded bytes; null and 0 when the transaction was refused before it ran. */
function effects(
  { ledger: { vm } }: RpcContext,
  message: WireMessage,
  keys: readonly string[],
  simulation: Simulation | null,
): Record<string, unknown> {
  if (simulation === null)
    return {
      fee: null,
      loadedAccountsDataSize: 0,
      preBalances: null,
      postBalances: null,
      preTokenBalances: null,
      postTokenBalances: null,
    };
  const now = (address: string) => vm.getAccount(address);
  const then = (address: string) => {
    const after = simulation.postAccounts.get(address);
    return after === undefined ? now(address) : after;
  };
  const capture = (getAccount: (address: string) => StoredAccount | null) =>
    captureBalances(message, keys, (address) => getAccount(address)?.lamports ?? 0n, getAccount);
  const fee = feeLamportsOf(message);
  const before = capture(now);
  const after = capture(then);
  // A failed transaction only pays its fee.
  const failed = before.lamports.map((lamports, index) => (index === 0 ? lamports - fee : lamports));
  return {
    fee,
    loadedAccountsDataSize: loadedDataBytes(keys, message.lookups.length, now),
    preBalances: before.lamports,
    postBalances: simulation.err === null ? after.lamports : failed,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
  };
}

interface WantedAccounts {
  readonly addresses: readonly string[];
  readonly encoding: unknown;
}

/** The accounts that the request asks for, or null. At most as many as the transaction has. */
function wantedAddresses({ accounts }: RpcConfig, most: number): WantedAccounts | null {
  if (accounts === undefined || accounts === null) return null;
  const { addresses, encoding = 'base64' } = configAt([accounts], 0);
  if (!Array.isArray(addresses)) throw invalidParams('Invalid params: accounts.addresses must be an array.');
  if (encoding === 'base58' || encoding === 'binary') throw invalidParams('base58 encoding not supported');
  if (addresses.length > most) throw invalidParams(`Too many accounts provided; max ${most}`);
  return { addresses: addresses.map(addressOf), encoding };
}

/** The wanted accounts after the transaction; all null when it failed. */
function simulatedAccounts(
  { ledger }: RpcContext,
  { addresses, encoding }: WantedAccounts,
  slot: bigint,
  simulation: Simulation | null,
): unknown[] {
  if (simulation === null || simulation.err !== null) return addresses.map(() => null);
  const accountAfter = (address: string) => {
    const after = simulation.postAccounts.get(address);
    return after === undefined ? ledger.accountAt(address, slot) : after;
  };
  return addresses.map((address) => {
    const account = accountAfter(address);
    return account === null ? null : accountJson(account, { encoding }, accountAfter);
  });
}
