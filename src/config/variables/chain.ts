import { protocolBounds } from '../../chain/pace/protocol.ts';
import { secretParts } from '../../shared/redact.ts';
import {
  addressSecrets,
  launchConfigs,
  nodeAddresses,
  nonceGateAddresses,
  tipAccount,
} from '../addresses.ts';
import { headerSecrets, headersByHost } from '../headers.ts';
import { address, integer, list, listOrOff, text, url } from '../values.ts';
import { required, variable } from '../variable.ts';

/** Nodes of Solana, landing services, and what transactions pay. */
export const chainVariables = {
  solanaNodes: required('SOLANA_RPC_URL', {
    for: ['api', 'worker', 'internal', 'admin'],
    optionalFor: ['admin'],
    rule: nodeAddresses('own'),
    secret: addressSecrets,
    text: 'Comma-separated JSON-RPC addresses of Solana nodes, each as `URL`, `name=URL` or `name:own=URL`.',
  }),
  solanaSendAddresses: variable('SOLANA_SEND_URL', {
    // The admin CLI uses addresses and headers only in `doctor`.
    for: ['api', 'worker', 'admin'],
    rule: nodeAddresses('protected'),
    default: [],
    secret: addressSecrets,
    text: 'Comma-separated further addresses, which only receive transactions (landing services), each as `URL`, `name=URL` or `name:protected=URL`.',
  }),
  solanaSendHeaders: variable('SOLANA_SEND_HEADERS', {
    for: ['api', 'worker', 'admin'],
    rule: headersByHost,
    default: {},
    secret: headerSecrets,
    text: 'JSON with headers of requests to SOLANA_SEND_URL, by host: `{"sender.example":{"x-token":"…"}}`.',
  }),
  solanaSlotMsMin: variable('SOLANA_SLOT_MS_MIN', {
    for: ['api', 'worker', 'internal', 'admin'],
    rule: integer(10, 2_000),
    default: protocolBounds.shortestSlotMs,
    text: 'Shortest possible slot of the chain, in milliseconds. A node whose height climbs faster is not believed. Set the same value for api, worker and internal.',
  }),
  solanaSlotMsMax: variable('SOLANA_SLOT_MS_MAX', {
    for: ['api', 'worker', 'internal', 'admin'],
    rule: integer(10, 10_000),
    default: protocolBounds.longestSlotMs,
    text: 'Longest expected slot of the chain, in milliseconds. If the chain is slower, it is treated as if its slots had this length.',
  }),
  sendHoldOutPercent: variable('SEND_HOLDOUT_PERCENT', {
    for: ['api', 'worker'],
    rule: integer(0, 100),
    default: 0,
    text: 'Percentage of transactions that are withheld from one address, chosen at random for each of them, so that the landing report can compare the addresses. Set the same value for api and worker.',
  }),
  solanaSocketUrls: variable('SOLANA_WS_URL', {
    for: ['worker'],
    rule: listOrOff(url('ws:', 'wss:')),
    secret: secretParts,
    text: 'Comma-separated WebSocket addresses of nodes. If unset, the addresses of SOLANA_RPC_URL are used, with `ws` in place of `http`. `off` uses none.',
  }),
  geyserUrl: variable('GEYSER_URL', {
    for: ['worker'],
    rule: url('http:', 'https:'),
    secret: secretParts,
    text: 'Address of a Yellowstone Geyser, which speaks gRPC. If unset, none is used.',
  }),
  geyserToken: variable('GEYSER_TOKEN', {
    for: ['worker'],
    rule: text,
    secret: secretParts,
    text: 'Token that is sent to GEYSER_URL in the header `x-token`.',
  }),
  indexerRequestsPerSecond: variable('INDEXER_REQUESTS_PER_SECOND', {
    for: ['worker'],
    rule: integer(4, 10_000),
    default: 32,
    text: 'Maximum requests per second that the chain indexer and the reads of mints make, over all nodes together. Workers that divide the pools divide it too. The reads of landed transactions have a second budget of the same size. Each budget may be exceeded by a fifth within a single second.',
  }),
  maxComputeUnitPrice: variable('MAX_COMPUTE_UNIT_PRICE', {
    // The admin CLI uses it only in `fees prepare`.
    for: ['api', 'admin'],
    rule: integer(0, 1_000_000_000),
    default: 5_000_000,
    text: 'Maximum priority fee of a prepared transaction, in micro-lamports per compute unit.',
  }),
  tipLamports: variable('TIP_LAMPORTS', {
    for: ['api'],
    rule: integer(0, 1_000_000_000),
    default: 0,
    text: 'Tip of swaps and launches in lamports, paid to a landing service, unless the request names a tip. It needs TIP_ACCOUNTS.',
  }),
  minTipLamports: variable('MIN_TIP_LAMPORTS', {
    for: ['api'],
    rule: integer(0, 1_000_000_000),
    default: 0,
    text: 'Smallest tip that a request may name, in lamports.',
  }),
  maxTipLamports: variable('MAX_TIP_LAMPORTS', {
    for: ['api'],
    rule: integer(0, 1_000_000_000),
    text: 'Largest tip that a request may name, in lamports. Default: 100000000, or TIP_LAMPORTS if that is more.',
  }),
  tipAccounts: variable('TIP_ACCOUNTS', {
    for: ['api'],
    rule: list(tipAccount),
    default: [],
    text: 'Comma-separated accounts that take tips. Each transaction pays one of them. `name=account` names an account of the landing service that has this name in SOLANA_SEND_URL.',
  }),
  launchCurveConfig: variable('LAUNCH_CURVE_CONFIG', {
    // The admin CLI uses this and the next two only in `doctor`.
    for: ['api', 'admin'],
    rule: address,
    text: 'Config account of the bonding curve on which `createLaunch` launches tokens. It has the same meaning as LAUNCH_CURVE_CONFIGS with `standard=` before the account.',
  }),
  launchCurveConfigs: variable('LAUNCH_CURVE_CONFIGS', {
    for: ['api', 'admin'],
    rule: launchConfigs,
    default: [],
    text: 'Comma-separated config accounts of the bonding curves on which `createLaunch` launches tokens, each as `name=account`. The first one is the default. With no config account, the api launches no tokens. See "Launch configs".',
  }),
  nonceGates: variable('NONCE_GATES', {
    for: ['api', 'admin'],
    rule: nonceGateAddresses,
    default: [],
    text: 'Comma-separated feature accounts of the cluster that would change durable nonces, as `priority=address` and `removal=address`. No such account is known today: see "Gates of nonces".',
  }),
};
