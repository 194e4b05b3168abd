import { decodeBase64, encodeBase64 } from './base64.ts';
import { isProblemOf } from './errors.ts';
import type { Operations, Request } from './methods.ts';
import type { Arguments, Schemas } from './operations.ts';
import { isReplayed, makeUnderKeys, orderKeys } from './order-keys.ts';
import type { TradeStep, transactionsOf } from './prepared-transactions.ts';
import type { CallOptions } from './request.ts';
import type { TransactionSigner } from './signers/signer.ts';
import type { WaitOptions } from './waits/wait-for.ts';
import { waitWhile } from './waits/wait-while.ts';

type Intent = Schemas['TransactionIntent'];
type Order = Schemas['Order'];
type Slot = Schemas['OrderSlot'];

/** Calls about orders that wait, which send several requests. */
export interface OrderFlows {
  /**
   * Prepares an order, has its transactions signed, and hands the signatures in. Returns it as `open`: it is sent when
   * a trade crosses its price. Nothing is deposited. With an `idempotencyKey` the whole call can be repeated, and returns
   * the order as it is then.
   */
  placeOrder(
    parameters: Arguments<'createOrder'>,
    signer: TransactionSigner,
    options?: OrderOptions,
  ): Promise<Order>;
  /** Orders of the account, newest first: `listOrders.all`. */
  orders(parameters?: Arguments<'listOrders'>, options?: CallOptions): AsyncGenerator<Order, void, undefined>;
  /** Returns the order once it is `landed`, `failed`, `cancelled`, `expired` or `voided`. It has no limit of its own. */
  waitForOrder(orderId: string, options?: WaitOptions): Promise<Order>;
  /**
   * Stops an order, and lands the transaction that advances its nonce: nobody can use its signature from then on, nor
   * that of another order over the same slot. `cancelOrder` stops it too, and leaves the signature good for whoever has
   * it. `intent` is null where nothing has to be advanced: nothing was signed, or the nonce was spent already. Throws an
   * `IntentError` when the transaction does not confirm; the order is stopped either way.
   */
  withdrawOrder(
    parameters: Arguments<'cancelOrder'>,
    signer: TransactionSigner,
    options?: WithdrawalOptions,
  ): Promise<{ order: Order; intent: Intent | null }>;
  /**
   * Prepares the nonce account of a slot, has it signed, submits it and waits until the slot is `ready`. With
   * `nonceAddress` it takes an account of the wallet at once, and signs nothing. Throws an `IntentError` when the
   * transaction does not confirm: then nothing was created. A slot that comes back `failed` was dropped by a fork.
   */
  openSlot(
    parameters: Arguments<'createOrderSlot'>,
    signer: TransactionSigner,
    options?: SlotOptions,
  ): Promise<Slot>;
  /**
   * Returns the rent of a slot to its wallet, like `openSlot`: every order that was signed over its nonce is worthless
   * from then on. Returns the slot once it is `closed`.
   */
  closeSlot(
    parameters: Arguments<'closeOrderSlot'>,
    signer: TransactionSigner,
    options?: SlotOptions,
  ): Promise<Slot>;
}

export interface OrderOptions extends Pick<CallOptions, 'signal' | 'maxRetries'> {
  /**
   * Names this order for 24 hours: the same call under the same key, after a crash or at the same time, continues the
   * first one and never places two. Any text of 8 to 128 characters.
   */
  idempotencyKey?: string | undefined;
  /**
   * Whether the order outlives the migration of its token: it signs the transaction for the pool as well. True by
   * default. If it is false, the order ends `voided` at the migration.
   */
  outlivesMigration?: boolean | undefined;
  /** Called after each step. */
  onStep?: ((step: 'prepared' | 'opened', record: Schemas['PreparedOrder'] | Order) => void) | undefined;
}

export interface WithdrawalOptions extends WaitOptions {
  /** As for an order: the same call under the same key continues the first one. Any text of 8 to 128 characters. */
  idempotencyKey?: string | undefined;
  /** Called after each step. */
  onStep?: ((step: TradeStep, record: Schemas['CancelledOrder'] | Intent) => void) | undefined;
}

export interface SlotOptions extends WaitOptions {
  /** As for a launch: the same call under the same key continues the first one. Any text of 8 to 128 characters. */
  idempotencyKey?: string | undefined;
  /** Called after each step. */
  onStep?:
    | ((step: TradeStep, record: Schemas['PreparedOrderSlot'] | Schemas['OrderSlotClosure'] | Intent) => void)
    | undefined;
}

const live: ReadonlySet<string> = new Set<Order['status']>(['unsigned', 'open', 'triggered']);

export function orderFlowsOf(
  client: Operations,
  request: Request,
  { prepareOnce, landOnce, tradeOnce }: ReturnType<typeof transactionsOf>,
): OrderFlows {
  const slotAfter = (slotId: string, status: Slot['status'], options: WaitOptions) =>
    waitWhile<Slot>(
      `order slot ${slotId}`,
      request,
      'getOrderSlot',
      { slotId },
      (slot) => slot.status === status,
      options,
    );

  /** Undefined when an earlier call prepared it, and it was not signed in time. */
  async function placeOnce(
    parameters: Arguments<'createOrder'>,
    signer: TransactionSigner,
    { idempotencyKey, outlivesMigration = true, onStep, ...options }: OrderOptions,
  ): Promise<Order | undefined> {
    const answer = await request('createOrder', parameters, { ...options, idempotencyKey });
    const prepared = answer.body as Schemas['PreparedOrder'];
    onStep?.('prepared', prepared);
    const isRepeated = isReplayed(answer, idempotencyKey);
    const orderId = prepared.id;
    // A replayed response shows the order as it was prepared, not as it is.
    const known = isRepeated ? await orderNow(orderId, options) : prepared;
    if (known.status !== 'unsigned') return wasNotSigned(known) ? undefined : known;
    if (prepared.walletAddress !== signer.address)
      throw new TypeError(
        `order ${orderId} is for ${prepared.walletAddress}, and the signer is ${signer.address}`,
      );
    const transactions = [];
    for (const { id, serializedTransaction } of outlivesMigration
      ? prepared.transactions
      : prepared.transactions.slice(0, 1)) {
      const signed = await signer.signTransaction(decodeBase64(serializedTransaction), options);
      transactions.push({ id, signedTransaction: encodeBase64(signed) });
    }
    const opened = await open({ orderId, transactions }, isRepeated, options);
    if (wasNotSigned(opened)) return undefined;
    onStep?.('opened', opened);
    return opened;
  }

  /** Every call that continues an order hands its signatures in under one key. */
  async function open(
    parameters: Arguments<'signOrder'>,
    isRepeated: boolean,
    options: Pick<CallOptions, 'signal' | 'maxRetries'>,
  ): Promise<Order> {
    const { orderId } = parameters;
    try {
      return await client.signOrder(parameters, { ...options, idempotencyKey: `sign-${orderId}` });
    } catch (error) {
      if (!isProblemOf('signOrder', error)) throw error;
      // Another call has opened it, perhaps with other signatures of the wallet; or it is over.
      if (error.code !== 'idempotency_key_reused' && error.code !== 'order_not_unsigned') throw error;
      const order = await orderNow(orderId, options);
      if (order.status === 'unsigned' || (wasNotSigned(order) && !isRepeated)) throw error;
      return order;
    }
  }

  /** Undefined when an earlier call prepared the transaction, and it was not submitted in time. */
  async function withdrawOnce(
    parameters: Arguments<'cancelOrder'>,
    signer: TransactionSigner,
    { idempotencyKey, ...options }: WithdrawalOptions,
  ): Promise<{ order: Order; intent: Intent | null } | undefined> {
    const { prepared, isRepeated } = await prepareOnce('cancelOrder', parameters, {
      ...options,
      idempotencyKey,
    });
    const { order, intent } = prepared;
    if (intent === null) return { order, intent };
    const landed = await landOnce({ intentId: intent.id, intent }, signer, { ...options, isRepeated });
    return landed && { order, intent: landed };
  }

  const orderNow = (orderId: string, options: CallOptions): Promise<Order> =>
    client.getOrder({ orderId }, options);

  return {
    placeOrder: (parameters, signer, { idempotencyKey, ...options } = {}) =>
      makeUnderKeys('order', idempotencyKey, (key) =>
        placeOnce(parameters, signer, { ...options, idempotencyKey: key }),
      ),
    orders: (parameters, options) => client.listOrders.all(parameters, options),
    async waitForOrder(orderId, options = {}) {
      const isLive = ({ status }: Order) => live.has(status);
      return waitWhile<Order>(`order ${orderId}`, request, 'getOrder', { orderId }, isLive, options);
    },
    withdrawOrder: (parameters, signer, { idempotencyKey, ...options } = {}) =>
      makeUnderKeys('order-withdrawal', idempotencyKey, (key) =>
        withdrawOnce(parameters, signer, { ...options, idempotencyKey: key }),
      ),
    async openSlot(parameters, signer, { idempotencyKey, ...options } = {}) {
      if (typeof parameters.nonceAddress === 'string') {
        const keyOf = await orderKeys('order-slot', idempotencyKey);
        const { intent, sending, ...slot } = await client.createOrderSlot(parameters, {
          ...options,
          idempotencyKey: keyOf(0),
        });
        return slot;
      }
      const { prepared } = await makeUnderKeys('order-slot', idempotencyKey, (key) =>
        tradeOnce('createOrderSlot', parameters, signer, { ...options, idempotencyKey: key }),
      );
      return slotAfter(prepared.id, 'pending', options);
    },
    async closeSlot(parameters, signer, { idempotencyKey, ...options } = {}) {
      await makeUnderKeys('order-slot-closure', idempotencyKey, (key) =>
        tradeOnce('closeOrderSlot', parameters, signer, { ...options, idempotencyKey: key }),
      );
      return slotAfter(parameters.slotId, 'ready', options);
    },
  };
}

/** Its time for signing is over. */
function wasNotSigned({ status, reason }: Order): boolean {
  return status === 'expired' && reason === 'not_signed';
}
