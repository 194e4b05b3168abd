/**
 * The lines of an HTTP/1.x response (RFC 9112), without their line ends. A line that can be read in two ways is
 * refused: the connection ends there, and the status that was read before counts.
 */

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d{2})(?: [\t\x20-\x7e\x80-\xff]*)?$/;
/**
 * A malformed status line whose status most clients read: it has another version, more blanks, or any bytes after the
 * status.
 */
const ODD_STATUS_LINE = /^HTTP\/\d\.\d +([1-9]\d{2})(?:[\t\r ]|$)/;
/** Matches no control characters. Its parts match different characters, so there is no backtracking. */
const FIELD = /^([\w!#$%&'*+.^`|~-]+):([\t\x20-\x7e\x80-\xff]*)$/;
/** Continues the field of the line before (RFC 9112 section 5.2). */
const FOLD = /^[\t ][\t\x20-\x7e\x80-\xff]*$/;
/**
 * Blanks around the parts of an extension are "bad whitespace" that a recipient must accept (RFC 9112 section 7.1.1).
 * Blanks after the size were allowed before RFC 7230. The size has at most 12 digits after leading zeros. The first of
 * them is not a zero, so that nothing is tried twice.
 */
const CHUNK_SIZE =
  /^0*(0|[1-9a-f][\da-f]{0,11})(?:[\t ]*;[\t ]*[\w!#$%&'*+.^`|~-]+(?:[\t ]*=[\t ]*(?:[\w!#$%&'*+.^`|~-]+|"(?:[\t\x20!\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*[\t ]*$/i;
const LENGTH = /^\d{1,15}$/;

export interface StatusLine {
  status: number;
  /** Whether it is HTTP/1.0. */
  isOld: boolean;
  /** Whether nothing but the status counts, because the line is not that of HTTP/1.0 or 1.1. */
  isOdd: boolean;
}

/** The values of the fields that are used, without the blanks around them. */
export type NotedFields = Partial<Record<NotedField, string[]>>;
type NotedField = (typeof NOTED_FIELDS)[number];

const NOTED_FIELDS = [
  'location',
  'retry-after',
  'content-length',
  'transfer-encoding',
  'connection',
  'proxy-connection',
] as const;
const notedFieldOf: ReadonlyMap<string, NotedField> = new Map(NOTED_FIELDS.map((name) => [name, name]));

/** How the end of a body is found (RFC 9112 section 6.3). */
export type Framing =
  | { kind: 'none' }
  | { kind: 'length'; bytes: number }
  | { kind: 'chunks' }
  | { kind: 'until-end' };

export function parseStatusLine(line: string): StatusLine | null {
  const [, minorVersion, status] = STATUS_LINE.exec(line) ?? [];
  if (status !== undefined) return { status: Number(status), isOld: minorVersion === '0', isOdd: false };
  const [, oddStatus] = ODD_STATUS_LINE.exec(line) ?? [];
  return oddStatus === undefined ? null : { status: Number(oddStatus), isOld: false, isOdd: true };
}

/**
 * Adds the field of a line if the field is used.
 *
 * @returns whether the next line may continue the field. A field that is used must be in one line, because readers
 *   disagree about continued ones. Null if the line is no field
 */
export function noteField(line: string, fields: NotedFields): boolean | null {
  const [, name, value = ''] = FIELD.exec(line) ?? [];
  if (name === undefined) return null;
  const noted = notedFieldOf.get(name.toLowerCase());
  if (noted === undefined) return true;
  const values = fields[noted] ?? [];
  fields[noted] = values;
  values.push(withoutBlanks(value));
  return false;
}

export function isFold(line: string): boolean {
  return FOLD.test(line);
}

/** Bytes of the chunk that a line announces; 0 for the last chunk; null if the line is malformed. */
export function parseChunkSize(line: string): number | null {
  const [, size] = CHUNK_SIZE.exec(line) ?? [];
  return size === undefined ? null : Number.parseInt(size, 16);
}

/** Null for a head that gives the length in two ways, or in a form that cannot be parsed. */
export function framingOf({ status, isOld }: StatusLine, fields: NotedFields): Framing | null {
  const lengths = fields['content-length'] ?? [];
  const codings = listOf(fields['transfer-encoding']);
  const chunkedAt = codings.indexOf('chunked');
  const isChunked = chunkedAt !== -1;
  if (codings.length > 0 && (lengths.length > 0 || isOld)) return null;
  // Readers disagree about an empty member after `chunked`.
  if (codings.includes('') || (isChunked && chunkedAt !== codings.length - 1)) return null;
  const [length] = lengths;
  if (length !== undefined && (lengths.length > 1 || !LENGTH.test(length))) return null;
  if (status < 200 || status === 204 || status === 304) return { kind: 'none' };
  if (isChunked) return { kind: 'chunks' };
  return length === undefined ? { kind: 'until-end' } : { kind: 'length', bytes: Number(length) };
}

/** Whether a body is announced. A 204 and a 304 have no body, but some servers send the announced one. */
export function announcesBody(fields: NotedFields): boolean {
  return (
    'transfer-encoding' in fields || (fields['content-length'] ?? []).some((length) => Number(length) !== 0)
  );
}

/** Whether the head says that the server keeps the connection. */
export function keepsConnection({ isOld }: StatusLine, fields: NotedFields): boolean {
  const options = [...listOf(fields.connection), ...listOf(fields['proxy-connection'])];
  return !options.includes('close') && (!isOld || options.includes('keep-alive'));
}

/** The members of a field whose value is a list, in lower case, including empty ones. */
function listOf(values: readonly string[] = []): string[] {
  return values.flatMap((value) => value.split(',')).map((member) => withoutBlanks(member).toLowerCase());
}

/** Not `trim`: HTTP has fewer blanks. */
function withoutBlanks(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start += 1;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end -= 1;
  return value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
