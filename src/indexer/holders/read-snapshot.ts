import type { Mint } from '../../chain/accounts/mint.ts';
import { tokenProgramAddress } from '../../chain/accounts/programs.ts';
import type { ListedBalance } from '../../chain/holdings/balance-slice.ts';
import { UnusableNodeResponse } from '../../chain/holdings/mint-account-stream.ts';
import type { TokenHolderSource } from '../../chain/holdings/mint-holders.ts';
import type { RpcOutcome } from '../../chain/rpc.ts';
import { OwnerSet } from './owner-set.ts';
import { protocolAccountsOf } from './protocol-accounts.ts';
import { FOLLOWED_ACCOUNTS_MAX } from './size-classes.ts';

export interface SnapshotRequest {
  mintAddress: string;
  poolAddress: string | null;
  vaults: readonly string[];
  /** A snapshot before this slot cannot be used. */
  slotMin: bigint;
  /** False for a slot that the chain cannot have reached. */
  isPlausible(slot: bigint): boolean;
}

/** Every account with a mint's tokens in one slot. */
export interface HolderSnapshot {
  slot: bigint;
  at: Date;
  protocolAccounts: string[];
  accountCount: number;
  /** By address. Null when there are too many to keep: only `holderCount` is known then. */
  accounts: Map<string, { owner: string; amountRaw: bigint }> | null;
  /** The count of a token whose accounts are not kept, else null. */
  holderCount: number | null;
}

/** Extensions that keep tokens outside the balances, so that these do not add up to the supply. */
const keptApart: ReadonlySet<string> = new Set([
  'transfer_fee_config',
  'confidential_transfer_mint',
  'confidential_transfer_fee_config',
  'confidential_mint_burn',
]);

/**
 * Reads all accounts of a mint at one node. Null when the node has no such mint. The balances must add up to
 * the supply, which is read before and after: a list with missing, invented or repeated accounts is refused.
 * Throws UnusableNodeResponse.
 */
export async function readSnapshot(
  source: TokenHolderSource,
  request: SnapshotRequest,
  signal: AbortSignal,
): Promise<HolderSnapshot | null> {
  const { mintAddress } = request;
  const before = requireValue(await source.readMint(mintAddress));
  if (before.slot < request.slotMin) throw new UnusableNodeResponse(`the node is at slot ${before.slot}`);
  if (before.mint === null) return null;
  const { tokenProgram } = before.mint;
  const programAddress = tokenProgramAddress[tokenProgram];
  const protocolAccounts = await protocolAccountsOf({ ...request, tokenProgram: programAddress });
  const collected = new CollectedAccounts(protocolAccounts);
  const slot = await collect(source.list({ mintAddress, tokenProgram }, signal), collected);
  const after = requireValue(await source.readMint(mintAddress));
  requireSupply(collected.totalRaw, before.mint, after.mint);
  if (slot < request.slotMin || !request.isPlausible(slot))
    throw new UnusableNodeResponse(`the list is of slot ${slot}`);
  const at = requireValue(await source.blockTime(slot));
  const { accounts, accountCount } = collected;
  return { slot, at, protocolAccounts, accountCount, accounts, holderCount: collected.holderCount };
}

function requireValue<Value>(outcome: RpcOutcome<Value>): Value {
  if (!outcome.ok) throw new UnusableNodeResponse(outcome.failure.message);
  return outcome.value;
}

async function collect(
  list: AsyncGenerator<ListedBalance[], bigint, undefined>,
  collected: CollectedAccounts,
): Promise<bigint> {
  try {
    for (;;) {
      const next = await list.next();
      if (next.done) return next.value;
      for (const account of next.value) collected.add(account);
    }
  } finally {
    await list.return(0n);
  }
}

/** Keeps accounts while they are few. Above the limit it only counts their owners. */
class CollectedAccounts {
  readonly #protocol: ReadonlySet<string>;
  accounts: HolderSnapshot['accounts'] = new Map();
  #owners: OwnerSet | null = null;
  accountCount = 0;
  totalRaw = 0n;

  constructor(protocolAccounts: readonly string[]) {
    this.#protocol = new Set(protocolAccounts);
  }

  get holderCount(): number | null {
    return this.#owners?.count ?? null;
  }

  add({ accountAddress, owner, amountRaw }: ListedBalance): void {
    this.accountCount += 1;
    this.totalRaw += amountRaw;
    if (this.accounts === null) {
      this.#count(accountAddress, owner);
      return;
    }
    const address = copyText(accountAddress);
    if (this.accounts.has(address)) throw new UnusableNodeResponse('an account is listed twice');
    this.accounts.set(address, { owner: copyText(owner), amountRaw });
    if (this.accounts.size <= FOLLOWED_ACCOUNTS_MAX) return;
    this.#owners = new OwnerSet();
    for (const [known, account] of this.accounts) this.#count(known, account.owner);
    this.accounts = null;
  }

  #count(accountAddress: string, owner: string): void {
    if (!this.#protocol.has(owner) && !this.#protocol.has(accountAddress)) this.#owners?.add(owner);
  }
}

/**
 * A copy without the text from which it was cut or joined. The engine keeps that text alive otherwise: 1 KB
 * for each address.
 */
function copyText(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** If the supply changes during the reading, the list may be of any moment in between. */
function requireSupply(totalRaw: bigint, before: Mint, after: Mint | null): void {
  const supplies = [before.supplyRaw, after?.supplyRaw ?? before.supplyRaw];
  const [least = 0n, most = 0n] = supplies.toSorted((left, right) => (left < right ? -1 : 1));
  const isLeastKnown = !before.extensions.some((name) => keptApart.has(name));
  if (totalRaw > most || (isLeastKnown && totalRaw < least))
    throw new UnusableNodeResponse(`${totalRaw} of ${least} are in the listed accounts`);
}
