import type { Verdict } from './verdict.ts';

/** Why the relay reads some responses otherwise than most clients, or where these do not agree. */
export interface KnownDifference {
  why: string;
  /** Whether the relay's verdict is the one that the reason demands; `most` has what three clients agree about. */
  isSo(ours: Verdict, most: Partial<Verdict>): boolean;
  rows: Readonly<Record<string, readonly string[]>>;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    why: 'The status counts once its line has arrived, and the connection ends (contract/delivery#success). Most clients show none.',
    isSo: (ours, most) => ours.status !== null && most.status === null && ours.end === 'error',
    rows: {
      // A higher minor version is read as the highest that is known (RFC 9110 section 2.5).
      'status line': ['version 1.2'],
      fields: [
        'a continued line before the first field',
        'a line of blanks before the first field',
        'a field without a colon',
      ],
      length: [
        'a length with a plus',
        'a negative length',
        'a length with a fraction',
        'a length in hexadecimal',
        'a length with letters behind it',
        'two numbers as the length',
        'a length beyond what can be counted',
        'a list of equal lengths',
        'two lengths',
        'two lengths, the longer one first',
        'a list of two lengths',
        'a continued length',
        'the coding identity beside a length',
        'chunks behind a vertical tab',
        'a continued coding',
      ],
      whole: ['a status line alone', 'half a head'],
    },
  },
  {
    why: 'Clients disagree about where it ends, so the status counts and the connection ends (contract/delivery#success).',
    isSo: (ours, most) => ours.status !== null && ours.status === most.status && ours.end === 'error',
    rows: {
      'status line': [
        'a reason with a NUL',
        'two blanks before the status',
        'version 2.0',
        'a bare line feed behind it',
        'a carriage return too many behind it',
      ],
      fields: [
        'a blank before the colon',
        'a field without a name',
        'a name with a parenthesis',
        'a name that is not ASCII',
        'a value with a DEL',
        'a value with a bare carriage return',
        'a bare line feed among fields',
        'a head of more than 16 KiB',
        'a head of more than 16 KiB in many fields',
        'a continued word about the connection',
      ],
      length: [
        'a length that came twice',
        'a blank before the colon of the length',
        'a length beside chunks',
        'chunks beside a length',
        'a coding behind chunks',
        'no coding where one is named',
        'an empty member before chunks',
        'an empty member behind chunks',
        'chunks twice',
        'chunks in two fields',
      ],
      chunks: [
        'an extension without a name',
        'a quoted value without an end',
        'a bare line feed behind a size',
        'an extension of 17 KiB',
      ],
      status: [
        'an interim response with two lengths',
        'an interim response that ends its connection',
        'an interim response of HTTP/1.0',
        'a bare line feed behind an interim response',
      ],
      // RFC 9112 section 6.1: the framing is faulty, and the connection is closed.
      whole: ['HTTP/1.0 in chunks', 'line feeds alone'],
    },
  },
  {
    why: 'All heads have 16 KiB together, and 32 interim responses are read (contract/delivery#response-body, #reasons).',
    isSo: (ours, most) => ours.status === null && most.status === 200,
    rows: {
      status: ['forty interim responses', 'interim responses of 17 KiB'],
      whole: ['a status line of 17 KiB'],
    },
  },
  {
    why: 'Some servers send a line end behind a body and do not count it in the length (decisions/0099).',
    isSo: (ours, most) => ours.end === 'kept' && most.status === null,
    rows: { 'status line': ['a line end before it', 'several line ends before it'] },
  },
  {
    why: 'RFC 9112 section 7.1.1 demands that these blanks are read.',
    isSo: (ours, most) => ours.end === 'kept' && ours.body === 'ok' && most.end === 'error',
    rows: { chunks: ['blanks around an extension'] },
  },
  {
    why: 'A connection ends when a body is announced that the status cannot have, or bytes follow (contract/delivery#reuse).',
    isSo: (ours, most) => ours.end === 'closed' && ours.status === most.status && ours.body === most.body,
    rows: {
      chunks: ['bytes behind the last chunk'],
      status: [
        'a 204 that announces a body',
        'a 204 that announces chunks',
        'a 204 with a body',
        'a 204 with a body in chunks',
        'a 304 with a length',
        'a 304 with a body',
        'a 304 that announces chunks',
      ],
      // Not all clients know the field, and a new connection harms none.
      fields: ['Proxy-Connection: close'],
    },
  },
  {
    why: 'The last coding is chunks, so the end is certain (RFC 9112 section 6.3); contents are not decoded.',
    isSo: (ours) => ours.end === 'kept' && ours.body === 'ok',
    rows: { length: ['a coding before chunks', 'a coding before chunks in a field of its own'] },
  },
  {
    why: 'A change of protocol fails the attempt, and shows its status (contract/delivery#reasons, protocol_switched).',
    isSo: (ours, most) => ours.status === 101 && most.status === 101 && ours.end === 'error',
    rows: { status: ['a change of protocol that names none'] },
  },
];
