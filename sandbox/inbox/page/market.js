import { read } from './api.js';
import { Chart } from './chart.js';
import { element, row } from './element.js';
import { tokens as amount, figure } from './figures.js';
import { picture } from './picture.js';
import { follow } from './stream.js';

const BARS = 240;
const SECONDS = { '1m': 60, '5m': 300, '15m': 900, '1h': 3_600 };
const title = document.querySelector('#market-title');
const image = document.querySelector('#market-picture');
const figures = document.querySelector('#figures');
const intervals = document.querySelector('#interval');

/** The chosen token: its figures, and its candles as they are built. */
export class Market {
  #chart = new Chart();
  #mint = null;
  /** The token whose picture is shown, with the address of it. */
  #pictured = '';
  #stream = null;
  /** The candles of an earlier choice are not shown. */
  #choices = 0;

  constructor() {
    intervals.addEventListener('change', () => this.#follow());
  }

  choose(token) {
    this.#mint = token.mintAddress;
    this.show(token);
    void this.#follow();
  }

  /** Shows the figures of a token that has changed, when it is the chosen one. */
  show(token) {
    if (token.mintAddress !== this.#mint) return;
    title.textContent = `${token.name} · ${token.symbol}`;
    const pictured = `${token.mintAddress} ${token.imageUrl}`;
    if (this.#pictured !== pictured) image.replaceChildren(picture(token));
    this.#pictured = pictured;
    this.#chart.price(token.currentPriceInSol);
    const facts = {
      Price: `${figure(token.currentPriceInSol)} SOL`,
      'Market cap': `${figure(token.marketCapInSol)} SOL`,
      Liquidity: token.liquidityInSol === undefined ? null : `${figure(token.liquidityInSol)} SOL`,
      Holders: token.holderCount === undefined ? null : String(token.holderCount ?? 'unknown'),
      Collected: `${figure(token.solCollectedInSol)} SOL`,
      Supply: amount(token.totalSupply),
      Status: token.status.replaceAll('_', ' '),
    };
    const shown = Object.entries(facts).filter(([, value]) => value !== null);
    figures.replaceChildren(
      ...shown.map(([name, value]) => row('div', '', element('dt', '', name), element('dd', '', value))),
    );
  }

  async #follow() {
    this.#stream?.close();
    this.#choices += 1;
    const own = this.#choices;
    const mint = this.#mint;
    const interval = intervals.value;
    const spanMs = SECONDS[interval] * 1_000;
    const to = new Date();
    const from = new Date(Math.floor(to.getTime() / spanMs) * spanMs - BARS * spanMs);
    const query = `interval=${interval}&from=${from.toISOString()}&to=${to.toISOString()}`;
    const candles = await read(`/tokens/${mint}/candles?${query}`);
    if (own !== this.#choices) return;
    this.#chart.set(candles?.data ?? []);
    // The stream begins with the newest two bars: nothing is missed between the read and the first message.
    this.#stream = follow([`candles:${mint}:${interval}`], {
      candle: (candle) => this.#chart.update(candle),
      gap: () => this.#follow(),
    });
  }
}
