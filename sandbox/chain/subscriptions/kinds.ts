import { SYSTEM_PROGRAM } from '../../../src/chain/accounts/programs.ts';
import { accountJson } from '../account-json.ts';
import type { Commitment } from '../commitment.ts';
import type { LandedTransaction } from '../ledger-listener.ts';
import { accountsAt, filtersOf } from '../methods/accounts.ts';
import { blockJson } from '../methods/blocks.ts';
import { type RpcContext, withContext } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import {
  addressOf,
  commitmentOf,
  configAt,
  historyCommitmentOf,
  type RpcConfig,
  signatureOf,
} from '../rpc-params.ts';
import type { StoredAccount } from '../vm.ts';
import type { Subscription } from './subscription.ts';

/** Makes a subscription of the parameters of its `…Subscribe` call. Throws RpcError when they are not right. */
export type SubscriptionKind = (params: readonly unknown[]) => Subscription;

const ORDER: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

/** Every kind by the name before `Subscribe`, `Unsubscribe` and `Notification`. */
export const SUBSCRIPTION_KINDS: Readonly<Record<string, SubscriptionKind>> = {
  account: (params) => {
    const address = addressOf(params[0]);
    const config = configAt(params, 1);
    return {
      notification: 'accountNotification',
      commitment: commitmentOf(config.commitment),
      onAccounts: (addresses, slot, context) =>
        addresses.has(address)
          ? [withContext(slot, encodeAccount(context.ledger.accountAt(address, slot), context, slot, config))]
          : [],
    };
  },
  program: (params) => {
    const program = addressOf(params[0]);
    const config = configAt(params, 1);
    const matches = filtersOf(config.filters);
    return {
      notification: 'programNotification',
      commitment: commitmentOf(config.commitment),
      onAccounts: (addresses, slot, context) =>
        [...addresses].flatMap((pubkey) => {
          const account = context.ledger.accountAt(pubkey, slot);
          if (account?.owner !== program || !matches.every((match) => match(account))) return [];
          return [withContext(slot, { pubkey, account: encodeAccount(account, context, slot, config) })];
        }),
    };
  },
  logs: (params) => {
    const mentioned = mentionedAddress(params[0]);
    return {
      notification: 'logsNotification',
      commitment: commitmentOf(configAt(params, 1).commitment),
      onChange: ({ slot, transaction }) => {
        if (transaction === null || !mentions(transaction, mentioned)) return [];
        const { signature, err, logs } = transaction;
        return [withContext(slot, { signature, err, logs })];
      },
    };
  },
  signature: (params) => signatureSubscription(signatureOf(params[0]), configAt(params, 1)),
  slot: () => ({
    notification: 'slotNotification',
    commitment: 'processed',
    onSlot: (slot, { view, ledger }) => [
      { slot, parent: ledger.skipped.parentOf(slot), root: view.slotAt('finalized') },
    ],
  }),
  root: () => ({
    notification: 'rootNotification',
    commitment: 'finalized',
    onSlot: (slot) => [slot],
  }),
  block: (params) => {
    const mentioned = mentionedInBlocks(params[0]);
    const config = configAt(params, 1);
    return {
      notification: 'blockNotification',
      commitment: historyCommitmentOf(config),
      onSlot: (slot, context) => {
        const records = context.ledger.history
          .bySlot(slot)
          .filter((record) => mentioned === null || accountKeysOf(context, record.sequence).has(mentioned));
        if (mentioned !== null && records.length === 0) return [];
        const block = blockJson(context, slot, records, { ...config, rewards: config.showRewards ?? false });
        return [withContext(slot, { slot, err: null, block })];
      },
    };
  },
};

/** One notification, at its commitment or right away when that is already reached; then it is over. */
function signatureSubscription(signature: string, config: RpcConfig): Subscription {
  const commitment = commitmentOf(config.commitment);
  let done = false;
  const notify = (slot: bigint, err: unknown, { faults }: RpcContext) => {
    if (done || faults.current.hideStatuses === true) return [];
    done = true;
    return [withContext(slot, { err })];
  };
  return {
    notification: 'signatureNotification',
    commitment,
    onStart: (context) => {
      const { history } = context.ledger;
      const known = history.statusOf(signature);
      if (known === null || known.slot > context.view.headSlot) return [];
      const reached = context.view.commitmentOf(known.slot);
      if (ORDER.indexOf(reached) < ORDER.indexOf(commitment)) return [];
      return notify(context.view.slotAt(commitment), parsed(known.errJson), context);
    },
    onChange: ({ slot, transaction }, context) =>
      transaction?.signature === signature ? notify(slot, transaction.err, context) : [],
    isDone: () => done,
  };
}

function parsed(errJson: string | null): unknown {
  return errJson === null ? null : JSON.parse(errJson);
}

function encodeAccount(
  account: StoredAccount | null,
  context: RpcContext,
  slot: bigint,
  config: RpcConfig,
): unknown {
  // A closed account is shown as an empty one of the system program.
  const shown = account ?? {
    lamports: 0n,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: 0n,
  };
  return accountJson(shown, config, accountsAt(context, slot));
}

/** Reads `all`, `allWithVotes` (there are no votes here), or exactly one mentioned address. Returns null for all. */
function mentionedAddress(filter: unknown): string | null {
  if (filter === 'all' || filter === 'allWithVotes') return null;
  const { mentions: addresses } = configAt([filter], 0);
  if (!Array.isArray(addresses)) throw invalidParams('Invalid Request: Invalid filter provided');
  if (addresses.length !== 1) throw invalidParams('Invalid Request: Only 1 address supported');
  return addressOf(addresses[0]);
}

function mentionedInBlocks(filter: unknown): string | null {
  if (filter === 'all') return null;
  return addressOf(configAt([filter], 0).mentionsAccountOrProgram);
}

function mentions({ accountKeys }: LandedTransaction, address: string | null): boolean {
  return address === null || accountKeys.includes(address);
}

function accountKeysOf({ ledger }: RpcContext, sequence: number): ReadonlySet<string> {
  return ledger.history.accountKeys(sequence);
}
