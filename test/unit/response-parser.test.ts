import { describe, expect, spyOn, test } from 'bun:test';
import { AttemptFailure } from '../../relay/attempt/attempt-failure.ts';
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

const complete = { isComplete: true, isReusable: true };

describe('a response', () => {
  const chunked =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\nA\r\n, 10 bytes\r\n0\r\nx-trailer: 1\r\n\r\n';
  for (const [what, text, expected] of [
    ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '', ...complete }],
    ['without a reason', 'HTTP/1.1 204\r\n\r\n', { status: 204, body: '', ...complete }],
    [
      'with a length',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
      { status: 200, body: 'hello', ...complete },
    ],
    ['in chunks, with trailers', chunked, { status: 200, body: 'hello, 10 bytes', ...complete }],
    [
      'behind interim ones',
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
      { status: 200, body: '', ...complete },
    ],
    [
      'to be followed by no other',
      'HTTP/1.1 200 OK\r\nconnection: Close\r\ncontent-length: 2\r\n\r\nok',
      { status: 200, body: 'ok', isComplete: true, isReusable: false },
    ],
    [
      'of HTTP/1.0 that keeps the connection',
      'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok',
      { status: 200, body: 'ok', ...complete },
    ],
    [
      'of HTTP/1.0 that does not say so',
      'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok',
      { status: 200, body: 'ok', isComplete: true, isReusable: false },
    ],
    [
      'with continued lines',
      'HTTP/1.1 200 OK\r\nx: a\r\n b\r\n\tc\r\n \r\ncontent-length: 2\r\n\r\nok',
      { status: 200, body: 'ok', ...complete },
    ],
    [
      'with blanks around sizes and extensions of chunks, quoted pairs and zeros',
      `${'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'}2  \r\nab\r\n2 ;a=b\r\ncd\r\n2\t; a = "x\\"y\\\\" ;b\r\nef\r\n0000000000000002\r\ngh\r\n${'0'.repeat(40)}1\r\ni\r\n0 \t\r\nx: a\r\n b\r\n\r\n`,
      { status: 200, body: 'abcdefghi', ...complete },
    ],
    [
      'behind line ends that belong to no response',
      '\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      { status: 200, body: 'ok', ...complete },
    ],
    [
      'without a body although it announces none',
      'HTTP/1.1 204 x\r\ncontent-length: 0\r\n\r\n',
      { status: 204, body: '', ...complete },
    ],
    ...['204', '304'].flatMap((status) =>
      ['content-length: 2', 'transfer-encoding: chunked', 'transfer-encoding: gzip'].map(
        (field) =>
          [
            `${status} that announces a body with ${field}`,
            `HTTP/1.1 ${status} x\r\n${field}\r\n\r\n`,
            { status: Number(status), body: '', isComplete: true, isReusable: false },
          ] as const,
      ),
    ),
    [
      'with something behind it',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n',
      { status: 200, body: 'ok', isComplete: true, isReusable: false },
    ],
  ] as const) {
    test(`${what} reads the same in any pieces`, () => {
      for (let size = 1; size <= text.length; size += 1) expect(parse(text, size)).toEqual(expected);
    });
  }

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

describe('a status counts although its response cannot be framed, and its connection is left', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  const unframed = [
    ['a line without a colon', `${ok}nonsense\r\n\r\n`],
    ['a blank before the colon', `${ok}content-length : 2\r\n\r\nok`],
    ['a control character', `${ok}a: b\u0000c\r\n\r\n`],
    ['a bare line feed', 'HTTP/1.1 200 OK\nconnection: close\n\n'],
    ['a bare line feed among fields', `${ok}a: b\nc: d\r\n\r\n`],
    ['a bare carriage return', `${ok}a: b\rc: d\r\n\r\n`],
    ['a negative length', `${ok}content-length: -5\r\n\r\n`],
    ['a length that is no number', `${ok}content-length: 5x\r\n\r\nhello`],
    ['a length beyond what can be counted', `${ok}content-length: ${'9'.repeat(16)}\r\n\r\n`],
    ['the same length twice', `${ok}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`],
    ['a list of lengths', `${ok}content-length: 5, 5\r\n\r\nhello`],
    ['two lengths', `${ok}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`],
    ['a length beside chunks', `${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    [
      'two ways to end where there is no body',
      'HTTP/1.1 204 x\r\ncontent-length: 0\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
    ['chunks twice', `${ok}transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    [
      'an empty coding behind chunks',
      `${ok}transfer-encoding: chunked\r\ntransfer-encoding: ,\r\n\r\n0\r\n\r\n`,
    ],
    ['no coding where one is named', `${ok}transfer-encoding: ,\r\n\r\n`],
    ['an extension without a name', `${ok}transfer-encoding: chunked\r\n\r\n5;\r\nhello\r\n0\r\n\r\n`],
    ['chunks of HTTP/1.0', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a chunk without a size', `${ok}transfer-encoding: chunked\r\n\r\n\r\n`],
    ['a chunk of a negative size', `${ok}transfer-encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n`],
    ['a chunk of no size with a sign', `${ok}transfer-encoding: chunked\r\n\r\n-0\r\n\r\n`],
    ['a chunk without a line end', `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhelloxx0\r\n\r\n`],
    ['a chunk with half a line end', `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\rx0\r\n\r\n`],
    ['a chunk longer than its size', `${ok}transfer-encoding: chunked\r\n\r\n4\r\nhello\r\n0\r\n\r\n`],
    ['endless fields', `${ok}${`x: ${'y'.repeat(1_000)}\r\n`.repeat(17)}\r\n`],
    ['an endless line', `${ok}x: ${'y'.repeat(17_000)}`],
    [
      'endless trailers',
      `${ok}transfer-encoding: chunked\r\n\r\n0\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(17)}`,
    ],
    ['an endless extension of a chunk', `${ok}transfer-encoding: chunked\r\n\r\n1;${'y'.repeat(17_000)}`],
    ['a line of nothing but blanks before the first field', `${ok} \r\ncontent-length: 2\r\n\r\nok`],
    ['a continued line without a field', `${ok} b: c\r\n\r\n`],
    ['a continued length', `${ok}content-length: 2\r\n 0\r\n\r\nok`],
    ['a continued coding', `${ok}transfer-encoding: chunked\r\n , gzip\r\n\r\n0\r\n\r\n`],
    [
      'a continued word about the connection',
      `${ok}connection: keep-alive\r\n , close\r\ncontent-length: 0\r\n\r\n`,
    ],
    ['a control character in a continued line', `${ok}a: b\r\n c\u0000\r\n\r\n`],
    ['a blank before the size of a chunk', `${ok}transfer-encoding: chunked\r\n\r\n 5\r\nhello\r\n0\r\n\r\n`],
    [
      'a quoted value without an end',
      `${ok}transfer-encoding: chunked\r\n\r\n5;a="b\\"\r\nhello\r\n0\r\n\r\n`,
    ],
    ['a size beyond what can be counted', `${ok}transfer-encoding: chunked\r\n\r\n1${'0'.repeat(12)}\r\n`],
    [
      'a coding that is no coding beside a length',
      `${ok}transfer-encoding: identity\r\ncontent-length: 2\r\n\r\nok`,
    ],
  ] as const;
  for (const [what, text] of unframed) {
    test(what, () => {
      for (const size of [1, 7, 1_460, text.length]) {
        const status = text.startsWith('HTTP/1.1 204') ? 204 : 200;
        expect(parse(text, size)).toMatchObject({ status, isComplete: false, isReusable: false });
      }
    });
  }

  test('whatever the status is, also behind interim responses', () => {
    for (const [, text] of unframed)
      for (const status of [299, 307, 410, 429, 500, 999]) {
        const other = `HTTP/1.1 103 x\r\n\r\n${text.replace(/ 20[04]/, ` ${status}`)}`;
        expect(parse(other, 5)).toMatchObject({ status, isComplete: false, isReusable: false });
      }
  });

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

describe('refused, in any pieces, because no final status was read', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  for (const [what, text] of [
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['a later minor version', 'HTTP/1.2 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n'],
    ['a change of protocol', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'],
    ['an interim response of HTTP/1.0', `HTTP/1.0 102 x\r\n\r\n${ok}content-length: 0\r\n\r\n`],
    ['an interim response that ends its connection', `HTTP/1.1 103 x\r\nconnection: close\r\n\r\n${ok}\r\n`],
    ['a flood of interim responses', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(33)],
    ['endless interim responses', `HTTP/1.1 103 x\r\nx: ${'y'.repeat(1_000)}\r\n\r\n`.repeat(17)],
    ['a bare line feed behind the status of an interim response', `HTTP/1.1 103 x\n\r\n${ok}\r\n`],
    [
      'an interim response that gives its length in two ways',
      `HTTP/1.1 103 x\r\ncontent-length: 5, 5\r\n\r\n${ok}\r\n`,
    ],
    ['an endless status line', `HTTP/1.1 200 ${'y'.repeat(17_000)}`],
    ['endless line ends', '\r\n'.repeat(9_000)],
  ] as const) {
    test(what, () => {
      for (const size of [1, 7, 1_460, text.length]) expect(() => parse(text, size)).toThrow(AttemptFailure);
    });
  }

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
      expect(parse(whole, size)).toEqual({ status: 200, body, ...complete });
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
