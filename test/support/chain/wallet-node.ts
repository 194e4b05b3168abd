import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

/** The response of the node to getTokenAccountsByOwner. */
export type WalletNodeConduct =
  /** The response never ends. */
  | 'endless'
  /** The response declares a huge length and never ends. */
  | 'declares-length'
  /** The response comes only after `release` and has no accounts. */
  | 'holding'
  | 'empty';

export interface WalletNode {
  readonly url: string;
  conduct: WalletNodeConduct;
  /** The number of requested lists. */
  readonly requests: number;
  /** The number of unfinished responses whose reader is still connected. */
  readonly open: number;
  /** The highest value of `open`. */
  readonly openMax: number;
  release(): void;
}

const EMPTY = '{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":[]},"id":1}';
const DATA = Buffer.alloc(72, 7).toString('base64');
const ACCOUNT = `{"pubkey":"So11111111111111111111111111111111111111112","account":{"lamports":2039280,"data":["${DATA}","base64"],"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","executable":false,"rentEpoch":18446744073709551615,"space":165}},`;
const CHUNK = ACCOUNT.repeat(100);

/** A faulty node for requests of a wallet's tokens. */
export async function startWalletNode(conduct: WalletNodeConduct): Promise<WalletNode> {
  const state = { requests: 0, open: 0, openMax: 0 };
  let gate = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    // An api also polls the position of the chain.
    if (!body.includes('getTokenAccountsByOwner')) return void response.writeHead(503).end();
    state.requests += 1;
    state.open += 1;
    state.openMax = Math.max(state.openMax, state.open);
    response.on('close', () => {
      state.open -= 1;
    });
    await answer(response);
  });
  async function answer(response: ServerResponse): Promise<void> {
    if (node.conduct === 'holding') await gate.promise;
    if (node.conduct === 'holding' || node.conduct === 'empty') return void response.end(EMPTY);
    if (node.conduct === 'declares-length') response.setHeader('content-length', 1e12);
    response.write('{"jsonrpc":"2.0","result":{"context":{"slot":1},"value":[');
    while (!response.destroyed) {
      await written(response, CHUNK);
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const node: WalletNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    conduct,
    get requests() {
      return state.requests;
    },
    get open() {
      return state.open;
    },
    get openMax() {
      return state.openMax;
    },
    release() {
      gate.resolve();
      gate = Promise.withResolvers();
    },
  };
  return node;
}

/** Resolves when the system has accepted the text, so that the node stays close to its reader. */
function written(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('close', done);
      // The reader shares this event loop.
      setImmediate(resolve);
    };
    response.once('close', done);
    response.write(text, done);
  });
}
