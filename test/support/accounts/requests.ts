import type { Keypair } from '@solana/web3.js';
import { exampleOf } from '../../../src/documentation/reference/sample-request.ts';
import type { RouteDefinition } from '../../../src/http/route.ts';
import { sampleRequest } from '../api/sample-requests.ts';
import { signMessage } from '../chain/sign-text.ts';
import type { Account, Resource } from './account.ts';
import type { OwnIntent } from './intents.ts';
import type { Field } from './named-fields.ts';
import { addressOf } from './owner.ts';
import type { PublicGround } from './public-ground.ts';

/** A request whose parts can still be replaced. */
export interface Draft {
  operation: RouteDefinition;
  path: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown> | undefined;
  idempotencyKey: string;
}

/** The offset of the message in a transaction, after the count of signatures and one signature. */
const MESSAGE_START = 65;

/**
 * A request of an account about its own or public resources.
 * @param ids replace its first resources
 */
export function draftOf(
  operation: RouteDefinition,
  account: Account,
  { mint, presaleId, rounds }: PublicGround,
  ids: Partial<Record<Resource, string>> = {},
): Draft {
  const own = (resource: Resource) => ids[resource] ?? account.ids[resource][0] ?? '';
  const path: Record<string, string> = {
    mint,
    id: presaleId,
    roundId: rounds.open,
    intentId: own('intent'),
    operationId: own('operation'),
    endpointId: own('endpoint'),
    deliveryId: own('delivery'),
    eventId: own('event'),
    predictionId: own('prediction'),
    launchId: own('launch'),
    name: 'standard',
    slotId: own('slot'),
    orderId: own('order'),
    keyId: own('key'),
  };
  const known: Record<string, unknown> = {
    roundId: rounds.empty,
    walletAddress: addressOf(account.wallet),
    url: 'http://127.0.0.1:8080/hook',
    since: new Date(Date.now() - 60_000).toISOString(),
    from: new Date(Date.now() - 3_300_000).toISOString(),
    to: new Date().toISOString(),
    slotId: own('slot'),
    signedTransaction: account.intents.get(own('intent'))?.signed,
  };
  const body =
    operation.exampleBody === undefined
      ? undefined
      : Object.fromEntries(
          Object.entries(operation.exampleBody).map(([name, value]) => [name, known[name] ?? value]),
        );
  const { properties = {}, required = [] } = operation.query ?? {};
  const query = Object.fromEntries(
    required.map((name) => [name, String(known[name] ?? exampleOf(properties[name]))]),
  );
  return { operation, path, query, body, idempotencyKey: crypto.randomUUID() };
}

/** The draft with another value in one of its fields. */
export function place(draft: Draft, { place: where, name }: Field, value: string): Draft {
  if (where !== 'body') return { ...draft, [where]: { ...draft[where], [name]: value } };
  const isList = draft.operation.body?.properties[name]?.type === 'array' || name === 'subjects';
  return { ...draft, body: { ...draft.body, [name]: isList ? [value] : value } };
}

/** Turns the draft into a request with the method, path and headers of the operation's examples. */
export function requestOf({ operation, path, query, body, idempotencyKey }: Draft): {
  path: string;
  init: RequestInit & { headers: Record<string, string> };
} {
  const { headers, init } = sampleRequest(operation);
  const filled = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined || value === '')
      throw new Error(
        `${operation.id} needs \`${name}\` in its path: add it in test/support/accounts/requests.ts`,
      );
    return value;
  });
  const search = new URLSearchParams(query).toString();
  return {
    path: search === '' ? filled : `${filled}?${search}`,
    init: {
      ...init,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { ...headers, ...(operation.method !== 'GET' && { 'idempotency-key': idempotencyKey }) },
    },
  };
}

/** An intent's transaction in base64, signed by the given wallet instead of the expected signer. */
export function signedBy({ unsigned }: OwnIntent, wallet: Keypair): string {
  const bytes = Uint8Array.from(unsigned);
  bytes.set(signMessage(bytes.subarray(MESSAGE_START), wallet), 1);
  return Buffer.from(bytes).toString('base64');
}
