import type { Static } from '@sinclair/typebox';
import type { AccountListPosition } from '../../db/account-list.ts';
import type { Database } from '../../db/client.ts';
import type { Reader } from '../../db/look-ups.ts';
import type { SerialisedCache } from '../../http/caches/serialised-cache.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { PageOf, requestedPage } from '../../http/lists/pages.ts';
import { versionTag } from '../../http/mutations/mutation-headers.ts';
import {
  type Caller,
  mutation,
  privateRead,
  publicRead,
  type Route,
  type RouteDefinition,
} from '../../http/route.ts';
import { requestedSending } from '../../intents/sending.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { MintPath } from '../../shared/field-schemas.ts';
import { Problem } from '../../shared/problem.ts';
import {
  type LaunchConfigRouteDependencies,
  launchConfigDefinitions,
  launchConfigRoutes,
} from './configs/routes.ts';
import { type CreationDependencies, createLaunch } from './create-launch.ts';
import {
  type CreatorTransferDependencies,
  creatorTransferDefinitions,
  creatorTransferRoutes,
} from './creator-transfer/routes.ts';
import { findLaunch, findLaunchTexts } from './find-launch.ts';
import { listLaunches } from './list-launches.ts';
import { METADATA_PATH, metadataDocument } from './metadata-document.ts';
import { type LaunchRequest, type PreparationDependencies, prepareLaunch } from './prepare-launch.ts';
import { toLaunch } from './record.ts';
import {
  LaunchesQuery,
  LaunchPath,
  LaunchSchema,
  type MetadataDocument,
  MetadataSchema,
  NewLaunchBody,
  PreparedLaunchSchema,
} from './schema.ts';

const createLaunchDefinition = {
  id: 'createLaunch',
  method: 'POST',
  path: '/launches',
  refusesUnknownQuery: true,
  tag: 'Launches',
  summary: 'Prepare the launch of a token',
  description:
    "Makes the address of a mint and the transaction that creates the mint and its pool for the key's wallet, under a launch config of the operator (`config`, or the default one). With `initialBuy` the same transaction buys the first tokens. The next request is the submission: sign `intent.serializedTransaction`, and send the `ETag`, which is that of the intent, back in `If-Match`. Until the wallet signs, the token is `pending_launch_init` and in no list without a `status` filter; an account can have 20 launches that have not ended.",
  auth: ['transactions:write'],
  ratePolicy: 'swap-prepare',
  dependsOnKey: 'wallet',
  successStatus: 201,
  body: NewLaunchBody,
  exampleBody: {
    name: 'Copper Wire',
    symbol: 'COPPER',
    description: 'Conducts.',
    imageUrl: 'https://images.example.com/copper.png',
    links: { twitter: '@copperwire', website: 'https://copperwire.example.com' },
    initialBuy: { amountRaw: '100000000', slippageBps: 100 },
  },
  response: PreparedLaunchSchema,
  responseHeaders: ['ETag', 'Location'],
  problems: [
    'launches_unavailable',
    'launch_config_not_found',
    'launch_buy_out_of_range',
    'launch_refused',
    'launch_limit_reached',
    'send_route_unavailable',
    'chain_unavailable',
  ],
} satisfies RouteDefinition;

const getLaunchDefinition = {
  id: 'getLaunch',
  method: 'GET',
  path: '/launches/:launchId',
  refusesUnknownQuery: true,
  tag: 'Launches',
  summary: 'A launch of the account',
  description:
    'The status is `bonding`, and `poolAddress` is set, as soon as the chain shows the pool, no matter who sent the signed transaction. It is `failed` or `expired` only when the transaction can no longer land.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  params: LaunchPath,
  response: LaunchSchema,
  problems: ['launch_not_found'],
} satisfies RouteDefinition;

const listLaunchesDefinition = {
  id: 'listLaunches',
  method: 'GET',
  path: '/launches',
  refusesUnknownQuery: true,
  tag: 'Launches',
  summary: 'Launches, newest first',
  description:
    'The records of `getLaunch` for every key and wallet of the account. `status=pending_launch_init` lists the launches that wait for a signature or for the chain. A launch that expired unsigned is deleted a day later.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  query: LaunchesQuery,
  response: PageOf(LaunchSchema),
  problems: ['cursor_invalid'],
} satisfies RouteDefinition;

export const launchDefinitions: readonly RouteDefinition[] = [
  createLaunchDefinition,
  getLaunchDefinition,
  listLaunchesDefinition,
  ...launchConfigDefinitions,
  ...creatorTransferDefinitions,
];

export interface LaunchRouteDependencies
  extends PreparationDependencies,
    CreationDependencies,
    LaunchConfigRouteDependencies,
    CreatorTransferDependencies {
  database: Database;
  publicDatabase: Database;
  lookUps: Reader;
  cursors: Cursors;
  metadataDocuments: SerialisedCache<MetadataDocument>;
}

export function launchRoutes(dependencies: LaunchRouteDependencies): Route[] {
  const { database, lookUps, cursors } = dependencies;
  const intentsUrl = `${dependencies.publicUrl}${API_PREFIX}/transaction-intents`;
  return [
    mutation(createLaunchDefinition, {
      prepare: ({ body }, caller) => prepareLaunch(requestOf(body, caller), dependencies),
      async handle(_input, _caller, transaction, prepared) {
        if (prepared instanceof Problem) throw prepared;
        const launch = toLaunch(await createLaunch(transaction, prepared, dependencies), intentsUrl);
        const { shown: intent } = prepared.intent;
        return {
          body: { ...launch, sending: prepared.sending, intent },
          headers: { ETag: versionTag(intent.version), Location: `${API_PREFIX}/launches/${launch.id}` },
        };
      },
    }),
    privateRead(getLaunchDefinition, async ({ params }, { accountId }) => {
      const launch = await findLaunch(lookUps, params.launchId, accountId);
      if (launch === null) throw new Problem('launch_not_found');
      return { body: toLaunch(launch, intentsUrl) };
    }),
    privateRead(listLaunchesDefinition, async ({ query }, { accountId }) => {
      const { status } = query;
      const binding = [listLaunchesDefinition.id, accountId, status ?? null];
      const page = requestedPage<AccountListPosition>(cursors, query, binding, 1);
      const { limit, after } = page;
      const { items, next } = await listLaunches(database, accountId, { status, limit, after });
      return { body: page.toBody({ items: items.map((row) => toLaunch(row, intentsUrl)), next }) };
    }),
    ...launchConfigRoutes(dependencies),
    ...creatorTransferRoutes(dependencies),
  ];
}

function requestOf(body: Static<typeof NewLaunchBody>, { principal }: Caller<'wallet'>): LaunchRequest {
  const {
    config = null,
    initialBuy = null,
    computeUnitPrice,
    maxPriorityLamports,
    tipLamports,
    route,
    ...texts
  } = body;
  return {
    accountId: principal.accountId,
    creatorWallet: principal.walletAddress,
    configName: config,
    texts: texts as LaunchRequest['texts'],
    initialBuy: initialBuy as LaunchRequest['initialBuy'],
    sending: requestedSending({ computeUnitPrice, maxPriorityLamports, tipLamports, route }),
  };
}

/**
 * The URL in mints on chain, after the origin (contract/launches#metadata). Not an operation of the contract.
 */
const tokenMetadata = {
  id: 'tokenMetadata',
  method: 'GET',
  path: `${METADATA_PATH}/:mint`,
  tag: 'Launches',
  summary: 'Metadata document of a launched token',
  description: 'Fields as wallets and explorers read them.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 3_600,
  params: MintPath,
  response: MetadataSchema,
  problems: ['token_not_found'],
} satisfies RouteDefinition;

export function tokenMetadataRoute({ publicDatabase, metadataDocuments }: LaunchRouteDependencies): Route {
  return publicRead(tokenMetadata, (reader) => {
    const { mint } = reader.params;
    return metadataDocuments.requireReplicated(
      reader,
      mint,
      async (replica) => {
        const texts = await findLaunchTexts(replica ?? publicDatabase, mint);
        return texts && metadataDocument(texts);
      },
      'token_not_found',
    );
  });
}
