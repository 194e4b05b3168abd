import { describe, expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { AttemptFailure } from '../../relay/attempt/attempt-failure.ts';
import { ResponseParser } from '../../relay/attempt/response-parser.ts';
import { atEnd } from '../support/run/cleanup.ts';

/** Generates bytes that are mostly valid or damaged responses. */

const text = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''));
const many = (part: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(part, { maxLength }).map((all) => all.join(''));
const oneOf = (...values: string[]) => fc.constantFrom(...values);
/** Draws one of the others once in twenty times. */
const mostly = (usual: fc.Arbitrary<string>, ...others: string[]) =>
  fc.oneof({ weight: 19, arbitrary: usual }, { weight: 1, arbitrary: oneOf(...others) });

const token = fc.stringMatching(/^[a-zA-Z!#$%&'*+.^_`|~-]{1,8}$/);
const content = fc.stringMatching(/^[\x20-\x7e]{0,20}$/);
const lineEnd = fc.oneof(
  { weight: 200, arbitrary: oneOf('\r\n') },
  { weight: 1, arbitrary: oneOf('\n', '\r', '\r\r\n') },
);

const statusLine = text(
  mostly(
    oneOf('HTTP/1.1 ', 'HTTP/1.1 ', 'HTTP/1.0 '),
    'HTTP/2.0 ',
    'HTTP/1.2 ',
    'http/1.1 ',
    'HTTP/1.1',
    'HTTP/1.1  ',
  ),
  mostly(oneOf('200', '204', '304', '307', '410', '503', '999'), '101', '99', '1000', '2OO'),
  oneOf(' OK', '', ' ', ' Grüße', '  two'),
  lineEnd,
);
const interim = text(oneOf('HTTP/1.1 100 Continue', 'HTTP/1.1 103', 'HTTP/1.0 102 '), lineEnd, lineEnd);

const field = fc.oneof(
  text(
    oneOf('Connection: ', 'Proxy-Connection: ', 'connection:'),
    oneOf('close', 'keep-alive', 'Keep-Alive, close', 'upgrade', 'closed', ','),
  ),
  text(
    oneOf('Location:', 'Retry-After: ', 'Trailer: ', 'Upgrade: '),
    content,
    oneOf('', ' ', '\t', '\u00a0'),
  ),
  text(
    token,
    mostly(oneOf(':', ': \t'), ' :', ''),
    content,
    mostly(oneOf('', ' ', '\u00a0'), '\u0000', '\u007f', '\r'),
  ),
  mostly(oneOf('x:'), ' folded', '\tfolded', ':', ''),
);

const hexOf = ({ length }: string) => length.toString(16);
const chunk = fc
  .stringMatching(/^[\x20-\x7e]{1,20}$/)
  .chain((data) =>
    text(
      mostly(oneOf(hexOf(data), `0${hexOf(data).toUpperCase()}`), 'g', '-1', '', 'ffff'),
      mostly(
        oneOf('', ';a', ';a=b', ';a="b c"', ';a=b;c'),
        ';',
        ' ',
        '; a',
        '\t;a = b',
        ';a="\\""',
        ';a="\\',
        ';a="',
        ';a b',
        ';="b"',
      ),
      lineEnd,
      oneOf(data),
      lineEnd,
    ),
  );
const lastChunk = text(
  mostly(oneOf('0', '00', '0;a'), '', '0 '),
  lineEnd,
  many(text(field, lineEnd), 1),
  lineEnd,
);

/** Header fields with the length of a body, and a body that may have another length. */
const framed = fc.oneof(
  content.chain((data) =>
    fc.tuple(
      text(
        oneOf('Content-Length:', 'content-length: '),
        mostly(oneOf(`${data.length}`, `0${data.length} `), '5, 5', '-1', '+5', '5x', '', '99', '1 1'),
        lineEnd,
      ),
      oneOf(data),
    ),
  ),
  fc.tuple(
    text(
      oneOf('Transfer-Encoding: '),
      mostly(
        oneOf('chunked', 'Chunked', 'gzip, chunked', ', chunked'),
        'xchunked',
        '"chunked"',
        'chunked, chunked',
        'chunked;a',
        'gzip chunked',
      ),
      lineEnd,
    ),
    text(many(chunk, 4), lastChunk),
  ),
  fc.tuple(
    mostly(
      oneOf(''),
      ...['gzip', 'chunked, gzip', '', ','].map((codings) => `Transfer-Encoding: ${codings}\r\n`),
    ),
    content,
  ),
);

const likely = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: oneOf('') }, { weight: 1, arbitrary: interim }),
    statusLine,
    many(text(field, lineEnd), 3),
    framed,
    fc.oneof(
      { weight: 19, arbitrary: oneOf('') },
      { weight: 1, arbitrary: framed.map(([fields]) => fields) },
    ),
    lineEnd,
    oneOf('', '', 'more'),
  )
  .map(([before, status, fields, [lengths, body], moreLengths, end, surplus]) =>
    Buffer.from([before, status, fields, lengths, moreLengths, end, body, surplus].join(''), 'latin1'),
  );

/** Some of its bytes are changed, lost or doubled. */
function damaged(bytes: Buffer, changes: readonly (readonly [number, number, number, number])[]): Buffer {
  return changes.reduce((before, [where, byte, lost, doubled]) => {
    const at = where % (before.length + 1);
    return Buffer.concat([
      before.subarray(0, at),
      ...(byte === 0 ? [] : [Buffer.of(byte)]),
      before.subarray(Math.max(0, at - doubled), at),
      before.subarray(at + lost),
    ]);
  }, bytes);
}

const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(5), fc.nat(5)), {
  minLength: 1,
  maxLength: 3,
});

/** Any bytes that could arrive. */
const anyBytes: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 10, arbitrary: likely },
  {
    weight: 9,
    arbitrary: fc.tuple(likely, damage).map(([bytes, changes]) => damaged(bytes, changes)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200, size: 'max' }).map((bytes) => Buffer.from(bytes)) },
);

interface WellFormed {
  bytes: Buffer;
  status: number;
  body: string;
  /** Whether another request may follow on its connection, by HTTP. */
  isKept: boolean;
  /** And whether the relay sends one: not where a body is announced that the status cannot have. */
  isReusable: boolean;
}

const lines = (line: fc.Arbitrary<string>, maxLength: number) => many(text(line, oneOf('\r\n')), maxLength);
const other = text(oneOf('x-'), token, oneOf(': '), content);

const noted = oneOf('Location: /elsewhere', 'Retry-After: 7');

const inChunks = fc
  .tuple(
    fc.array(fc.tuple(fc.stringMatching(/^[\x20-\x7e]{1,20}$/), oneOf('', '', ';a', ';a=b', ';a="b c";d')), {
      maxLength: 4,
    }),
    lines(other, 2),
  )
  .map(([pieces, trailers]) => {
    const chunks = pieces.map(([data, extension]) => `${hexOf(data)}${extension}\r\n${data}\r\n`);
    return {
      fields: 'Transfer-Encoding: chunked\r\n',
      sent: `${chunks.join('')}0\r\n${trailers}\r\n`,
      body: pieces.map(([data]) => data).join(''),
    };
  });
const sized = content.map((body) => ({ fields: `Content-Length: ${body.length}\r\n`, sent: body, body }));
const untilEnd = content.map((body) => ({ fields: '', sent: body, body }));
const empty = fc
  .constantFrom('', 'Content-Length: 5\r\n', 'Transfer-Encoding: chunked\r\n')
  .map((fields) => ({ fields, sent: '', body: '' }));

/** A status, the framing of the body, and whether the framing shows where the body ends. */
const answered = fc.oneof(
  fc.tuple(fc.constantFrom(200, 201, 307, 410, 429, 503), fc.oneof(sized, inChunks), fc.constant(true)),
  fc.tuple(fc.constantFrom(200, 429), untilEnd, fc.constant(false)),
  fc.tuple(fc.constantFrom(204, 304), empty, fc.constant(true)),
);
const interims = many(
  text(
    oneOf('HTTP/1.1 100 Continue\r\n', 'HTTP/1.1 103\r\n'),
    // Fields of interim responses do not apply to the final one.
    lines(fc.oneof(other, noted), 2),
    oneOf('\r\n'),
  ),
  3,
);

/** Responses of a server that conforms to HTTP. */
const wellFormed: fc.Arbitrary<WellFormed> = fc
  .tuple(
    interims,
    answered,
    lines(fc.oneof({ weight: 5, arbitrary: other }, { weight: 1, arbitrary: noted }), 4),
    oneOf('', '', 'close', 'keep-alive', 'Keep-Alive, x'),
    fc.boolean(),
  )
  .map(([before, [status, { fields, sent, body }, isBounded], others, connection, mayBeOld]) => {
    // HTTP/1.0 has neither interim responses nor codings.
    const isOld = mayBeOld && before === '' && !fields.startsWith('Transfer');
    const named = connection === '' ? '' : `Connection: ${connection}\r\n`;
    const head = `HTTP/1.${isOld ? 0 : 1} ${status} Some\r\n${others}${named}${fields}\r\n`;
    const isKept = isBounded && connection !== 'close' && (!isOld || connection !== '');
    return {
      bytes: Buffer.from(`${before}${head}${sent}`, 'latin1'),
      status,
      body,
      isKept,
      isReusable: isKept && !([204, 304].includes(status) && fields !== ''),
    };
  });

/** For more runs: `FUZZ_RUNS=500000 npm test -- test/unit/response-parser-fuzz.test.ts` (decisions/0041). */
const RUNS = Number(process.env.FUZZ_RUNS ?? 2_000);
/** Ends a hang; a run takes less than a millisecond. */
const TIMEOUT_MS = 60_000 + 20 * RUNS;
/** More than a third of the generated responses are whole; with few of them the comparison would say little. */
const COMPARED_MIN = 0.25 * RUNS;

interface Verdict {
  status: number;
  location: string | null;
  retryAfter: string | null;
  body: string;
  /** Whether the response ended where its framing says: not cut off, and not broken. */
  isWhole: boolean;
  isReusable: boolean;
}

/**
 * The relay's reading of bytes that arrive in pieces with these ends before the connection ends; null: refused,
 * because no status was read.
 */
function verdictOf(bytes: Buffer, ends: readonly number[]): Verdict | null {
  let body = '';
  const parser = new ResponseParser((piece) => {
    body += piece.toString('latin1');
  });
  try {
    let from = 0;
    for (const end of [...ends, bytes.length]) {
      parser.push(bytes.subarray(from, end));
      from = end;
    }
    parser.end();
  } catch (error) {
    if (error instanceof AttemptFailure) return null;
    throw error;
  }
  const { head, isComplete: isWhole, isReusable } = parser;
  return head === null ? null : { ...head, body, isWhole, isReusable };
}

/** The number of bytes that belong to the response. Later bytes do not. */
function lengthOf(bytes: Buffer): number {
  const parser = new ResponseParser(() => {});
  let length = 0;
  while (length < bytes.length && !parser.isComplete) {
    parser.push(bytes.subarray(length, length + 1));
    length += 1;
  }
  return length;
}

/**
 * What HTTP allows, or once allowed, and Node refuses: continued lines, and blanks and quoted pairs in the line of
 * a chunk.
 */
const REFUSED_BY_NODE = /\r\n[\t ]|\r\n[\da-f]+[^\r\n]*[\t \\]/i;

const cutBytes = anyBytes.chain((bytes) =>
  fc.tuple(
    fc.constant(bytes),
    fc
      .array(fc.nat(bytes.length), { maxLength: 6 })
      .map((ends) => ends.toSorted((left, right) => left - right)),
  ),
);

describe('beside the client of Node', () => {
  test(
    'any bytes, in any pieces, are the same response for both, or have no framing, and then a status at most',
    async () => {
      const askNode = startNodeClient();
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(cutBytes, async ([bytes, ends]) => {
          const verdict = verdictOf(bytes, ends);
          expect(verdictOf(bytes, [])).toEqual(verdict);
          expect(verdictOf(bytes, [...bytes.keys()])).toEqual(verdict);
          if (verdict === null) return;
          const { isReusable, isWhole, ...response } = verdict;
          if (!isWhole) {
            expect(bytes.toString('latin1')).toMatch(
              new RegExp(`^(?:[^]*\\n)?HTTP/\\d\\.\\d +${verdict.status}[\\r\\n\\t ]`),
            );
            expect(isReusable).toBe(false);
            return;
          }
          const length = lengthOf(bytes);
          // Left-over bytes would be taken for the next response.
          if (isReusable) expect(length).toBe(bytes.length);
          const node = await askNode(bytes.subarray(0, length));
          if ('error' in node) {
            expect(bytes.toString('latin1')).toMatch(REFUSED_BY_NODE);
            return;
          }
          compared += 1;
          expect(node).toMatchObject(isReusable ? { ...response, isKept: true } : response);
        }),
        { numRuns: RUNS },
      );
      expect(compared).toBeGreaterThan(COMPARED_MIN);
    },
    TIMEOUT_MS,
  );

  test(
    'a response that conforms to HTTP is accepted by both, and both keep its connection, unless more may come on it',
    async () => {
      const askNode = startNodeClient();
      await fc.assert(
        fc.asyncProperty(wellFormed, async ({ bytes, isReusable, isKept, ...response }) => {
          const verdict = verdictOf(bytes, []);
          expect(verdict).toMatchObject({ ...response, isReusable });
          const { location, retryAfter } = verdict ?? {};
          expect(await askNode(bytes)).toMatchObject({
            ...response,
            location,
            retryAfter,
            isKept,
          });
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );
});

/** The result of Node's client for a response. */
type NodeVerdict =
  | {
      status: number;
      location: string | null;
      retryAfter: string | null;
      /** Each byte is one latin1 character. */
      body: string;
      isKept: boolean;
    }
  | { error: string };

/** Starts Node with its own `node:http`, because Bun's is a different client. It handles one response at a
 * time. */
function startNodeClient(): (bytes: Uint8Array) => Promise<NodeVerdict> {
  const script = fileURLToPath(new URL('../support/http/node-responses.mjs', import.meta.url));
  const child = Bun.spawn(['node', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(async () => {
    child.kill();
    await child.exited;
  });
  const lines = linesOf(child.stdout);
  return async (bytes) => {
    child.stdin.write(`${Buffer.from(bytes).toString('base64')}\n`);
    child.stdin.flush();
    const { value } = await lines.next();
    return JSON.parse(value ?? '') as NodeVerdict;
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}
