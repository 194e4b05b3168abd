import { CLOCK_SYSVAR, SYSTEM_PROGRAM } from '../../../src/chain/accounts/programs.ts';
import type { ChainRpc } from '../../../src/chain/rpc.ts';
import type { Database } from '../../../src/db/client.ts';
import { advanceOrderSlots } from '../../../src/features/orders/slots/advance-slots.ts';
import { nominalPace } from '../chain/nominal-pace.ts';
import { nonceAccountData } from '../intents/intent-transactions.ts';
import { insertIntent } from '../intents/submitted-intent.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { insertOrder } from '../orders/insert-order.ts';
import { insertSlot } from '../orders/insert-slot.ts';
import { testOutbox } from '../processes/worker-context.ts';
import type { TestClock } from '../run/clock.ts';
import { type Decision, type DecisionCase, shownByTwoAgainstNone } from './decision.ts';
import type { Answer } from './stance-nodes.ts';

const HEAD_SLOT = 100;
const WINDOW_END = 100n;
const DAY_MS = 86_400_000;
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';

interface OrderStage {
  db: Database;
  clock: TestClock;
  accountId: string;
}

export function orderDecisions({ db, clock, accountId }: OrderStage): Decision[] {
  const head = { slot: BigInt(HEAD_SLOT), blockHeight: WINDOW_END + 1n, observedAt: clock.now() };
  const decide = (rpcs: readonly ChainRpc[]) =>
    advanceOrderSlots({
      db,
      outbox: testOutbox(clock),
      clock,
      rpcs,
      chainHead: {
        current: () => head,
        identity: () => null,
        pace: () => nominalPace,
        run: () => Promise.resolve(),
      },
      metrics: { onOrdersEnded() {} },
      onStatusChanged() {},
    });
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1_000);
  const slotStatus = async (id: string) =>
    (await db<{ status: string }[]>`select status from order_slots where id = ${id}`)[0]?.status;

  /** Nodes show no account of a slot, but `open` ones do. `behind` shows none in a slot that is too early to count. */
  const absence =
    (nonceAddress: string, walletAddress: string): Answer =>
    (_method, [addresses], stance) => {
      const present = account(SYSTEM_PROGRAM, nonceAccountData(newAddress(), walletAddress));
      return accountsIn(stance === 'behind' ? HEAD_SLOT - 1 : HEAD_SLOT, addresses as string[], (address) =>
        address === nonceAddress && stance === 'open' ? present : null,
      );
    };

  async function closeOfSlot(): Promise<DecisionCase> {
    const [nonceAddress, walletAddress] = [newAddress(), newAddress()];
    const id = await insertSlot(db, { accountId, status: 'ready', nonceAddress, walletAddress });
    return {
      answer: absence(nonceAddress, walletAddress),
      decide,
      isDecided: async () => (await slotStatus(id)) === 'closed',
    };
  }

  async function expiryOfSlot(): Promise<DecisionCase> {
    const [nonceAddress, walletAddress] = [newAddress(), newAddress()];
    const intentId = await insertIntent(db, accountId, {
      status: 'prepared',
      transaction: Buffer.alloc(10),
      lastValidBlockHeight: WINDOW_END,
      expiresAt: clock.now(),
      now: clock.now(),
    });
    await db`
      update transaction_intents set status = 'expired', version = 2, completed_at = now() where id = ${intentId}`;
    const id = await insertSlot(db, { accountId, intentId, nonceAddress, walletAddress });
    return {
      answer: absence(nonceAddress, walletAddress),
      decide,
      isDecided: async () => (await slotStatus(id)) === 'expired',
    };
  }

  async function voidOfOrder(): Promise<DecisionCase> {
    const [nonceAddress, walletAddress, nonce] = [newAddress(), newAddress(), newAddress()];
    const slotId = await insertSlot(db, { accountId, status: 'ready', nonceAddress, walletAddress });
    const id = await insertOrder(db, { accountId, slotId, walletAddress });
    const createdAt = new Date(clock.now().getTime() - DAY_MS);
    await db`
      update orders set nonce_address = ${nonceAddress}, nonce = ${nonce}, created_at = ${createdAt} where id = ${id}`;
    return {
      answer: (_method, [addresses], stance) =>
        accountsIn(HEAD_SLOT, addresses as string[], (address) => {
          // A state from before the order shows the nonce before it.
          if (address === CLOCK_SYSVAR)
            return clockAccount(stance === 'behind' ? nowSeconds() - 2 * (DAY_MS / 1_000) : nowSeconds());
          if (address !== nonceAddress) return null;
          const held = stance === 'open' ? nonce : newAddress();
          return account(SYSTEM_PROGRAM, nonceAccountData(held, walletAddress));
        }),
      decide,
      async isDecided() {
        const [order] = await db<{ status: string }[]>`select status from orders where id = ${id}`;
        return order?.status === 'voided';
      },
    };
  }

  const shared = {
    last: { method: 'getMultipleAccounts', number: 1 },
    isAllowed: shownByTwoAgainstNone,
  };
  return [
    { ...shared, name: 'the void of an order whose nonce is spent', begin: voidOfOrder },
    { ...shared, name: 'the close of a slot whose account is gone', begin: closeOfSlot },
    { ...shared, name: 'the expiry of a slot whose account never came', begin: expiryOfSlot },
  ];
}

function accountsIn(
  slot: number,
  addresses: readonly string[],
  accountAt: (address: string) => object | null,
) {
  return { context: { slot }, value: addresses.map(accountAt) };
}

function clockAccount(seconds: number): object {
  const data = Buffer.alloc(40);
  data.writeBigInt64LE(BigInt(seconds), 32);
  return account(SYSVAR_OWNER, data);
}

function account(owner: string, data: Buffer): object {
  const encoded = [data.toString('base64'), 'base64'];
  return {
    owner,
    data: encoded,
    lamports: 1_000_000,
    executable: false,
    rentEpoch: 0,
    space: data.byteLength,
  };
}
