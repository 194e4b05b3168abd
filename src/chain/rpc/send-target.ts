import { getSolanaErrorFromJsonRpcError } from '@solana/kit';
import { encodeBase64 } from '../../shared/bytes.ts';
import { Deadlines } from '../../shared/deadlines.ts';
import { Gate } from '../../shared/gate.ts';
import { Quarantine } from '../node-trust/quarantine.ts';
import { callJsonRpc } from './post.ts';
import { describeRpcFailure, type RpcOutcome } from './rpc-failure.ts';

const METHOD = 'sendTransaction';
/** The most sends of all addresses that wait for a response: Bun's fetch runs 256 requests at a time. */
const ALL_IN_FLIGHT_MAX = 192;
const IN_FLIGHT_MAX = 64;
const WAITING_MAX = 1_024;
/** After this time the transaction has long been sent elsewhere, or is sent again. */
const WAIT_MAX_MS = 1_000;
const sendDeadlines = new Deadlines(3_000);
const warmDeadlines = new Deadlines(2_000);
const WARM_REQUEST = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}';

/** An address that transactions are sent to: a node, or a landing service that does nothing else. */
export interface SendTarget {
  /** Host and port, for logs: the rest of the URL may hold a credential. */
  readonly name: string;
  /** It takes transactions and is asked for nothing: what it says proves nothing about the chain. */
  readonly isSendOnly: boolean;
  readonly quarantine: Quarantine;
  /**
   * Sends signed bytes as they are, in quarantine too; the caller judges the response. It is `unavailable` without a
   * request when too many sends wait for this address.
   */
  send(signedTransaction: Uint8Array): Promise<RpcOutcome<unknown>>;
  /** Has a connection open that the next send finds; a request of any response, and none when one was just sent. */
  warm(): Promise<void>;
}

/** How many sends may wait for a response of one address, so that all of them together leave room for other requests. */
export function sendsInFlightMax(addresses: number): number {
  return Math.max(1, Math.min(IN_FLIGHT_MAX, Math.floor(ALL_IN_FLIGHT_MAX / Math.max(1, addresses))));
}

export interface SendTargetOptions {
  /** Sent with each request; they may be secret. */
  headers?: Readonly<Record<string, string>>;
  inFlightMax: number;
  isSendOnly?: boolean;
}

/**
 * JSON-RPC over `fetch`, whose connections stay open. The request is put together by hand, which is
 * less work than through @solana/kit: every accepted submission makes one to each address.
 */
export function createSendTarget(url: string, options: SendTargetOptions): SendTarget {
  const { headers, inFlightMax, isSendOnly = false } = options;
  // An address that is slow or hangs fills its own gate and takes nothing from another.
  const gate = new Gate({ runningMax: inFlightMax, waitingMax: WAITING_MAX, waitMaxMs: WAIT_MAX_MS });
  let lastUsedMs = Number.NEGATIVE_INFINITY;

  /** Uses a place that was taken, and gives it back. */
  function post(body: string, method: string, deadlines: Deadlines): Promise<RpcOutcome<unknown>> {
    lastUsedMs = performance.now();
    const cancelled = new AbortController();
    const fail = (error: unknown): RpcOutcome<never> => {
      // Ends the connection, with whatever the address is still sending.
      cancelled.abort();
      gate.release();
      return { ok: false, failure: describeRpcFailure(error) };
    };
    return deadlines.within(callJsonRpc(url, method, body, { signal: cancelled.signal, headers }), {
      inTime(text) {
        gate.release();
        return readResult(text);
      },
      failed: fail,
      expired: () => fail(new Error(`no response within ${deadlines.seconds} s`)),
    });
  }

  return {
    name: new URL(url).host,
    isSendOnly,
    quarantine: new Quarantine(),
    send(signedTransaction) {
      const begin = () => post(sendRequest(signedTransaction), METHOD, sendDeadlines);
      // Without a turn of the event loop where there is room: the first send of a submission begins here.
      return gate.tryTake() ? begin() : gate.take().then(begin, () => tooManyWaiting);
    },
    async warm() {
      if (performance.now() - lastUsedMs < WARM_INTERVAL_MS || !gate.tryTake()) return;
      // Whatever the response is, the connection is there; an address that is away is met by its next send.
      await post(WARM_REQUEST, 'getHealth', warmDeadlines);
    },
  };
}

/** Less than a proxy in front of a node leaves an idle connection open (60 s and more). */
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

/** The part of the configuration that says where else transactions go. */
export interface SendOnlyConfig {
  /** `SOLANA_SEND_URL`. */
  solanaSendUrls: readonly string[];
  /** `SOLANA_SEND_HEADERS`, by host. */
  solanaSendHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * One target per URL of `SOLANA_SEND_URL`, in order.
 *
 * @param nodes how many nodes this process sends to besides.
 */
export function createSendOnlyTargets(
  { solanaSendUrls, solanaSendHeaders }: SendOnlyConfig,
  nodes: number,
): SendTarget[] {
  const inFlightMax = sendsInFlightMax(solanaSendUrls.length + nodes);
  return solanaSendUrls.map((url) => {
    const headers = solanaSendHeaders[new URL(url).host] ?? {};
    return createSendTarget(url, { headers, inFlightMax, isSendOnly: true });
  });
}
