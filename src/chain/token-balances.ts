import bs58 from 'bs58';
import { SPL_TOKEN, TOKEN_2022 } from './accounts/programs.ts';
import { AMOUNT_OFFSET, BALANCE_BYTES } from './accounts/token-account.ts';
import type { RpcOutcome } from './rpc.ts';
import { describeRpcFailure, type RpcFailure } from './rpc-failure.ts';

/** What reading one wallet may take, of all nodes that are asked for it together. */
export interface ReadAllowance {
  /** Counted down as answers arrive. */
  bytesLeft: number;
  /** Ends the reading. */
  signal: AbortSignal;
}

/** Lists the tokens of wallets at one node. */
export interface TokenBalanceSource {
  /** Host and port, for logs: the rest of the URL may hold a credential. */
  readonly name: string;
  /**
   * Raw balances of a wallet by mint, at commitment `confirmed`: all its accounts under both token programs summed,
   * zero balances left out. However it ends, nothing is read from the node afterwards.
   */
  read(
    wallet: string,
    timeoutMs: number,
    allowance: ReadAllowance,
  ): Promise<RpcOutcome<ReadonlyMap<string, bigint>>>;
}

/** A node told something else than a list of accounts. */
class UnusableAnswer extends Error {
  readonly kind: RpcFailure['kind'];

  constructor(kind: RpcFailure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** An account is about 320 bytes of JSON; more than this without one is no list of accounts. */
const ACCOUNT_CHARACTERS_MAX = 64 * 1024;

/** One source per URL of `SOLANA_RPC_URL`, in order. */
export function createTokenBalanceSources(urls: readonly string[]): TokenBalanceSource[] {
  return urls.map((url) => ({
    name: new URL(url).host,
    async read(wallet, timeoutMs, allowance) {
      const reading = new AbortController();
      const signal = AbortSignal.any([reading.signal, allowance.signal, AbortSignal.timeout(timeoutMs)]);
      const balances: RawBalances = new Map();
      const add = (program: string) => addBalances(url, wallet, program, { signal, allowance, balances });
      try {
        await Promise.all([SPL_TOKEN, TOKEN_2022].map(add));
        return { ok: true, value: byAddress(balances) };
      } catch (error) {
        const failure =
          error instanceof UnusableAnswer
            ? { kind: error.kind, message: error.message }
            : describeRpcFailure(error);
        return { ok: false, failure };
      } finally {
        // The answer about one program may have failed while the other one still arrives.
        reading.abort();
      }
    },
  }));
}

/** By the 32 bytes of the mint as latin1: base58 costs more than all the rest, so only whole lists pay for it. */
type RawBalances = Map<string, bigint>;

interface Reading {
  signal: AbortSignal;
  allowance: ReadAllowance;
  balances: RawBalances;
}

async function addBalances(
  url: string,
  wallet: string,
  program: string,
  { signal, allowance, balances }: Reading,
): Promise<void> {
  if (allowance.bytesLeft <= 0) throw tooManyAccounts();
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: listingRequest(wallet, program),
    signal,
  });
  if (!response.ok || response.body === null)
    throw new UnusableAnswer('unavailable', `HTTP ${response.status}`);
  if (Number(response.headers.get('content-length')) > allowance.bytesLeft) throw tooManyAccounts();
  const scan = createAccountScan((data) => addBalance(balances, data));
  for await (const chunk of response.body) {
    allowance.bytesLeft -= chunk.length;
    if (allowance.bytesLeft < 0) throw tooManyAccounts();
    scan.push(Buffer.from(chunk).toString('latin1'));
  }
  scan.end();
}

function tooManyAccounts(): UnusableAnswer {
  return new UnusableAnswer('refused', 'the wallet has too many accounts');
}

/** Mint and amount stand in the first bytes, before everything an extension adds. */
function listingRequest(wallet: string, programId: string): string {
  const config = {
    commitment: 'confirmed',
    encoding: 'base64',
    dataSlice: { offset: 0, length: BALANCE_BYTES },
  };
  const params = [wallet, { programId }, config];
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner', params });
}

function addBalance(balances: RawBalances, base64: string): void {
  const data = Buffer.from(base64, 'base64');
  if (data.length !== BALANCE_BYTES) throw new UnusableAnswer('refused', 'an account has the wrong length');
  const amountRaw = data.readBigUInt64LE(AMOUNT_OFFSET);
  if (amountRaw === 0n) return;
  const mint = data.toString('latin1', 0, 32);
  balances.set(mint, (balances.get(mint) ?? 0n) + amountRaw);
}

function byAddress(balances: RawBalances): Map<string, bigint> {
  const entries = [...balances].map(([mint, amountRaw]) => [encodeMint(mint), amountRaw] as const);
  return new Map(entries);
}

function encodeMint(latin1: string): string {
  return bs58.encode(Buffer.from(latin1, 'latin1'));
}

const LIST_START = /"value"\s*:\s*\[/;
const ACCOUNT_DATA = /"data"\s*:\s*\[\s*"([^"]*)"\s*,\s*"base64"\s*\]/g;
const ACCOUNT_KEY = /"pubkey"\s*:/g;

/**
 * Picks the data of each account out of an answer as it arrives, so that memory does not grow with the wallet and
 * other requests run in between. Parsing 10,000 accounts as JSON with exact integers held the process for 300 ms
 * (measured). No text of an answer can imitate an account: keys and addresses are base58, without quotes.
 */
export function createAccountScan(onData: (base64: string) => void) {
  let rest = '';
  let isList = false;
  let isComplete = false;
  let keys = 0;
  let accounts = 0;

  return {
    push(text: string): void {
      rest += text;
      isList ||= LIST_START.test(rest);
      // Up to the last closing bracket nothing is cut in two; what follows waits for the next chunk.
      const end = rest.lastIndexOf(']') + 1;
      const settled = rest.slice(0, end);
      rest = rest.slice(end);
      if (rest.length > ACCOUNT_CHARACTERS_MAX) throw new UnusableAnswer('refused', 'not a list of accounts');
      keys += settled.match(ACCOUNT_KEY)?.length ?? 0;
      let scanned = 0;
      for (const match of settled.matchAll(ACCOUNT_DATA)) {
        accounts += 1;
        scanned = match.index + match[0].length;
        onData(match[1] ?? '');
      }
      // Brackets stand around data and around the list: one after the last data closes the list.
      isComplete = isList && (settled.includes(']', scanned) || (isComplete && scanned === 0));
    },
    /** Throws unless what arrived was a whole list, every account of it understood. */
    end(): void {
      keys += rest.match(ACCOUNT_KEY)?.length ?? 0;
      if (!isComplete || keys !== accounts)
        throw new UnusableAnswer('refused', `not a list of accounts: ${rest.slice(0, 200)}`);
    },
  };
}
