import {
  type DecimalString,
  multiplyDecimals,
  rawToDecimal,
  truncateDecimal,
} from '../../src/shared/decimal.ts';
import { ApiError } from './api-client.ts';
import type { CommunityContext, CommunityTask } from './context.ts';
import type { Forecaster } from './forecasters.ts';
import { newestRounds, type Round } from './rounds.ts';

const PRICE_FRACTION_DIGITS = 18;
/** The greatest distance of a forecast from the price. */
const SPREAD_BPS = 1_500;
/** The user's wallet predicts automatically only this late, unless the user already has. */
const USER_BEFORE_LOCK_MS = 10_000;

/** Submits one prediction of every forecaster per round, spread over its time, and that of the user's wallet last. */
export class ForecastTask implements CommunityTask {
  readonly name = 'forecasts';
  readonly everyMs = 1_000;
  readonly #context: CommunityContext;
  readonly #mint: string;
  readonly #forecasters: readonly Forecaster[];
  readonly #user: Forecaster;
  readonly #predicted = { roundId: '', wallets: new Set<string>() };

  constructor(context: CommunityContext, mint: string, forecasters: readonly Forecaster[], user: Forecaster) {
    this.#context = context;
    this.#mint = mint;
    this.#forecasters = forecasters;
    this.#user = user;
  }

  async step(): Promise<void> {
    const round = (await newestRounds(this.#context, this.#mint)).find(({ status }) => status === 'open');
    if (round === undefined) return;
    if (round.id !== this.#predicted.roundId) {
      this.#predicted.roundId = round.id;
      this.#predicted.wallets.clear();
    }
    for (const forecaster of this.#due(round)) {
      await this.#predict(round, forecaster);
      this.#predicted.wallets.add(forecaster.address);
    }
  }

  #due({ opensAt, locksAt }: Round): Forecaster[] {
    const [opensAtMs, locksAtMs, nowMs] = [Date.parse(opensAt), Date.parse(locksAt), Date.now()];
    const dueAtMs = (at: number) =>
      opensAtMs + ((at + 1) / (this.#forecasters.length + 2)) * (locksAtMs - opensAtMs);
    const due = this.#forecasters.filter((_, at) => dueAtMs(at) <= nowMs);
    if (locksAtMs - this.#context.ms(USER_BEFORE_LOCK_MS) <= nowMs) due.push(this.#user);
    return due.filter(({ address }) => !this.#predicted.wallets.has(address));
  }

  /** Ignores a refusal: the wallet predicted before a restart, holds nothing now, or the round has locked. */
  async #predict({ id: roundId }: Round, { address, apiKey }: Forecaster): Promise<void> {
    const { api } = this.#context;
    const { priceInSol } = await api.get<{ priceInSol: DecimalString | null }>(
      `/tokens/${this.#mint}/market`,
    );
    if (priceInSol === null) return;
    const body = { roundId, walletAddress: address, predictedPriceInSol: forecast(priceInSol) };
    try {
      await api.post('/predictions', body, `sandbox-${roundId}-${address}`, apiKey);
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status < 429;
      if (!isRefusal) throw error;
    }
  }
}

/** The price, changed by a random percentage. */
function forecast(price: DecimalString): DecimalString {
  const bps = 10_000 - SPREAD_BPS + Math.floor(Math.random() * 2 * SPREAD_BPS);
  return truncateDecimal(multiplyDecimals(price, rawToDecimal(BigInt(bps), 4)), PRICE_FRACTION_DIGITS);
}
