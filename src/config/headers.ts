import { isRecord } from '../shared/is-record.ts';

/** Headers of requests by the host of the address, with its port unless that is the default. */
type HeadersByHost = Readonly<Record<string, Readonly<Record<string, string>>>>;

const EXPECTATION = 'must be JSON like {"sender.example":{"x-token":"…"}}';
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible ASCII, with spaces and tabs between. */
const HEADER_VALUE = /^[\x21-\x7e]([\t\x20-\x7e]{0,4094}[\x21-\x7e])?$/;
/** Headers that the client sets itself. */
const OWN_HEADERS: readonly string[] = [
  'accept',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
];

/**
 * Values are secrets: no message shows a value, nor a name, because a value may have been put in its place.
 */
export function headersByHost(text: string): HeadersByHost {
  const hosts = parseJson(text);
  if (!isRecord(hosts)) throw new Error(EXPECTATION);
  const named = Object.values(hosts).map((headers) => {
    if (!isRecord(headers)) throw new Error(EXPECTATION);
    return Object.entries(headers);
  });
  for (const [header, value] of named.flat()) {
    if (typeof value !== 'string') throw new Error(EXPECTATION);
    if (!HEADER_NAME.test(header) || !HEADER_VALUE.test(value))
      throw new Error('must contain valid header names and values');
    if (OWN_HEADERS.includes(header.toLowerCase()))
      throw new Error(`must not set a header of the request itself (${OWN_HEADERS.join(', ')})`);
  }
  return hosts as HeadersByHost;
}

/** Returns the values of all headers; the whole text when it cannot be parsed. */
export function headerSecrets(text: string): string[] {
  const hosts = parseJson(text);
  if (!isRecord(hosts)) return [text];
  return Object.values(hosts).flatMap((headers) =>
    isRecord(headers) ? Object.values(headers).map(String) : [String(headers)],
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
