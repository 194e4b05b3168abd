import { type AccountApi, ApiRefusal } from './account-api.ts';
import type { DemoWallet } from './demo-wallet.ts';
import type { Prepared, WalletActions } from './wallet-actions.ts';

interface Slot {
  readonly id: string;
  readonly status: string;
}

interface PreparedSlot extends Slot, Prepared {}

interface Order {
  readonly id: string;
  readonly status: string;
  readonly slotId: string;
}

interface PreparedOrder extends Order {
  readonly transactions: readonly { readonly id: string; readonly serializedTransaction: string }[];
}

/** States in which an order needs its slot. */
const LIVE = ['unsigned', 'open', 'triggered'];
/** Items of a page of both lists: the largest that the api allows. */
const PAGE = 100;
/** The api sees a new slot within a second or two of its transaction. */
const SLOT_WAIT = { Prefer: 'wait=3' };
const SLOT_READS_MAX = 10;

/** Orders of the wallet. Each has its own slot: a free one, or a new one, which the wallet pays for once. */
export class WalletOrders {
  readonly #api: AccountApi;
  readonly #wallet: DemoWallet;
  readonly #actions: WalletActions;
  /** Two orders at once would find the same free slot. */
  #last: Promise<unknown> = Promise.resolve();
  /** Orders by key while they are placed: pressing twice places one. */
  readonly #placing = new Map<string, Promise<Order>>();

  constructor(api: AccountApi, wallet: DemoWallet, actions: WalletActions) {
    this.#api = api;
    this.#wallet = wallet;
    this.#actions = actions;
  }

  /** @param fields those of `createOrder` without the slot. Returns the order as it is open. */
  place(fields: object, key: string): Promise<Order> {
    const known = this.#placing.get(key);
    if (known !== undefined) return known;
    const placing = this.#last.then(() => this.#place(fields, key));
    this.#placing.set(key, placing);
    this.#last = placing.catch(() => {}).finally(() => this.#placing.delete(key));
    return placing;
  }

  /** Stops the order, and advances its nonce: from then on the signature is worthless. */
  async cancel(id: string, key: string) {
    const headers = { 'Idempotency-Key': key };
    const path = `/orders/${encodeURIComponent(id)}`;
    return this.#actions.submitted(await this.#api.ask<Prepared>(path, { method: 'DELETE', headers }));
  }

  async #place(fields: object, key: string): Promise<Order> {
    const slotId = (await this.#freeSlot()) ?? (await this.#newSlot(key));
    const { id, transactions } = await this.#api.ask<PreparedOrder>('/orders', {
      method: 'POST',
      body: { ...fields, slotId },
      headers: { 'Idempotency-Key': key },
    });
    const signed = transactions.map((one) => ({
      id: one.id,
      signedTransaction: this.#wallet.sign(one.serializedTransaction),
    }));
    return this.#api.ask<Order>(`/orders/${id}/signatures`, {
      method: 'POST',
      body: { transactions: signed },
      headers: { 'Idempotency-Key': `sign-${id}` },
    });
  }

  /** A ready slot that no order needs, or null. */
  async #freeSlot(): Promise<string | null> {
    const [{ data: slots }, ...lists] = await Promise.all([
      this.#api.ask<{ data: Slot[] }>(`/order-slots?limit=${PAGE}`),
      ...LIVE.map((status) => this.#api.ask<{ data: Order[] }>(`/orders?limit=${PAGE}&status=${status}`)),
    ]);
    const used = new Set(lists.flatMap(({ data }) => data.map(({ slotId }) => slotId)));
    return slots.find(({ id, status }) => status === 'ready' && !used.has(id))?.id ?? null;
  }

  /** Creates a slot and waits until the chain shows its account. */
  async #newSlot(key: string): Promise<string> {
    const { record } = await this.#actions.submitted(
      await this.#api.ask<PreparedSlot>('/order-slots', {
        method: 'POST',
        body: {},
        headers: { 'Idempotency-Key': `slot-${key}` },
      }),
    );
    for (let reads = 0; reads < SLOT_READS_MAX; reads += 1) {
      const { status } = await this.#api.ask<Slot>(`/order-slots/${record.id}`, { headers: SLOT_WAIT });
      if (status === 'ready') return record.id;
      if (status !== 'pending') break;
    }
    throw new ApiRefusal(409, { detail: 'The order slot was not created.' });
  }
}
