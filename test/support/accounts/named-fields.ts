import type { TObject, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { RouteDefinition } from '../../../src/http/route.ts';
import type { Resource } from './account.ts';

/**
 * A kind of account data that a request field can name. Besides resources these are a wallet, the `subject`
 * of an event, a place in a list, and bytes that a wallet has signed.
 */
export type Named = Resource | 'wallet' | 'subject' | 'cursor' | 'signed';

/** Why a field names nothing that belongs to an account. */
interface Open {
  open: string;
}
const open = (reason: string): Open => ({ open: reason });

/** A field of an operation's request. */
export interface Field {
  place: 'path' | 'query' | 'body';
  name: string;
  named: Named;
}

/** Keys are `path <segment before>/:<name>`, `query <name>` or `body <name>`, after an operation's id where
 * they differ. */
const fields: Readonly<Record<string, Named | Open>> = {
  'path transaction-intents/:intentId': 'intent',
  'path operations/:operationId': 'operation',
  'path webhook-endpoints/:endpointId': 'endpoint',
  'path webhook-deliveries/:deliveryId': 'delivery',
  'path events/:eventId': 'event',
  'path predictions/:predictionId': 'prediction',
  'path launches/:launchId': 'launch',
  'path launch-configs/:name': open('configs are public'),
  'path order-slots/:slotId': 'slot',
  'path orders/:orderId': 'order',
  'path keys/:keyId': 'key',
  'path tokens/:mint': open('tokens are public'),
  'path presales/:id': open('presales are public'),
  'path prediction-rounds/:roundId': open('rounds are public'),
  'path wallets/:address': open('anybody can read on the chain what a wallet holds'),
  'query wallet': open('anybody can read on the chain what a wallet holds'),
  'query mints': open('tokens are public'),
  'query creatorWallet': open('creators of tokens are public'),
  'query query': open('names, symbols and addresses of tokens are public'),
  'query mint': open('tokens are public'),
  'query accounts': open('anybody can read on the chain what transactions paid'),
  'query cursor': 'cursor',
  'openStream query cursor': open('a place in the log of all accounts'),
  'listTokenFeeDistributions query cursor': open('the list is the same for every key'),
  'query eventId': 'event',
  'query subject': 'subject',
  'query signature': open('trades are public'),
  'query traderWallet': open('trades are public'),
  'query type': open('types of events are public'),
  'query eventType': open('types of events are public'),
  'query topics': open('accounts-apart-streams.test.ts follows every topic'),
  'body signedTransaction': 'signed',
  'body walletAddress': 'wallet',
  'body newCreatorWallet': open('anybody may be given the pool of a token'),
  'getSwapInstructions body wallet': open('anybody may compose a transaction that only the wallet can sign'),
  'body mints': open('tokens are public'),
  'body afterMint': open('tokens are public'),
  'body slotId': 'slot',
  'body mint': open('tokens are public'),
  'body oco': open('a name that the account gives'),
  'body transactions': open('bytes of the order in the path, which orders.test.ts compares'),
  'body nonceAddress': open('the chain says which wallet may advance a nonce'),
  'body roundId': open('rounds are public'),
  'query roundId': open('rounds are public'),
  'body subjects': 'subject',
  'body eventTypes': open('types of events are public'),
  'body url': open('an address of the web'),
  'body imageUrl': open('an address of the web'),
  'body description': open('a text'),
  'body name': open('a text'),
  'body symbol': open('a text'),
  'body links': open('addresses of the web'),
};

const SOME_UUID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const SOME_ADDRESS = 'So11111111111111111111111111111111111111112';

/** Whether a field accepts ids or addresses. */
function canName(schema: TSchema): boolean {
  if (schema.type === 'array') return canName(schema.items);
  if (schema.type === 'object')
    return Object.values((schema as TObject).properties ?? {}).some((inner) => canName(inner as TSchema));
  if (schema.anyOf !== undefined) return (schema.anyOf as TSchema[]).some(canName);
  return Value.Check(schema, SOME_UUID) || Value.Check(schema, SOME_ADDRESS);
}

/** The fields of an operation that name data of an account. Throws for a field without an entry. */
export function namedFields(operation: RouteDefinition): Field[] {
  const { path, query, body } = operation;
  const inPath = [...path.matchAll(/([\w-]+)\/:(\w+)/g)].map(([key, , name = '']) => ({
    place: 'path' as const,
    name,
    key: `path ${key}`,
  }));
  const inQuery = nameable(query).map((name) => ({ place: 'query' as const, name, key: `query ${name}` }));
  const inBody = nameable(body as TObject | undefined).map((name) => ({
    place: 'body' as const,
    name,
    key: `body ${name}`,
  }));
  return [...inPath, ...inQuery, ...inBody].flatMap(({ place, name, key }) => {
    const named = fields[`${operation.id} ${key}`] ?? fields[key];
    if (named === undefined)
      throw new Error(
        `${operation.id} takes \`${key}\`: say in test/support/accounts/named-fields.ts what of an account it names, or why it names nothing; a new kind of resource also needs its rows in test/support/accounts/account.ts`,
      );
    // A public list is the same for every account.
    const isOpen = typeof named === 'object' || (named === 'cursor' && operation.auth === 'anonymous');
    return isOpen ? [] : [{ place, name, named }];
  });
}

function nameable(schema: TObject | undefined): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) =>
    canName(field as TSchema) ? [name] : [],
  );
}
