import { describe, expect, spyOn, test } from 'bun:test';
import { ResponseParser } from '../../relay/attempt/response-parser.ts';

interface Parsed {
  status: number | null;
  body: string;
  isComplete: boolean;
  isReusable: boolean;
}

/** Parses text that arrives in pieces of `size` bytes; `isEnded` says whether the connection ends after it. */
function parse(text: string, size = text.length, isEnded = false): Parsed {
  let body = '';
  const parser = new ResponseParser((bytes) => {
    body += bytes.toString('latin1');
  });
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  if (isEnded) parser.end();
  const { head, isComplete, isReusable } = parser;
  return { status: head?.status ?? null, body, isComplete, isReusable };
}

describe('a response', () => {
  test('that ends with its connection is complete at the end', () => {
    for (const framing of ['', 'transfer-encoding: gzip\r\n']) {
      const text = `HTTP/1.1 200 OK\r\n${framing}\r\nhello`;
      expect(parse(text)).toMatchObject({ body: 'hello', isComplete: false });
      expect(parse(text, 3, true)).toEqual({
        status: 200,
        body: 'hello',
        isComplete: true,
        isReusable: false,
      });
    }
  });

  test('gives the fields that an attempt needs, whatever their case', () => {
    const parser = new ResponseParser(() => {});
    parser.push(
      Buffer.from('HTTP/1.1 307 x\r\nLOCATION: \t/a \t\r\nRetry-After:7\r\ncontent-length: 0\r\n\r\n'),
    );
    expect(parser.head).toEqual({ status: 307, location: '/a', retryAfter: '7' });
  });
});

describe('a status counts although its response is not whole', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';

  test('a response that is cut off behind its status line', () => {
    for (const text of [
      ok,
      `${ok}a: b\r\n`,
      `${ok}a: b\r\n\r`,
      `${ok}content-length: 5\r\n\r\nhell`,
      `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`,
      `${ok}transfer-encoding: chunked\r\n\r\n0\r\n`,
    ])
      expect(parse(text, 1, true)).toMatchObject({ status: 200, isComplete: false, isReusable: false });
  });

  test('fields count where the head has ended, and no field of a broken one does', () => {
    const headOf = (text: string) => {
      const parser = new ResponseParser(() => {});
      parser.push(Buffer.from(text));
      return parser.head;
    };
    const fields = 'location: /a\r\nretry-after: 7\r\n';
    const twice = 'content-length: 5\r\ncontent-length: 6\r\n';
    const whole = headOf(`HTTP/1.1 503 x\r\n${fields}${twice}\r\n`);
    expect(whole).toEqual({ status: 503, location: '/a', retryAfter: '7' });
    for (const broken of ['nonsense\r\n', 'location: /b\r\n /c\r\n', ' folded\r\n'])
      expect(headOf(`HTTP/1.1 307 x\r\n${fields}${broken}\r\n`)).toEqual({
        status: 307,
        location: null,
        retryAfter: null,
      });
  });
});

describe('refused, because no final status was read', () => {
  test('a response that is cut off', () => {
    for (const text of [
      '\r\n',
      'HTTP/1.1 20',
      'HTTP/1.1 200 OK',
      'HTTP/1.1 200 OK\r',
      'HTTP/1.1 103 x\r\n\r\n',
    ])
      expect(() => parse(text, 1, true)).toThrow('the response was cut off');
  });
});

describe('the part of a response that is read', () => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  for (const [what, part] of [
    ['extensions of chunks', `1;a=${'b'.repeat(2_000)}\r\nx\r\n`],
    ['sizes of chunks', '1\r\nx\r\n'],
    ['zeros before sizes of chunks', '000000000001\r\nx\r\n'],
  ] as const) {
    test(`is 64 KiB after its head, ${what} included`, () => {
      const sent = Buffer.from(part.repeat(Math.ceil((65 * 1024) / part.length)));
      for (const size of [1, 1_460, sent.length]) {
        let bodyBytes = 0;
        const parser = new ResponseParser((bytes) => {
          bodyBytes += bytes.length;
        });
        parser.push(Buffer.from(head));
        let wireBytes = 0;
        while (!parser.isTooLong) {
          parser.push(sent.subarray(wireBytes, wireBytes + size));
          wireBytes += size;
        }
        expect(wireBytes).toBeLessThanOrEqual(64 * 1024 + size);
        expect(Math.abs(bodyBytes - (64 * 1024) / part.length)).toBeLessThanOrEqual(1);
        expect(parser.head?.status).toBe(200);
        expect(parser.isReusable).toBe(false);
      }
    });
  }

  test('is a whole body of 64 KiB, which leaves the connection for another', () => {
    const body = 'x'.repeat(64 * 1024);
    const whole = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    for (const size of [1_460, whole.length])
      expect(parse(whole, size)).toEqual({ status: 200, body, isComplete: true, isReusable: true });
  });

  test('is scanned once, in however many pieces it comes', () => {
    const worked: number[] = [];
    for (const length of [2_000, 8_000]) {
      for (const text of [
        `HTTP/1.1 200 ${'y'.repeat(length)}`,
        `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(length / 6)}`,
        `HTTP/1.1 200 OK\r\nx:${' '.repeat(length)}`,
        `${head}1;a=${'y'.repeat(length)}`,
        `${head}0\r\n${'x: y\r\n'.repeat(length / 6)}`,
      ])
        worked.push(bytesHandled(() => parse(text, 1)));
    }
    for (const [index, few] of worked.slice(0, 5).entries()) expect(worked[5 + index]).toBeLessThan(6 * few);
  });
});

/** The number of bytes that `work` searches, copies and decodes. */
function bytesHandled(work: () => void): number {
  let count = 0;
  const { concat } = Buffer;
  const methods = ['indexOf', 'copy', 'toString'] as const;
  const spies = [
    spyOn(Buffer, 'concat').mockImplementation((list, length) => {
      const joined = concat(list, length);
      count += joined.length;
      return joined;
    }),
    ...methods.map((name) => {
      const original = Buffer.prototype[name] as (this: Buffer, ...options: unknown[]) => never;
      return spyOn(Buffer.prototype, name).mockImplementation(function (this: Buffer, ...options: unknown[]) {
        count += this.length;
        return original.apply(this, options);
      });
    }),
  ];
  try {
    work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return count;
}
