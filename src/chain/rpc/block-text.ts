import { readResult } from './ask-node.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;
/** Inside a string their quotes would be escaped, so both are what they seem to be. */
const TRANSACTIONS = '"transactions":[';
const SIGNATURES = '"signatures":["';

/** A transaction in a block: its index, and its JSON in the form of `getTransaction` without slot and time. */
export interface BlockTransaction {
  transactionIndex: number;
  meta: unknown;
  transaction: unknown;
}

interface Ranges {
  /** Index in the block and range in the text, by the first signature. */
  bySignature: ReadonlyMap<string, { at: number; from: number; to: number }>;
  /** The position of the bracket that ends the list. */
  end: number;
}

/**
 * A block by `getBlock`. It has megabytes, most of them in transactions of others. So each transaction is only
 * delimited in the text, and becomes objects when it is asked for.
 */
export class BlockText {
  readonly blockTime: unknown;
  readonly #text: string;
  readonly #ranges: Ranges;

  constructor(text: string, ranges: Ranges, blockTime: unknown) {
    this.#text = text;
    this.#ranges = ranges;
    this.blockTime = blockTime;
  }

  /** Reads the text of a response. Null where the node has no block. Throws as `readResult` does. */
  static read(response: string): BlockText | null {
    const from = response.indexOf(TRANSACTIONS) + TRANSACTIONS.length;
    const ranges = from < TRANSACTIONS.length ? null : delimit(response, from);
    if (ranges !== null) {
      const rest = readResult(response.slice(0, from) + response.slice(ranges.end)) as Block;
      return new BlockText(response, ranges, rest.blockTime);
    }
    // A node that writes its JSON in another way is read too, at a higher price.
    const block = readResult(response) as Block | null;
    if (block === null) return null;
    const text = JSON.stringify(block.transactions ?? []);
    return new BlockText(text, delimit(text, 1) ?? { bySignature: new Map(), end: 0 }, block.blockTime);
  }

  has(signature: string): boolean {
    return this.#ranges.bySignature.has(signature);
  }

  /** Null when the block does not have it. Throws SyntaxError. */
  find(signature: string): BlockTransaction | null {
    const range = this.#ranges.bySignature.get(signature);
    if (range === undefined) return null;
    const { meta, transaction } = JSON.parse(this.#text.slice(range.from, range.to)) as BlockTransaction;
    return { transactionIndex: range.at, meta, transaction };
  }
}

interface Block {
  blockTime?: unknown;
  transactions?: readonly unknown[];
}

/** The transactions of a list whose first one is at `from`. Null where the text has another form. */
function delimit(text: string, from: number): Ranges | null {
  const bySignature = new Map<string, { at: number; from: number; to: number }>();
  let position = from;
  if (text.charCodeAt(position) === CLOSING_BRACKET) return { bySignature, end: position };
  for (let at = 0; ; at += 1) {
    const to = endOfObject(text, position);
    if (to === -1) return null;
    const signatures = text.indexOf(SIGNATURES, position);
    if (signatures === -1 || signatures >= to) return null;
    const first = signatures + SIGNATURES.length;
    bySignature.set(text.slice(first, text.indexOf('"', first)), { at, from: position, to });
    const next = text.charCodeAt(to);
    if (next === CLOSING_BRACKET) return { bySignature, end: to };
    if (next !== COMMA) return null;
    position = to + 1;
  }
}

/** The position after the object at `from`. -1 when there is none, or the text ends inside it. */
function endOfObject(text: string, from: number): number {
  if (text.charCodeAt(from) !== OPENING_BRACE) return -1;
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPENING_BRACE) depth += 1;
    else if (code === CLOSING_BRACE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** The position of the quote that ends the string at `from`. The length of the text when none does. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
