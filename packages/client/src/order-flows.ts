import type { Operations, Request } from './methods.ts';
import type { Arguments, Schemas } from './operations.ts';
import { orderKeys } from './order-keys.ts';
import type { TradeStep, transactionsOf } from './prepared-transactions.ts';
import type { TransactionSigner } from './signers/signer.ts';
import type { WaitOptions } from './waits/wait-for.ts';
import { waitWhile } from './waits/wait-while.ts';

type Slot = Schemas['OrderSlot'];

/** Calls about orders that wait, which send several requests. */
export interface OrderFlows {
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

export interface SlotOptions extends WaitOptions {
  /** As for a launch: the same call under the same key continues the first one. Any text of 8 to 128 characters. */
  idempotencyKey?: string | undefined;
  /** Called after each step. */
  onStep?:
    | ((
        step: TradeStep,
        record: Schemas['PreparedOrderSlot'] | Schemas['OrderSlotClosure'] | Schemas['TransactionIntent'],
      ) => void)
    | undefined;
}

export function orderFlowsOf(
  client: Operations,
  request: Request,
  { tradeOnce }: Pick<ReturnType<typeof transactionsOf>, 'tradeOnce'>,
): OrderFlows {
  const slotAfter = (slotId: string, status: Slot['status'], options: WaitOptions) =>
    waitWhile<Slot>(request, 'getOrderSlot', { slotId }, (slot) => slot.status === status, options);
  return {
    async openSlot(parameters, signer, { idempotencyKey, ...options } = {}) {
      const keyOf = await orderKeys('order-slot', idempotencyKey);
      if (typeof parameters.nonceAddress === 'string') {
        const { intent, sending, ...slot } = await client.createOrderSlot(parameters, {
          ...options,
          idempotencyKey: keyOf(0),
        });
        return slot;
      }
      for (let ended = 0; ; ended += 1) {
        const made = await tradeOnce('createOrderSlot', parameters, signer, {
          ...options,
          idempotencyKey: keyOf(ended),
        });
        if (made !== undefined) return slotAfter(made.prepared.id, 'pending', options);
      }
    },
    async closeSlot(parameters, signer, { idempotencyKey, ...options } = {}) {
      const keyOf = await orderKeys('order-slot-closure', idempotencyKey);
      for (let ended = 0; ; ended += 1) {
        const made = await tradeOnce('closeOrderSlot', parameters, signer, {
          ...options,
          idempotencyKey: keyOf(ended),
        });
        if (made !== undefined) return slotAfter(parameters.slotId, 'ready', options);
      }
    },
  };
}
