import { OrderSchema } from '../../features/orders/schema.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };
import { type DocumentedEvent, EXAMPLE_SIGNATURE, LATER } from './documented-event.ts';

const { signOrder: order, getTransactionIntent: intent } = recorded;
const [trade] = recorded.listTokenTrades.data;
const triggered = {
  ...order,
  status: 'triggered',
  version: 3,
  triggeredBy: {
    tradeId: trade?.id,
    slot: trade?.slot,
    price: trade?.pricePerTokenInSol,
    at: LATER,
  },
};
const sent = {
  ...triggered,
  version: 5,
  intentId: intent.id,
  transactionSignature: EXAMPLE_SIGNATURE,
  completedAt: LATER,
};

const orderRecord = {
  schema: OrderSchema,
  data: 'The order as `getOrder` returns it, without the bytes of its transactions.',
  subject: order.id,
};

export const orderEvents = {
  'order.opened': {
    ...orderRecord,
    meaning: 'An order of your account waits for its price.',
    reaction:
      'Nothing needs to be done. It comes when the order was signed, and again when a trigger was taken back before anything was sent.',
    example: order,
  },
  'order.triggered': {
    ...orderRecord,
    meaning: 'A trade has crossed the price of an order of your account.',
    data: `${orderRecord.data} \`triggeredBy\` is the trade.`,
    reaction: 'Wait for `order.landed` or `order.failed`: nothing has landed yet.',
    example: triggered,
  },
  'order.landed': {
    ...orderRecord,
    meaning: 'The transaction of an order of your account has landed.',
    data: `${orderRecord.data} \`intentId\` names the intent that sent it.`,
    reaction: 'Book the swap; a fork that drops its block is reported by `transaction_intent.reverted`.',
    example: { ...sent, status: 'landed', landed: intent.landed },
  },
  'order.failed': {
    ...orderRecord,
    meaning: 'An order of your account was triggered, and did not land.',
    data: `${orderRecord.data} \`reason\` and \`refusal\` say why.`,
    reaction: 'Place another order when you still want the swap.',
    example: { ...sent, status: 'failed', reason: 'transaction_failed' },
  },
  'order.cancelled': {
    ...orderRecord,
    meaning: 'An order of your account was cancelled, or another one of its slot has landed.',
    reaction: 'Advance the nonce when nobody but you should be able to send what was signed.',
    example: recorded.cancelOrder.order,
  },
  'order.expired': {
    ...orderRecord,
    meaning: 'The time of an order of your account has ended.',
    reaction: 'Place another order when you still want the swap.',
    example: {
      ...order,
      status: 'expired',
      reason: 'not_triggered',
      version: 3,
      completedAt: order.expiresAt,
    },
  },
  'order.voided': {
    ...orderRecord,
    meaning: 'The transaction of an order of your account can never land any more.',
    data: `${orderRecord.data} \`reason\` says why.`,
    reaction: 'Place another order when you still want the swap.',
    example: { ...order, status: 'voided', reason: 'nonce_spent', version: 3, completedAt: LATER },
  },
} satisfies Record<string, DocumentedEvent>;
