import type { RpcFailure } from '../rpc/rpc-failure.ts';

/** A node returned a response that is no list of accounts. */
export class UnusableResponse extends Error {
  readonly kind: RpcFailure['kind'];

  constructor(kind: RpcFailure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** An account takes about 320 bytes of JSON. A longer text without an account is no list of accounts. */
const ACCOUNT_CHARACTERS_MAX = 64 * 1024;

const LIST_START = /"value"\s*:\s*\[/;
/** The two parts of a listed account. Nodes differ in their order. */
const ACCOUNT_PART =
  /"data"\s*:\s*\[\s*"(?<data>[^"]*)"\s*,\s*"base64"\s*\]|"pubkey"\s*:(?:\s*"(?<key>[1-9A-HJ-NP-Za-km-z]{1,44})")?/g;
const ACCOUNT_KEY = /"pubkey"\s*:/g;

/**
 * Picks address and data of each account out of a response as it arrives, so that memory does not grow with
 * the wallet and other requests run in between. Parsing 10,000 accounts as JSON with exact integers held the
 * process for 300 ms (measured). A response cannot contain text that looks like an account by mistake: keys
 * and addresses are base58, without quotes.
 */
export function createAccountScan(onAccount: (base64: string, address: string) => void) {
  let rest = '';
  let isList = false;
  let isComplete = false;
  let keys = 0;
  let accounts = 0;
  let paired = 0;
  let key: string | null = null;
  let data: string | null = null;

  function pair(): void {
    if (key === null || data === null) return;
    paired += 1;
    onAccount(data, key);
    key = null;
    data = null;
  }

  return {
    push(text: string): void {
      rest += text;
      isList ||= LIST_START.test(rest);
      // Text up to the last closing bracket holds only whole parts. The rest waits for the next chunk.
      const end = rest.lastIndexOf(']') + 1;
      const settled = rest.slice(0, end);
      rest = rest.slice(end);
      if (rest.length > ACCOUNT_CHARACTERS_MAX)
        throw new UnusableResponse('refused', 'not a list of accounts');
      let scanned = 0;
      for (const match of settled.matchAll(ACCOUNT_PART)) {
        if (match.groups?.data !== undefined) {
          accounts += 1;
          scanned = match.index + match[0].length;
          data = match.groups.data;
        } else {
          keys += 1;
          key = match.groups?.key ?? null;
        }
        pair();
      }
      // Brackets close the data of each account and the list. A bracket after the last data closes the list.
      isComplete = isList && (settled.includes(']', scanned) || (isComplete && scanned === 0));
    },
    /** Throws unless a whole list arrived and every account in it was understood. */
    end(): void {
      keys += rest.match(ACCOUNT_KEY)?.length ?? 0;
      if (!isComplete || keys !== accounts || paired !== accounts)
        throw new UnusableResponse('refused', `not a list of accounts: ${rest.slice(0, 200)}`);
    },
  };
}
