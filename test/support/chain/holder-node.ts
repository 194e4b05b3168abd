import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { atEnd } from '../run/cleanup.ts';

/** A token account of the mint, by the number of its owner. */
export interface HeldAccount {
  owner: number;
  amountRaw: bigint;
}

/** The faults of the node; `{}` is a healthy node. */
export interface HolderFaults {
  /** The response ends in the middle of this account, but the connection closes normally. */
  truncateAt?: number;
  /** This account has the wrong length. */
  wrongLengthAt?: number;
  /** This account is of another mint: the node ignores filters. */
  otherMintAt?: number;
  /** The response has no slot. */
  withoutSlot?: boolean;
  /** The status of every response. */
  status?: number;
  /** getProgramAccounts is answered with a JSON-RPC error. */
  refuse?: boolean;
  /** The mint does not exist here. */
  withoutMint?: boolean;
  /** The response stops after this account, and the connection stays open. */
  hangAt?: number;
}

export interface HolderNode {
  readonly url: string;
  faults: HolderFaults;
  /** Listings begun. */
  readonly listings: number;
  /** The number of accounts written to connections so far. */
  readonly sent: number;
  /** True while the node waits for its reader. */
  readonly isHeldBack: boolean;
  stop(): Promise<void>;
}

export interface HolderNodeOptions {
  mint: Uint8Array;
  tokenProgram?: 'spl_token' | 'token_2022';
  slot: bigint;
  count: number;
  /** The supply of the mint; 0 by default. */
  supplyRaw?: bigint;
  /** True gives each account a different address, which takes seconds for a million accounts. */
  hasAddresses?: boolean;
  /** The number of the address of the account at a position; by default the position. */
  addressAt?(position: number): number;
  /** Generates the account at a position when it is sent, so that a million accounts use no memory. */
  accountAt(position: number): HeldAccount;
  /** Other accounts that the node knows. */
  accounts?: ReadonlyMap<string, ChainAccount>;
  slotNow?(): Promise<bigint>;
  faults?: HolderFaults;
}

/** Time of every block. */
export const HELD_AT_SECONDS = 1_800_000_000;
const ACCOUNTS_PER_WRITE = 200;
/** The address of every account without `hasAddresses`. */
const PUBKEY = 'So11111111111111111111111111111111111111112';

/** The wallet with a number. */
export function ownerAddress(number: number): string {
  return encodeBase58(ownerBytes(number));
}

/** The token account at a position. */
export function accountAddress(position: number): string {
  return encodeBase58(ownerBytes(position).fill(2, 8));
}

function ownerBytes(number: number): Buffer {
  const bytes = Buffer.alloc(32, 1);
  bytes.writeUInt32BE(number, 4);
  return bytes;
}

/** A node that knows one mint and streams its token accounts in Agave's order and format. */
export async function startHolderNode(options: HolderNodeOptions): Promise<HolderNode> {
  const counters = { listings: 0, sent: 0, isHeldBack: false };
  const server = createServer((request, response) => {
    // The client was killed during its request.
    answer(request, response).catch(() => request.socket.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, params } = JSON.parse(body) as { method: string; params: [string[]] };
    if (node.faults.status !== undefined) {
      response.writeHead(node.faults.status).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    if (method === 'getMultipleAccounts') response.end(await accountsAnswer(params[0], options, node.faults));
    else if (method === 'getProgramAccounts') await writeListing(response, options, node.faults, counters);
    else if (method === 'getBlockTime') response.end(`{"jsonrpc":"2.0","result":${HELD_AT_SECONDS},"id":1}`);
    else response.end('{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}');
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const node: HolderNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: options.faults ?? {},
    get listings() {
      return counters.listings;
    },
    get sent() {
      return counters.sent;
    },
    get isHeldBack() {
      return counters.isHeldBack;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  atEnd(node.stop);
  return node;
}

/** Returns the mint and the other accounts of the options. */
async function accountsAnswer(
  addresses: readonly string[],
  { mint, slot, slotNow, tokenProgram, accounts, supplyRaw = 0n }: HolderNodeOptions,
  { withoutMint }: HolderFaults,
): Promise<string> {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(supplyRaw, 36);
  data[45] = 1;
  const owner = tokenProgram === 'token_2022' ? TOKEN_2022 : SPL_TOKEN;
  const account = { lamports: 1, data: [data.toString('base64'), 'base64'], owner, executable: false };
  const known = withoutMint === true ? null : encodeBase58(mint);
  const value = addresses.map((address) => {
    const other = accounts?.get(address);
    if (other !== undefined) return accountJson(other);
    return address === known ? { ...account, rentEpoch: 0, space: 82 } : null;
  });
  const readAt = slotNow === undefined ? slot : await slotNow();
  return JSON.stringify({ jsonrpc: '2.0', result: { context: { slot: Number(readAt) }, value }, id: 1 });
}

function accountJson({ owner, data }: ChainAccount) {
  const text = Buffer.from(data).toString('base64');
  return { lamports: 1, data: [text, 'base64'], owner, executable: false, rentEpoch: 0, space: data.length };
}

async function writeListing(
  response: ServerResponse,
  options: HolderNodeOptions,
  faults: HolderFaults,
  counters: { listings: number; sent: number; isHeldBack: boolean },
): Promise<void> {
  counters.listings += 1;
  if (faults.refuse === true) {
    response.end('{"jsonrpc":"2.0","error":{"code":-32010,"message":"excluded from indexes"},"id":1}');
    return;
  }
  const context =
    faults.withoutSlot === true ? '' : `"context":{"apiVersion":"3.0.0","slot":${options.slot}},`;
  response.write(`{"jsonrpc":"2.0","result":{${context}"value":[`);
  const { hangAt = Number.POSITIVE_INFINITY } = faults;
  for (let at = 0; at < options.count && !response.destroyed; at += ACCOUNTS_PER_WRITE) {
    const end = Math.min(at + ACCOUNTS_PER_WRITE, options.count, hangAt);
    const texts = Array.from({ length: end - at }, (_, index) => accountText(options, faults, at + index));
    const text = (at === 0 ? '' : ',') + texts.join(',');
    counters.sent += texts.length;
    if (faults.truncateAt !== undefined && faults.truncateAt < end) {
      response.end(text.slice(0, Math.floor(text.length / 2)));
      return;
    }
    if (!response.write(text)) {
      counters.isHeldBack = true;
      await drained(response);
      counters.isHeldBack = false;
    }
    if (end === hangAt) return;
  }
  response.end(']},"id":1}');
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

function accountText(options: HolderNodeOptions, faults: HolderFaults, position: number): string {
  const { mint, tokenProgram, hasAddresses = false, addressAt, accountAt } = options;
  const { owner, amountRaw } = accountAt(position);
  const is2022 = tokenProgram === 'token_2022';
  const data = Buffer.alloc(position === faults.wrongLengthAt ? 71 : is2022 ? 170 : 72);
  data.set(position === faults.otherMintAt ? Buffer.alloc(32, 9) : mint, 0);
  data.set(ownerBytes(owner), 32);
  if (data.length >= 72) data.writeBigUInt64LE(amountRaw, 64);
  if (is2022 && data.length === 170) data[165] = 2;
  const program = is2022 ? TOKEN_2022 : SPL_TOKEN;
  const pubkey = hasAddresses ? accountAddress(addressAt?.(position) ?? position) : PUBKEY;
  return `{"pubkey":"${pubkey}","account":{"lamports":2039280,"data":["${data.toString('base64')}","base64"],"owner":"${program}","executable":false,"rentEpoch":18446744073709551615,"space":165}}`;
}
