import { describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { LookupFailure } from '../../src/shared/dns/query.ts';
import { attemptReasons } from '../../src/shared/webhooks/attempt-reasons.ts';
import {
  expiredCertificate,
  selfSignedCertificate,
  trustedCertificate,
} from '../support/webhooks/webhook-certificates.ts';
import { startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { post } from '../support/webhooks/webhook-sender.ts';

/** Code and reason of an attempt, and the hop at which it ended. */
async function failureOf(result: ReturnType<typeof post>) {
  const { outcome, trace } = await result;
  if (outcome.kind === 'responded') throw new Error(`responded with ${outcome.status}`);
  return { cause: `${outcome.code} ${outcome.reason}`, redirect: trace.redirectCount, hop: trace.hopOrigin };
}

async function answering(onRequest: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${(await startRawReceiver(onRequest)).port}/`;
}

async function redirectTo(location: string): Promise<string> {
  const { origin } = await startReceiver({
    respond: (response) => response.writeHead(307, { location }).end(),
  });
  return origin;
}

async function closedOrigin(): Promise<string> {
  const receiver = await startReceiver();
  await receiver.close();
  return receiver.origin;
}

describe('a failed attempt has a reason', () => {
  test('network_error: the failure of the connection or of the response', async () => {
    const answers: Record<string, (socket: Socket) => void> = {
      connection_closed: (socket) => socket.end(),
      connection_reset: (socket) => socket.resetAndDestroy(),
      response_malformed: (socket) => socket.end('HTTP/2 200 OK\r\n\r\n'),
      response_truncated: (socket) => socket.end('HTTP/1.1 200 O'),
      response_headers_too_large: (socket) =>
        socket.end(`HTTP/1.1 103 x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
      too_many_interim_responses: (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(40)),
      protocol_switched: (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    };
    for (const [reason, answer] of Object.entries(answers)) {
      const url = await answering(answer);
      expect(await failureOf(post(url))).toEqual({
        cause: `network_error ${reason}`,
        redirect: 0,
        hop: url.slice(0, -1),
      });
    }
    const closed = await closedOrigin();
    expect(await failureOf(post(`${closed}/path?token=hush`))).toEqual({
      cause: 'network_error connection_refused',
      redirect: 0,
      hop: closed,
    });
  });

  test('tls_error: the fault of the certificate, or a missing handshake', async () => {
    const causeAt = async (certificate: Parameters<typeof startReceiver>[0], host = 'hook') => {
      const { port } = await startReceiver(certificate);
      return (await failureOf(post(`https://${host}.example.test:${port}/`))).cause;
    };
    expect(await causeAt({ certificate: expiredCertificate })).toBe('tls_error certificate_out_of_date');
    expect(await causeAt({ certificate: selfSignedCertificate })).toBe('tls_error certificate_not_trusted');
    expect(await causeAt({ certificate: trustedCertificate }, 'other')).toBe(
      'tls_error certificate_for_other_name',
    );
    expect(await causeAt({})).toBe('tls_error handshake_failed');
  });

  test('dns_error: no address, no response of a name server, or no question asked', async () => {
    for (const [kind, reason] of [
      ['no_address', 'no_address'],
      ['timed_out', 'look_up_timed_out'],
      ['no_turn', 'look_up_not_made'],
    ] as const) {
      const resolve = () => Promise.reject(new LookupFailure(kind, 'detail'));
      const { cause, hop } = await failureOf(post('https://hook.example.test/in', { resolve }));
      expect([cause, hop]).toEqual([`dns_error ${reason}`, 'https://hook.example.test']);
    }
  });

  test('url_disallowed: which hop was refused, and by which rule, without what its name resolved to', async () => {
    const inner = await redirectTo('http://user:hush@10.0.0.1:8080/hush?token=hush');
    expect(await failureOf(post(await redirectTo(`${inner}/hush`)))).toEqual({
      cause: 'url_disallowed userinfo_not_allowed',
      redirect: 2,
      hop: 'http://10.0.0.1:8080',
    });
    const resolve = async (name: string) => [name === 'moved.example.test' ? '10.1.2.3' : '127.0.0.1'];
    const moved = await redirectTo('https://moved.example.test/hush');
    const refused = await failureOf(post(moved, { resolve }));
    expect(refused).toEqual({
      cause: 'url_disallowed address_not_public',
      redirect: 1,
      hop: 'https://moved.example.test',
    });
    const nowhere = await redirectTo('http://');
    expect(await failureOf(post(nowhere))).toEqual({
      cause: 'url_disallowed location_invalid',
      redirect: 0,
      hop: nowhere,
    });
    const hostile = await redirectTo(`x://${'a'.repeat(8_000)}/`);
    const { cause, hop } = await failureOf(post(hostile));
    expect([cause, hop?.length]).toEqual(['url_disallowed url_too_long', 300]);
  });

  test('no reason where the code is the whole cause', async () => {
    const url = await answering(() => {});
    expect((await failureOf(post(url, { deadlineMs: 100 }))).cause).toBe('request_timeout null');
  });

  test('no reason belongs to two codes', () => {
    const reasons = Object.values(attemptReasons).flat();
    expect(new Set(reasons).size).toBe(reasons.length);
  });
});
