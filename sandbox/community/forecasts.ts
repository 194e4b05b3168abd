import {
  type DecimalString,
  multiplyDecimals,
  rawToDecimal,
  truncateDecimal,
} from '../../src/shared/decimal.ts';
import type { CommunityContext, Keeper } from './context.ts';
import type { Forecaster } from './forecasters.ts';
import { ApiRefused } from './product.ts';
import { newestRounds, type Round } from './rounds.ts';

const PRICE_FRACTION_DIGITS = 18;
/** A forecast is this far from the price at most. */
const SPREAD_BPS = 1_500;
/** The user's wallet predicts by itself only now, when its user has not. */
const USER_BEFORE_LOCK_MS = 10_000;

/** Lets every forecaster predict once a round, spread over its time, and the user's wallet last. */
export class ForecastKeeper implements Keeper {
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

  /** One that the api refuses is no news: it predicted before a restart, holds nothing now, or the round has locked. */
  async #predict({ id: roundId }: Round, { address, apiKey }: Forecaster): Promise<void> {
    const { product } = this.#context;
    const { priceInSol } = await product.get<{ priceInSol: DecimalString | null }>(
      `/tokens/${this.#mint}/market`,
    );
    if (priceInSol === null) return;
    const body = { roundId, walletAddress: address, predictedPriceInSol: forecast(priceInSol) };
    try {
      await product.post('/predictions', body, `sandbox-${roundId}-${address}`, apiKey);
    } catch (error) {
      const isRefusal = error instanceof ApiRefused && error.status < 429;
      if (!isRefusal) throw error;
    }
  }
}

/** The price moved up or down at random. */
function forecast(price: DecimalString): DecimalString {
  const bps = 10_000 - SPREAD_BPS + Math.floor(Math.random() * 2 * SPREAD_BPS);
  return truncateDecimal(multiplyDecimals(price, rawToDecimal(BigInt(bps), 4)), PRICE_FRACTION_DIGITS);
}
