import type { SerialisedCache } from '../../../http/caches/serialised-cache.ts';
import { publicRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import type { Gate } from '../../../shared/gate.ts';
import { type DescriptionDependencies, describeConfigs } from './describe-configs.ts';
import { quoteLaunch } from './quote-launch.ts';
import {
  ConfigPath,
  type LaunchConfigList,
  LaunchConfigsSchema,
  LaunchQuoteQuery,
  LaunchQuoteSchema,
} from './schema.ts';

const listLaunchConfigs = {
  id: 'listLaunchConfigs',
  method: 'GET',
  path: '/launch-configs',
  refusesUnknownQuery: true,
  tag: 'Launches',
  summary: 'Launch configs and their terms',
  description:
    'The terms of each launch config: market caps, SOL to raise, fees and their recipients, vesting, migration, liquidity, and network costs. They are computed from the config account on chain. If the list is empty, this deployment launches no tokens. A config whose account cannot be used is `unavailable` and has no terms.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  response: LaunchConfigsSchema,
  problems: [],
} satisfies RouteDefinition;

const getLaunchConfigQuote = {
  id: 'getLaunchConfigQuote',
  method: 'GET',
  path: '/launch-configs/:name/quote',
  refusesUnknownQuery: true,
  tag: 'Launches',
  summary: 'Quote the initial buy',
  description:
    'Computes exactly what `createLaunch` gives for the same `initialBuy` under this config, and stores nothing. The result is exact because every new pool starts in the same state and the config never changes. `cost` is what the network takes in addition.',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  params: ConfigPath,
  query: LaunchQuoteQuery,
  response: LaunchQuoteSchema,
  problems: [
    'launches_unavailable',
    'launch_config_not_found',
    'launch_buy_out_of_range',
    'chain_unavailable',
  ],
} satisfies RouteDefinition;

export const launchConfigDefinitions: readonly RouteDefinition[] = [listLaunchConfigs, getLaunchConfigQuote];

export interface LaunchConfigRouteDependencies extends DescriptionDependencies {
  launchConfigCache: SerialisedCache<LaunchConfigList>;
  /** For quotes, which need no key. */
  quoteGate: Gate;
}

const ONLY_ENTRY = '';

export function launchConfigRoutes(dependencies: LaunchConfigRouteDependencies): Route[] {
  const { launchConfigCache, quoteGate } = dependencies;
  return [
    publicRead(listLaunchConfigs, (reader) =>
      launchConfigCache.require(reader, ONLY_ENTRY, () => describeConfigs(dependencies), 'internal_error'),
    ),
    publicRead(getLaunchConfigQuote, async ({ params: { name }, query, client }) => ({
      body: await quoteGate.run(client, () => quoteLaunch(dependencies, name, query)),
    })),
  ];
}
