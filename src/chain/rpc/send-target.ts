import { getSolanaErrorFromJsonRpcError } from '@solana/kit';
import { encodeBase64 } from '../../shared/bytes.ts';
import { Deadlines } from '../../shared/deadlines.ts';
import { accountClient, Gate, type GateClient } from '../../shared/gate.ts';
import { hostName, type NodeAddress } from '../../shared/node-address.ts';
import { Quarantine } from '../node-trust/quarantine.ts';
import { readTransaction } from '../transaction-reader.ts';
import { callJsonRpc } from './post.ts';
import { describeRpcFailure, type RpcFailure, type RpcOutcome } from './rpc-failure.ts';

const METHOD = 'sendTransaction';
/** Limit of sends to all addresses that wait for a response. Bun's fetch runs 256 requests at a time. */
const ALL_IN_FLIGHT_MAX = 192;
const IN_FLIGHT_MAX = 64;
const WAITING_MAX = 1_024;
const ADDRESS_BYTES = 32;
/** After this time the transaction was sent to other addresses long ago, or is sent again. */
const WAIT_MAX_MS = 1_000;
const sendDeadlines = new Deadlines(3_000);
const warmDeadlines = new Deadlines(2_000);
const WARM_REQUEST = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}';

/** An address to which transactions are sent: a node, or a landing service. */
export interface SendTarget {
  /** Unique in the configuration, without secrets: for logs, metrics and records of sends. */
  readonly name: string;
  /**
   * The address only takes transactions. It is never asked, and its responses prove nothing about the chain.
   */
  readonly isSendOnly: boolean;
  /** Transactions with the route `protected` go here, and to no address without this mark. */
  readonly isProtected: boolean;
  readonly quarantine: Quarantine;
  /**
   * Sends signed bytes as they are, even in quarantine. The caller judges the response. The outcome is
   * `unavailable`, without a request, when too many sends wait for this address.
   */
  send(signedTransaction: Uint8Array): Promise<RpcOutcome<unknown>>;
  /** Opens a connection for the next send, by a request of any response. Does nothing after a recent send. */
  warm(): Promise<void>;
}

/** How many sends to one address may wait, so that all addresses together leave room for other requests. */
export function sendsInFlightMax(addresses: number): number {
  return Math.max(1, Math.min(IN_FLIGHT_MAX, Math.floor(ALL_IN_FLIGHT_MAX / Math.max(1, addresses))));
}

export interface SendTargetOptions {
  /** Sent with each request. They may be secret. */
  headers?: Readonly<Record<string, string>>;
  inFlightMax: number;
  isSendOnly?: boolean;
  isProtected?: boolean;
  /** The name in the configuration; by default host and port. */
  name?: string;
}

/**
 * JSON-RPC over `fetch`, which keeps connections open. The request is built by hand, which is less work than
 * through @solana/kit: every accepted submission makes a request to each address.
 */
export function createSendTarget(url: string, options: SendTargetOptions): SendTarget {
  const { headers, inFlightMax, isSendOnly = false, isProtected = false, name = hostName(url) } = options;
  // Each address has a gate of its own. A slow one fills its gate and takes no room from another.
  const gate = new Gate({
    runningMax: inFlightMax,
    // One wallet may use most of the gate for a burst, and leaves a quarter to others.
    clientRunningMax: Math.ceil(inFlightMax * 0.75),
    waitingMax: WAITING_MAX,
    waitMaxMs: WAIT_MAX_MS,
  });
  let lastUsedMs = Number.NEGATIVE_INFINITY;

  /** Makes a request for which the caller has entered the gate, and then leaves the gate. */
  function post(
    client: GateClient,
    body: string,
    method: string,
    deadlines: Deadlines,
  ): Promise<RpcOutcome<unknown>> {
    lastUsedMs = performance.now();
    const cancelled = new AbortController();
    const fail = (failure: RpcFailure): RpcOutcome<never> => {
      // Ends the connection, even if the address is still sending.
      cancelled.abort();
      gate.release(client);
      return { ok: false, failure };
    };
    return deadlines.within(callJsonRpc(url, method, body, { signal: cancelled.signal, headers }), {
      inTime(text) {
        gate.release(client);
        return readResult(text);
      },
      failed: (error) => fail(describeRpcFailure(error)),
      expired: () => {
        const message = `no response within ${deadlines.seconds} s`;
        return fail({ kind: 'unknown', message, reason: 'no_response' });
      },
    });
  }

  return {
    name,
    isSendOnly,
    isProtected,
    quarantine: new Quarantine(),
    send(signedTransaction) {
      const client = accountClient(feePayerOf(signedTransaction));
      const begin = () => post(client, sendRequest(signedTransaction), METHOD, sendDeadlines);
      // If there is room, the request begins in this tick of the event loop, because a submission waits for it.
      return gate.tryTake(client) ? begin() : gate.take(client).then(begin, () => tooManyWaiting);
    },
    async warm() {
      if (performance.now() - lastUsedMs < WARM_INTERVAL_MS || !gate.tryTake(WARMING)) return;
      // Every response shows that the connection is open. When the address is down, the next send fails.
      await post(WARMING, WARM_REQUEST, 'getHealth', warmDeadlines);
    },
  };
}

const WARMING: GateClient = { name: 'warming', isKeyed: true };

/** The wallet whose work a send is, in hex digits. */
function feePayerOf(signedTransaction: Uint8Array): string {
  const view = readTransaction(signedTransaction);
  return view === null
    ? ''
    : signedTransaction.subarray(view.keysOffset, view.keysOffset + ADDRESS_BYTES).toHex();
}

/** Shorter than the time after which a proxy in front of a node closes an idle connection (60 s or more). */
export const WARM_INTERVAL_MS = 20_000;

const tooManyWaiting: RpcOutcome<never> = {
  ok: false,
  failure: { kind: 'unavailable', message: 'too many sends wait for this address' },
};

function sendRequest(signedTransaction: Uint8Array): string {
  return `{"jsonrpc":"2.0","id":1,"method":"${METHOD}","params":["${encodeBase64(signedTransaction)}",{"encoding":"base64","skipPreflight":true,"maxRetries":0}]}`;
}

function readResult(text: string): RpcOutcome<unknown> {
  try {
    const response = JSON.parse(text) as { result?: unknown; error?: unknown };
    if (response.error === undefined || response.error === null) return { ok: true, value: response.result };
    return { ok: false, failure: describeRpcFailure(getSolanaErrorFromJsonRpcError(response.error)) };
  } catch (error) {
    // No JSON, or no object.
    return { ok: false, failure: describeRpcFailure(error) };
  }
}

/** The settings of send-only addresses. */
export interface SendOnlyConfig {
  /** `SOLANA_SEND_URL`. */
  solanaSendAddresses: readonly NodeAddress[];
  /** `SOLANA_SEND_HEADERS`, by host. */
  solanaSendHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * One target per address of `SOLANA_SEND_URL`, in order.
 *
 * @param nodes number of nodes to which this process sends as well.
 */
export function createSendOnlyTargets(
  { solanaSendAddresses, solanaSendHeaders }: SendOnlyConfig,
  nodes: number,
): SendTarget[] {
  const inFlightMax = sendsInFlightMax(solanaSendAddresses.length + nodes);
  return solanaSendAddresses.map(({ name, url, isProtected }) => {
    const headers = solanaSendHeaders[new URL(url).host] ?? {};
    return createSendTarget(url, { headers, inFlightMax, isSendOnly: true, isProtected, name });
  });
}
