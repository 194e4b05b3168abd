import { Type } from '@sinclair/typebox';
import type { AccountListPosition } from '../../../db/account-list.ts';
import type { Database } from '../../../db/client.ts';
import type { Reader } from '../../../db/look-ups.ts';
import type { Cursors } from '../../../http/lists/cursor.ts';
import { PageOf, paginationFields, requestedPage } from '../../../http/lists/pages.ts';
import { versionTag } from '../../../http/mutations/mutation-headers.ts';
import {
  mutation,
  privateRead,
  type Route,
  type RouteDefinition,
  waitableRead,
} from '../../../http/route.ts';
import { requestedSending } from '../../../intents/sending.ts';
import { Problem } from '../../../shared/problem.ts';
import { type ClosureRequest, createClosure, prepareClosure } from './close-slot.ts';
import { createSlot, prepareSlot, type SlotCreationDependencies } from './create-slot.ts';
import {
  ClosureBody,
  NewOrderSlotBody,
  OrderSlotClosureSchema,
  OrderSlotPath,
  OrderSlotSchema,
  PreparedOrderSlotSchema,
} from './schema.ts';
import { findOrderSlot, listOrderSlots, toOrderSlot } from './slot-rows.ts';
import { awaitsChange } from './state.ts';

const createOrderSlot = {
  id: 'createOrderSlot',
  method: 'POST',
  path: '/order-slots',
  refusesUnknownQuery: true,
  tag: 'Orders',
  summary: 'Prepare an order slot',
  description:
    "Prepares the transaction that creates a nonce account of the key's wallet. The wallet pays its rent, is its authority, and is the only signer. The next request is the submission: sign `intent.serializedTransaction`, and send the `ETag`, which is that of the intent, back in `If-Match`. The slot is `ready` when the chain shows the account. With `nonceAddress` the slot uses an existing account, whose nonce the wallet may advance: it is `ready` at once, and there is nothing to sign.",
  auth: ['transactions:write'],
  ratePolicy: 'swap-prepare',
  dependsOnKey: 'wallet',
  successStatus: 201,
  body: NewOrderSlotBody,
  bodyOptional: true,
  exampleBody: { computeUnitPrice: 'auto' },
  response: PreparedOrderSlotSchema,
  responseHeaders: ['ETag'],
  problems: [
    'nonce_account_unusable',
    'order_slot_exists',
    'order_slot_limit_reached',
    'order_slot_refused',
    'send_route_unavailable',
    'chain_unavailable',
  ],
} satisfies RouteDefinition;

const listSlots = {
  id: 'listOrderSlots',
  method: 'GET',
  path: '/order-slots',
  refusesUnknownQuery: true,
  tag: 'Orders',
  summary: 'Order slots, newest first',
  description:
    'The nonce is the one that a worker read last: once per minute while a slot is `ready`. Before you sign with it, read the account itself.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  query: Type.Object(paginationFields),
  response: PageOf(OrderSlotSchema),
  problems: ['cursor_invalid'],
} satisfies RouteDefinition;

const getOrderSlot = {
  id: 'getOrderSlot',
  method: 'GET',
  path: '/order-slots/:slotId',
  refusesUnknownQuery: true,
  tag: 'Orders',
  summary: 'An order slot of the account',
  description:
    'The record that `listOrderSlots` shows. `Prefer: wait=25` holds the response while the slot is about to change, until its `status` does: while it is `pending`, or `ready` with an intent that returns its rent.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  params: OrderSlotPath,
  response: OrderSlotSchema,
  waitable: true,
  responseHeaders: ['Preference-Applied'],
  problems: ['order_slot_not_found'],
} satisfies RouteDefinition;

const closeOrderSlot = {
  id: 'closeOrderSlot',
  method: 'POST',
  path: '/order-slots/:slotId/closures',
  refusesUnknownQuery: true,
  tag: 'Orders',
  summary: 'Prepare closing an order slot',
  description:
    'Prepares the transaction that pays all lamports of the nonce account to its wallet, which deletes the account. Every transaction with its nonce is worthless from then on. The next request is the submission of `intent`, with the `ETag` in `If-Match`. The slot is `closed` when the chain shows no such account.',
  auth: ['transactions:write'],
  ratePolicy: 'swap-prepare',
  successStatus: 201,
  params: OrderSlotPath,
  body: ClosureBody,
  bodyOptional: true,
  exampleBody: { computeUnitPrice: 'auto' },
  response: OrderSlotClosureSchema,
  responseHeaders: ['ETag'],
  problems: [
    'order_slot_not_found',
    'order_slot_not_ready',
    'order_slot_refused',
    'send_route_unavailable',
    'chain_unavailable',
  ],
} satisfies RouteDefinition;

export const orderSlotDefinitions: readonly RouteDefinition[] = [
  createOrderSlot,
  listSlots,
  getOrderSlot,
  closeOrderSlot,
];

export interface OrderSlotRouteDependencies extends SlotCreationDependencies {
  database: Database;
  lookUps: Reader;
  cursors: Cursors;
}

export function orderSlotRoutes(dependencies: OrderSlotRouteDependencies): Route[] {
  const { database, lookUps, cursors } = dependencies;
  return [
    mutation(createOrderSlot, {
      prepare: ({ body: { nonceAddress = null, ...sending } }, { principal }) =>
        prepareSlot(
          {
            accountId: principal.accountId,
            walletAddress: principal.walletAddress,
            nonceAddress,
            sending: requestedSending(sending),
          },
          dependencies,
        ),
      async handle(_input, _caller, transaction, prepared) {
        if (prepared instanceof Problem) throw prepared;
        await createSlot(transaction, prepared, dependencies);
        const slot = toOrderSlot(prepared.row);
        if (prepared.prepared === null) return { body: { ...slot, sending: null, intent: null } };
        const { intent, sending } = prepared.prepared;
        return {
          body: { ...slot, sending, intent: intent.shown },
          headers: { ETag: versionTag(intent.version) },
        };
      },
    }),
    privateRead(listSlots, async ({ query }, { accountId }) => {
      const page = requestedPage<AccountListPosition>(cursors, query, [listSlots.id, accountId], 1);
      return { body: page.toBody(await listOrderSlots(database, accountId, page)) };
    }),
    waitableRead(
      getOrderSlot,
      ({ params }) => params.slotId.toLowerCase(),
      async ({ params }, { accountId }) => {
        const slot = await findOrderSlot(lookUps, params.slotId, accountId);
        if (slot === null) throw new Problem('order_slot_not_found');
        return { body: toOrderSlot(slot), state: awaitsChange(slot) ? slot.status : null };
      },
    ),
    mutation(closeOrderSlot, {
      prepare: ({ params, body }, { principal }) =>
        prepareClosure(closureOf(params.slotId, principal.accountId, body), dependencies),
      async handle({ params, body }, { principal }, transaction, prepared) {
        if (prepared instanceof Problem) throw prepared;
        const request = closureOf(params.slotId, principal.accountId, body);
        const slot = toOrderSlot(await createClosure(transaction, request, prepared, dependencies));
        const { intent, sending } = prepared;
        return {
          body: { slot, sending, intent: intent.shown },
          headers: { ETag: versionTag(intent.version) },
        };
      },
    }),
  ];
}

function closureOf(
  slotId: string,
  accountId: string,
  body: Parameters<typeof requestedSending>[0],
): ClosureRequest {
  return { slotId, accountId, sending: requestedSending(body) };
}
