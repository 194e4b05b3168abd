import { getSolanaErrorFromJsonRpcError } from '@solana/kit';
import { encodeBase64 } from '../../shared/bytes.ts';
import { Deadlines } from '../../shared/deadlines.ts';
import { Quarantine } from '../node-trust/quarantine.ts';
import { readBoundedResponse } from './response-limits.ts';
import { describeRpcFailure, httpError, type RpcOutcome } from './rpc-failure.ts';
import { SendSlots } from './send-slots.ts';

const METHOD = 'sendTransaction';
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
  const { headers = {}, inFlightMax, isSendOnly = false } = options;
  const slots = new SendSlots(inFlightMax);
  const requestHeaders = { ...headers, accept: 'application/json', 'content-type': 'application/json' };
  let lastUsedMs = Number.NEGATIVE_INFINITY;

  async function receive(body: string, method: string, { signal }: AbortController): Promise<string> {
    // A target leads nobody to another address: what answers there is not what was chosen.
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: requestHeaders,
      body,
      signal,
    });
    if (!response.ok) throw httpError(response);
    return readBoundedResponse(response, method);
  }

  /** Takes a slot that is free, and gives it back. */
  function post(body: string, method: string, deadlines: Deadlines): Promise<RpcOutcome<unknown>> {
    lastUsedMs = performance.now();
    const cancelled = new AbortController();
    const fail = (error: unknown): RpcOutcome<never> => {
      // Ends the connection, with whatever the address is still sending.
      cancelled.abort();
      slots.release();
      return { ok: false, failure: describeRpcFailure(error) };
    };
    return deadlines.within(receive(body, method, cancelled), {
      inTime(text) {
        slots.release();
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
      if (slots.tryTake()) return begin();
      return slots.take().then((isGranted) => (isGranted ? begin() : tooManyWaiting));
    },
    async warm() {
      if (performance.now() - lastUsedMs < WARM_INTERVAL_MS || !slots.tryTake()) return;
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
