import { type Static, Type } from '@sinclair/typebox';
import type { AccountListPosition } from '../../db/account-list.ts';
import type { Reader } from '../../db/look-ups.ts';
import { orderStatuses } from '../../db/values/orders.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { PageOf, paginationFields, requestedPage } from '../../http/lists/pages.ts';
import { versionTag } from '../../http/mutations/mutation-headers.ts';
import { mutation, privateRead, type Route, type RouteDefinition, waitableRead } from '../../http/route.ts';
import { requestedSending } from '../../intents/sending.ts';
import { encodeBase64 } from '../../shared/bytes.ts';
import { described, OneOf } from '../../shared/field-schemas.ts';
import { parseInstant } from '../../shared/instant.ts';
import { Problem } from '../../shared/problem.ts';
import { type CancelDependencies, cancelOrder, prepareAdvance } from './cancel-order.ts';
import { createOrder as createPreparedOrder, type OrderDependencies, prepareOrder } from './create-order.ts';
import { type NonceGates, noticesNow } from './nonce-gates.ts';
import { findOrder, listOrders as listAccountOrders, listOrderTransactions } from './order-rows.ts';
import type { OrderTransactionRow } from './order-transaction.ts';
import { type OrderRow, toOrder } from './record.ts';
import type { OrderRequest } from './requested-order.ts';
import {
  CancelledOrderSchema,
  MintFilter,
  NewOrderBody,
  OrderPath,
  OrderSchema,
  PreparedOrderSchema,
  SignaturesBody,
} from './schema.ts';
import { prepareSigning, type SigningDependencies, signOrder as signPreparedOrder } from './sign-order.ts';
import { isOrderEnded } from './state.ts';

const createOrder = {
  id: 'createOrder',
  method: 'POST',
  path: '/orders',
  refusesUnknownQuery: true,
  tag: 'Orders',
  summary: 'Prepare an order at a price',
  description:
    'Prepares a limit order, stop loss or take profit: the wallet signs now, and the service sends the swap when the price is reached. Each of its transactions first advances the nonce of the slot, and then swaps exactly `amountRaw` for at least `limitRaw`. A token on its curve has two transactions, one for the curve and one for the pool to which the token migrates; at most one of them lands. Nothing is deposited: the wallet keeps its funds, and its signature can be used for nothing else. The next request is `signOrder`, within ten minutes. Priority and tip are in the signed bytes, so they stay as they are now.',
  auth: ['transactions:write'],
  ratePolicy: 'swap-prepare',
  successStatus: 201,
  body: NewOrderBody,
  exampleBody: {
    slotId: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
    mint: 'So11111111111111111111111111111111111111112',
    side: 'buy',
    amountRaw: '100000000',
    trigger: { price: '0.000000029295', when: 'at_or_below', of: 'spot' },
    slippageBps: 300,
  },
  response: PreparedOrderSchema,
  problems: [
    'order_slot_not_found',
    'order_slot_not_ready',
    'order_slot_in_use',
    'order_limit_reached',
    'token_not_found',
    'token_not_tradable',
    'send_route_unavailable',
    'orders_unavailable',
    'chain_unavailable',
  ],
} satisfies RouteDefinition;

const signOrder = {
  id: 'signOrder',
  method: 'POST',
  path: '/orders/:orderId/signatures',
  refusesUnknownQuery: true,
  tag: 'Orders',
  summary: 'Open an order with its signatures',
  description:
    "Send the bytes of `serializedTransaction` with the wallet's signature. The first transaction is required. The second one lets the order outlive the migration of its token. The service compares the bytes, encrypts them, and sends them when a proven trade crosses the price.",
  auth: ['transactions:write'],
  ratePolicy: 'transaction-submit',
  successStatus: 200,
  params: OrderPath,
  body: SignaturesBody,
  exampleBody: {
    transactions: [{ id: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1f', signedTransaction: 'AQAB…' }],
  },
  response: OrderSchema,
  dependsOnKey: 'wallet',
  problems: [
    'order_not_found',
    'order_not_unsigned',
    'order_nonce_spent',
    'transaction_intent_tampered',
    'transaction_intent_wrong_signer',
    'transaction_intent_invalid_signature',
    'orders_unavailable',
    'chain_unavailable',
  ],
} satisfies RouteDefinition;

const listOrders = {
  id: 'listOrders',
  method: 'GET',
  path: '/orders',
  refusesUnknownQuery: true,
  tag: 'Orders',
  summary: 'Orders, newest first',
  description:
    'Without the bytes of their transactions, which `getOrder` shows. `status=open` lists the orders that wait for their price.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  query: Type.Object({
    ...paginationFields,
    status: described('Only orders with this status.', Type.Optional(OneOf(orderStatuses))),
    mint: MintFilter,
  }),
  response: PageOf(OrderSchema),
  problems: ['cursor_invalid'],
} satisfies RouteDefinition;

const getOrder = {
  id: 'getOrder',
  method: 'GET',
  path: '/orders/:orderId',
  refusesUnknownQuery: true,
  tag: 'Orders',
  summary: 'An order of the account',
  description:
    'The record names the trade that triggered the order, the intent that sent it, and what its transaction did. `transactions` have the bytes to sign. Signed bytes are never shown. `Prefer: wait=25` holds the response of an order that has not ended until its `version` changes: from the version in `If-None-Match`, or else from the version at the arrival of the request.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  params: OrderPath,
  response: PreparedOrderSchema,
  waitable: true,
  responseHeaders: ['ETag', 'Preference-Applied'],
  problems: ['order_not_found'],
} satisfies RouteDefinition;

const cancelDefinition = {
  id: 'cancelOrder',
  method: 'DELETE',
  path: '/orders/:orderId',
  refusesUnknownQuery: true,
  tag: 'Orders',
  summary: 'Stop an order',
  description:
    'The service sends nothing from then on. The signature stays valid for anybody who has the bytes until the nonce advances. To advance it, sign and submit `intent`; this also ends the other orders of the slot. The order is stopped first, so the response may have no `intent`, if the chain cannot be read now: repeat the request with another `Idempotency-Key` to get one. An order that ended without being sent stays as it is, and also gets an intent.',
  auth: ['transactions:write'],
  ratePolicy: 'transaction-submit',
  successStatus: 200,
  params: OrderPath,
  response: CancelledOrderSchema,
  problems: ['order_not_found', 'order_not_cancellable'],
} satisfies RouteDefinition;

export const orderDefinitions: readonly RouteDefinition[] = [
  createOrder,
  signOrder,
  listOrders,
  getOrder,
  cancelDefinition,
];

export interface OrderRouteDependencies extends OrderDependencies, SigningDependencies, CancelDependencies {
  lookUps: Reader;
  cursors: Cursors;
  nonceGates: NonceGates;
}

export function orderRoutes(dependencies: OrderRouteDependencies): Route[] {
  const { database, lookUps, cursors, nonceGates } = dependencies;
  return [
    mutation(createOrder, {
      prepare: ({ body }, { principal }) => prepareOrder(requestOf(principal.accountId, body), dependencies),
      async handle(_input, _caller, transaction, prepared) {
        if (prepared instanceof Problem) throw prepared;
        await createPreparedOrder(transaction, prepared);
        const { row, transactions } = prepared;
        const order = await findOrder(transaction, { orderId: row.id, accountId: row.accountId });
        if (order === null) throw new Error('an order that was just stored is gone');
        return { body: toPreparedOrder(order, transactions, nonceGates) };
      },
    }),
    mutation(signOrder, {
      prepare: ({ params: { orderId } }, { principal: { accountId } }) =>
        prepareSigning({ orderId, accountId }, dependencies),
      async handle({ params, body }, { principal }, transaction, seen) {
        const request = {
          orderId: params.orderId,
          accountId: principal.accountId,
          pinnedWallet: principal.walletAddress,
          transactions: body.transactions,
        };
        return { body: toOrder(await signPreparedOrder(transaction, request, seen, dependencies)) };
      },
    }),
    privateRead(listOrders, async ({ query }, { accountId }) => {
      const { status, mint } = query;
      const binding = [listOrders.id, accountId, status ?? null, mint ?? null];
      const page = requestedPage<AccountListPosition>(cursors, query, binding, 1);
      const { limit, after } = page;
      return {
        body: page.toBody(await listAccountOrders(database, accountId, { status, mint, limit, after })),
      };
    }),
    waitableRead(
      getOrder,
      ({ params }) => params.orderId.toLowerCase(),
      async ({ params: { orderId } }, { accountId }) => {
        const order = await findOrder(lookUps, { orderId, accountId });
        if (order === null) throw new Problem('order_not_found');
        return {
          body: toPreparedOrder(order, await listOrderTransactions(lookUps, orderId), nonceGates),
          headers: { ETag: versionTag(order.version) },
          state: isOrderEnded(order.status) ? null : String(order.version),
        };
      },
    ),
    mutation(cancelDefinition, {
      prepare: ({ params: { orderId } }, { principal: { accountId } }) =>
        prepareAdvance({ orderId, accountId }, dependencies),
      async handle({ params: { orderId } }, { principal: { accountId } }, transaction, prepared) {
        const { order, advance } = await cancelOrder(
          transaction,
          { orderId, accountId },
          prepared,
          dependencies,
        );
        if (typeof advance === 'string')
          return { body: { order: toOrder(order), sending: null, intent: null, missing: advance } };
        const { intent, sending } = advance;
        return { body: { order: toOrder(order), sending, intent: intent.shown, missing: null } };
      },
    }),
  ];
}

function requestOf(accountId: string, body: Static<typeof NewOrderBody>): OrderRequest {
  const {
    slotId,
    mint,
    side,
    amountRaw,
    trigger,
    limitRaw,
    slippageBps,
    oco = null,
    expiresAt,
    ...sending
  } = body;
  return {
    accountId,
    slotId,
    mint,
    side,
    amountRaw: BigInt(amountRaw),
    trigger: { price: trigger.price, when: trigger.when, of: trigger.of ?? 'spot' },
    limitRaw: limitRaw === undefined ? null : BigInt(limitRaw),
    slippageBps: slippageBps ?? null,
    oco,
    expiresAt: parseInstant(expiresAt) ?? null,
    sending: requestedSending(sending),
  };
}

function toPreparedOrder(
  row: OrderRow,
  transactions: readonly OrderTransactionRow[],
  gates: NonceGates,
): Static<typeof PreparedOrderSchema> {
  const byId = new Map(transactions.map((one) => [one.id, one]));
  const order = toOrder(row);
  return {
    ...order,
    transactions: order.transactions.flatMap((shown) => {
      const stored = byId.get(shown.id);
      if (stored === undefined) return [];
      const { preparedTransaction, sending } = stored;
      return { ...shown, serializedTransaction: encodeBase64(preparedTransaction), sending };
    }),
    notices: noticesNow(gates),
  };
}
