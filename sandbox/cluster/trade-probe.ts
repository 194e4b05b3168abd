import { randomUUID } from 'node:crypto';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { wait } from '../../src/shared/loop.ts';
import type { SandboxState } from '../shared/state-file.ts';

const PAUSE_MS = 100;
const REPEAT_MS = 50;
/** A request without a response within this time is repeated with the same key. */
const TIMEOUT_MS = 3_000;
const ORDER = { side: 'buy', amountRaw: '1000000', slippageBps: 5_000 } as const;

interface Prepared {
  readonly intentId: string;
  readonly version: number;
  readonly intent: { readonly serializedTransaction: string };
}

/** A response other than success; `code` is its problem code. */
class Refused extends Error {
  readonly code: string;

  constructor(status: number, code: string | undefined) {
    super(code ?? `HTTP ${status} without a problem code`);
    this.code = code ?? 'none';
  }
}

/** Trades one after the other and repeats what fails, as a bot does. Shows for how long no submission was accepted. */
export class TradeProbe {
  readonly #state: SandboxState;
  readonly #signal: AbortSignal;
  readonly #wallet: Keypair;
  readonly #intents: string[] = [];
  readonly #failures = new Map<string, number>();
  #accepted: { readonly at: number }[] = [];

  constructor(state: SandboxState, signal: AbortSignal) {
    this.#state = state;
    this.#signal = signal;
    this.#wallet = Keypair.fromSecretKey(bs58.decode(state.wallet.secretKey));
  }

  /** Intents whose submission was accepted. */
  get intents(): readonly string[] {
    return this.#intents;
  }

  /** Times of `performance.now()` at which submissions were accepted. */
  get acceptedAt(): readonly number[] {
    return this.#accepted.map(({ at }) => at);
  }

  /** Forgets accepted times and failures. */
  clear(): void {
    this.#accepted = [];
    this.#failures.clear();
  }

  /** Failures since the last `clear`, such as `2 x api_dependency_unavailable`. */
  failures(): string {
    return [...this.#failures].map(([reason, count]) => `${count} x ${reason}`).join(', ') || 'none';
  }

  /** The longest time in ms without an accepted submission, from `since` to the last accepted one. */
  longestGapMs(since: number): number {
    let last = since;
    let longest = 0;
    for (const { at } of this.#accepted) {
      if (at <= since) continue;
      longest = Math.max(longest, at - last);
      last = at;
    }
    return Math.round(longest);
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      await this.#trade();
      await wait(PAUSE_MS, this.#signal);
    }
  }

  /** The status of an intent: `confirmed` for a trade that landed. Throws when it cannot be read. */
  async statusOf(intentId: string): Promise<string> {
    const intent = await this.#repeated<{ status: string }>(`/transaction-intents/${intentId}`);
    if (intent === null)
      throw new Error(`the status of intent ${intentId} cannot be read: ${this.failures()}`);
    return intent.status;
  }

  async #trade(): Promise<void> {
    const swap = await this.#repeated<Prepared>(`/tokens/${this.#state.mint}/swaps`, {
      headers: { 'Idempotency-Key': randomUUID() },
      body: ORDER,
    });
    if (swap === null) return;
    const { intentId, version, intent } = swap;
    const transaction = VersionedTransaction.deserialize(Buffer.from(intent.serializedTransaction, 'base64'));
    transaction.sign([this.#wallet]);
    const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
    const accepted = await this.#repeated<object>(`/transaction-intents/${intentId}/submissions`, {
      headers: { 'Idempotency-Key': `submit-${intentId}`, 'If-Match': `"${version}"` },
      body: { signedTransaction },
    });
    if (accepted === null) return;
    this.#intents.push(intentId);
    this.#accepted.push({ at: performance.now() });
  }

  /** Repeats one request until it succeeds. Null when it is refused for good, or when the signal aborts. */
  async #repeated<Body>(path: string, change?: { headers: Record<string, string>; body: object }) {
    while (!this.#signal.aborted) {
      try {
        return await this.#request<Body>(path, change);
      } catch (error) {
        const reason = error instanceof Refused ? error.message : `no response (${(error as Error).name})`;
        this.#failures.set(reason, (this.#failures.get(reason) ?? 0) + 1);
        if (error instanceof Refused && !/unavailable|in_progress|rate_limit/.test(error.code)) return null;
        await wait(REPEAT_MS, this.#signal);
      }
    }
    return null;
  }

  async #request<Body>(
    path: string,
    change?: { headers: Record<string, string>; body: object },
  ): Promise<Body> {
    const response = await fetch(`${this.#state.baseUrl}${path}`, {
      headers: {
        Authorization: `Bearer ${this.#state.apiKey}`,
        'Content-Type': 'application/json',
        ...change?.headers,
      },
      ...(change === undefined ? {} : { method: 'POST', body: JSON.stringify(change.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await response.text();
    if (response.ok) return JSON.parse(body) as Body;
    const code = /"code":"([a-z_]+)"/.exec(body)?.[1];
    throw new Refused(response.status, code);
  }
}
