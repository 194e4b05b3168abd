import { problemArea, programError } from './problem-area.ts';

export const ordersProblems = problemArea('orders', 'Orders', {
  orders_unavailable: {
    status: 503,
    title: 'Orders unavailable',
    detail: 'No worker of this deployment can send orders now.',
    meaning: 'No running worker of this deployment could decrypt and send the signed bytes of the order.',
    when: [
      'The workers have been silent for five minutes, or the operator gave them other keys than the api. Nothing was stored.',
    ],
    action: 'Repeat the request with growing pauses. If it goes on, inform the operator.',
  },
  order_slot_not_found: {
    status: 404,
    title: 'Order slot not found',
    detail: 'No order slot of this account has this id.',
    when: ['The id is unknown, or the slot belongs to another account.'],
    action:
      'Use the `id` as returned by `createOrderSlot` or `listOrderSlots`, with a key of the same account.',
  },
  order_slot_not_ready: {
    status: 409,
    title: 'Order slot not ready',
    detail: 'Only a slot that is ready can be used or closed.',
    meaning: 'The slot has no nonce account: no order can be signed with it, and no rent can be returned.',
    when: [
      'It is `pending`: the wallet has not signed, or the chain does not show the account yet.',
      'It is `closed`, `failed` or `expired`; or its wallet has closed the account a moment ago without the service.',
    ],
    action:
      'Wait until a `pending` slot is `ready`. In every other state there is no account: create another slot.',
    context: { status: { meaning: 'state of the slot, as the chain shows it', example: 'pending' } },
  },
  order_slot_exists: {
    status: 409,
    title: 'Order slot exists',
    detail: 'Another slot of this account has this nonce account.',
    when: ['`nonceAddress` names the account of a slot that is `pending` or `ready`.'],
    action: 'Use that slot.',
    context: { slotId: { meaning: 'id of that slot', example: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e' } },
  },
  order_slot_limit_reached: {
    status: 409,
    title: 'Order slot limit reached',
    detail: 'An account has at most 20 order slots that are not closed.',
    when: ['A 21st slot is created while 20 others are `pending` or `ready`.'],
    action: 'Close a slot that you do not need, or wait: an unsigned one expires within two minutes.',
    context: { limit: { meaning: 'maximum number of open slots of an account', example: 20 } },
  },
  order_slot_refused: {
    status: 409,
    title: 'Order slot refused',
    detail: 'The chain would refuse the transaction now.',
    when: [
      'The wallet has too little SOL for the rent of a nonce account and the fee (`reason` `insufficient_funds`).',
      'The system program ends with an error (`program_error`), for example because the nonce was advanced in the same block; or the runtime refuses the transaction (`refused`).',
    ],
    action: 'Send SOL to the wallet, or repeat the request with another `Idempotency-Key`.',
    context: {
      reason: {
        meaning: '`insufficient_funds`, `program_error` or `refused`',
        example: 'insufficient_funds',
      },
      programError: programError('11111111111111111111111111111111', 1, 'ResultWithNegativeLamports'),
    },
  },
  nonce_account_unusable: {
    status: 422,
    title: 'Nonce account unusable',
    detail: 'The wallet of the key cannot advance a nonce of this account.',
    when: [
      'The account does not exist, or is no initialised nonce account of the current version (`reason` `no_nonce_account`).',
      'Another address may advance its nonce (`other_authority`).',
    ],
    action: 'Name a nonce account whose authority is the wallet of the key, or leave `nonceAddress` out.',
    context: { reason: { meaning: '`no_nonce_account` or `other_authority`', example: 'other_authority' } },
  },
  order_slot_in_use: {
    status: 409,
    title: 'Order slot in use',
    detail: 'The slot holds an order of another group that has not ended.',
    meaning: 'The slot holds an order that has not ended and does not share an `oco` with the new order.',
    when: [
      'That order has its slot alone (`oco` null).',
      'It is in another group: its `oco` is another name, or the new order has none.',
    ],
    action:
      'Use another slot, cancel that order, or give both the same `oco` so that one excludes the other.',
    context: { orderId: { meaning: 'id of that order', example: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e' } },
  },
  order_limit_reached: {
    status: 409,
    title: 'Order limit reached',
    detail: 'An account has at most 100 orders that have not ended, and 20 of one token.',
    when: [
      'A 101st order is created while 100 others are `unsigned`, `open` or `triggered` (`of` `account`).',
      'A 21st order of one token is created (`of` `token`).',
    ],
    action: 'Cancel an order that you do not need, or wait: an unsigned one expires within ten minutes.',
    context: {
      of: { meaning: '`account` or `token`', example: 'account' },
      limit: { meaning: 'maximum number of such orders', example: 100 },
    },
  },
  order_not_found: {
    status: 404,
    title: 'Order not found',
    detail: 'No order of this account has this id.',
    when: ['The id is unknown, or the order belongs to another account.'],
    action: 'Use the `id` as returned by `createOrder` or `listOrders`, with a key of the same account.',
  },
  order_not_unsigned: {
    status: 409,
    title: 'Order not unsigned',
    detail: 'Only an unsigned order takes signatures.',
    when: [
      'It was signed before, and is `open` or further.',
      'It has ended; an unsigned order expires after ten minutes.',
    ],
    action: 'Read the order. Create another one when it has ended.',
    context: { status: { meaning: 'state of the order', example: 'open' } },
  },
  order_nonce_spent: {
    status: 409,
    title: 'Nonce spent',
    detail: 'The nonce of the order has advanced: its transactions can never land.',
    meaning:
      'The chain shows another nonce in the account of the slot than the one in the transactions of the order.',
    when: [
      'Another transaction has advanced the nonce since the order was prepared: another order of the slot, or one of the wallet.',
      'The nonce account is gone, or has another authority.',
    ],
    action: 'Create another order: it gets the present nonce.',
  },
  order_not_cancellable: {
    status: 409,
    title: 'Order not cancellable',
    detail: 'The order was sent, or its transactions can never land.',
    when: [
      'The order was sent: its intent decides what becomes of it.',
      'It has landed, or is `voided`: its nonce was spent.',
    ],
    action: 'Read the order, and follow its intent.',
    context: { status: { meaning: 'state of the order', example: 'landed' } },
  },
});
