import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Principal } from '../../src/http/access/authentication.ts';
import { clientSubject } from '../../src/http/access/client-address.ts';
import { type AnyExchange, openExchange } from '../../src/http/exchange.ts';
import { createAccessLog } from '../../src/http/observation/access-log.ts';
import { RequestContext } from '../../src/http/request-context.ts';
import { headerTemplates } from '../../src/http/responses/response-headers.ts';
import type { RouteDefinition } from '../../src/http/route.ts';
import { createLoggerOn, type Logger } from '../../src/shared/log.ts';
import { LogWriter } from '../../src/shared/log-writer.ts';
import { type ProblemCode, problemCodes } from '../../src/shared/problem-table.ts';

const SECRETS = [
  'p"ss word/1',
  'ünïcode-secret\\path',
  '0123456789abcdef0123456789abcdef',
  'deadbeef',
  'fe80-zone-secret',
  '10.1.2.3.4.5',
  '019ace4e-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  'c2VjcmV0IGtleSBvZiB0aGUgc2VydmljZQ==',
];

/** Credentials by their form, whole and cut off, and texts that nearly are one. */
const FORMS = [
  'lw_test_AAAAAAAAAAAAAAAA_bbbbbbbb',
  'lw%5Ftest%5FAAAA_bbbb',
  'lws_cccccccc',
  'whsec_dddd+/=',
  'Bearer eeee.ffff',
  'bearer%20gggg',
  'http://user:hhhh@host/path?query=iiii',
  'postgres://jjjj%2Fkkkk@host',
  '://a%2Fb@c',
  'earer',
  'lw_',
];
const SEPARATORS = [
  '/',
  '"',
  '\\',
  '\u0000',
  '\n',
  '%',
  '%zz',
  '%22',
  ',',
  ' ',
  '?',
  '@',
  ':',
  'é',
  '\ud800',
  '😀',
  '',
];

const secret = fc.constantFrom(...SECRETS, ...SECRETS.map(encodeURIComponent));
const hostile = fc
  .array(fc.oneof(secret, fc.constantFrom(...FORMS, ...SEPARATORS), fc.string({ maxLength: 12 })), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const traceId = fc.oneof(
  hex(32),
  fc.constant(SECRETS[2] ?? ''),
  hex(24).map((rest) => `deadbeef${rest}`),
);
const definition = fc.record({
  id: fc.constantFrom('getToken', 'submitTransactionIntent'),
  auth: fc.constantFrom('anonymous' as const, 'any-key' as const),
});

interface Draw {
  method: string;
  path: string;
  traceId: string;
  forwarded: string;
  peer: string;
  definition: Pick<RouteDefinition, 'id' | 'auth'> | null;
  principal: { id: string; accountId: string } | null;
  status: number;
  code: ProblemCode | undefined;
  sent: string | Uint8Array | null;
  replayed: boolean;
  agoMs: number;
}

const draws: fc.Arbitrary<Draw> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'PROPFIND'),
  path: fc.oneof(
    hostile,
    hostile.map((text) => text.repeat(30)),
  ),
  traceId,
  forwarded: fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV6().map((address) => `[${address}]:443`),
    hostile,
    secret.map((text) => `fe80::1%${text}`),
  ),
  peer: fc.oneof(fc.ipV4(), fc.ipV6(), hostile),
  definition: fc.option(definition),
  principal: fc.option(fc.record({ id: hostile, accountId: hostile })),
  status: fc.constantFrom(200, 202, 304, 404, 422, 500),
  code: fc.option(fc.constantFrom(...problemCodes), { nil: undefined }),
  sent: fc.oneof(fc.string(), fc.uint8Array(), fc.constant(null)),
  replayed: fc.boolean(),
  agoMs: fc.double({ min: 0, max: 30_000, noNaN: true }),
});

function exchangeOf(draw: Draw): AnyExchange {
  // Bun encodes what no address may hold, and `Headers` refuse what no header may; here everything comes as it is.
  const headers: Record<string, string> = {
    traceparent: `00-${draw.traceId}-0123456789abcdef-01`,
    'x-forwarded-for': draw.forwarded,
  };
  const request = {
    url: `http://host/${draw.path}`,
    method: draw.method,
    headers: { get: (name: string) => headers[name] ?? null },
  };
  const context = new RequestContext(request as unknown as Request, () => draw.peer);
  Object.assign(context, { startedAtMs: -draw.agoMs });
  const matched = (draw.definition ?? undefined) as RouteDefinition | undefined;
  const exchange: AnyExchange = openExchange(context, matched, headerTemplates(undefined));
  exchange.principal = (draw.principal ?? undefined) as Principal | undefined;
  exchange.sent = draw.sent;
  exchange.replayed = draw.replayed;
  return exchange;
}

/** The line that the logger itself writes of the same facts. */
function logThroughPino(
  log: Logger,
  { context, definition, principal, sent, replayed }: AnyExchange,
  draw: Draw,
  durationMs: number,
) {
  log.info(
    {
      requestId: context.requestId,
      traceId: context.traceparent.slice(3, 35),
      method: draw.method,
      operation: definition?.id ?? null,
      path: context.shownPath,
      status: draw.status,
      code: draw.code ?? null,
      durationMs,
      keyId: principal?.id ?? null,
      accountId: principal?.accountId ?? null,
      client: clientSubject(context, 1),
      replayed,
      bytes: draw.method === 'HEAD' || sent === null ? 0 : Buffer.byteLength(sent),
    },
    'request',
  );
}

const lines: string[] = [];
const writer = new LogWriter({
  write: (text) => lines.push(text),
  flush: () => 0,
});

function takeLine(): string {
  writer.writeWaiting();
  expect(lines).toHaveLength(1);
  return lines.pop() ?? '';
}

test('an access line, encoded by hand, is the line that the logger itself would write, and holds no secret', () => {
  const root = createLoggerOn(writer, { name: 'api "1"', level: 'info', secrets: SECRETS });
  const bound = {
    region: 'eu',
    apiKey: 'bound-key',
    note: `see ${SECRETS[0]}`,
    deep: { secret: 'x', at: 1 },
  };
  for (const log of [root, root.child(bound)]) {
    const accessLog = createAccessLog(log, { accessLog: 'all', trustedProxyHops: 1 });
    fc.assert(
      fc.property(draws, (draw) => {
        const exchange = exchangeOf(draw);
        accessLog(exchange, draw.status, draw.code);
        const line = takeLine();
        const [, time = '', durationMs = ''] = /"time":"([^"]*)".*,"durationMs":(\d+),/.exec(line) ?? [];
        expect(Number(durationMs)).toBeGreaterThanOrEqual(Math.round(draw.agoMs));
        logThroughPino(log, exchange, draw, Number(durationMs));
        // As texts: where a secret ends an escape of JSON, the redactor leaves neither of them an object.
        const expected = takeLine();
        const [, expectedTime = ''] = /"time":"([^"]*)"/.exec(expected) ?? [];
        expect(line).toBe(expected.replace(expectedTime, time));
        expect(new Date(time).toISOString()).toBe(time);
        expect(Date.parse(expectedTime) - Date.parse(time)).toBeWithin(0, 60_000);
        for (const one of SECRETS) {
          expect(line).not.toContain(one);
          expect(line).not.toContain(JSON.stringify(one).slice(1, -1));
          expect(line).not.toContain(encodeURIComponent(one));
        }
        expect(line.indexOf('\n')).toBe(line.length - 1);
      }),
      { numRuns: 2_000 },
    );
  }
});
