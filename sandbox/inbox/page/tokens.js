import { read } from './api.js';
import { element, row } from './element.js';
import { figure } from './figures.js';
import { sparkline } from './sparkline.js';

const LISTED = 40;
const SPARK_POINTS = 60;
const SPARK_READS = 2;
const list = document.querySelector('#token-list');

/** The tokens with their prices: `choose` is called with the one that somebody picks. */
export class Tokens {
  #rows = new Map();
  #chosen = null;
  #choose;

  constructor(choose) {
    this.#choose = choose;
  }

  /** The mint of the chosen token; null before one was. */
  get chosen() {
    return this.#chosen;
  }

  get mints() {
    return [...this.#rows.keys()];
  }

  /** The oldest token with a price: its chart shows most. Null while none has a price. */
  get oldestTraded() {
    for (const [mint, { token }] of this.#rows) if (token.currentPriceInSol !== null) return mint;
    return null;
  }

  /** Reads the newest tokens. */
  async load() {
    const page = await read(`/tokens?limit=${LISTED}`);
    for (const token of page?.data.toReversed() ?? []) this.show(token);
  }

  /**
   * Reads the price of each minute of the last hour, newest token first. A few at a time: a browser keeps six connections to
   * one address, and streams use some of them.
   */
  async loadPrices() {
    const waiting = this.mints.toReversed();
    const readNext = async () => {
      for (let mint = waiting.shift(); mint !== undefined; mint = waiting.shift())
        await this.#loadPrices(mint);
    };
    await Promise.all(Array.from({ length: SPARK_READS }, readNext));
  }

  async #loadPrices(mint) {
    const from = new Date(Math.floor(Date.now() / 60_000) * 60_000 - SPARK_POINTS * 60_000).toISOString();
    const to = new Date().toISOString();
    const candles = await read(`/tokens/${mint}/candles?interval=1m&from=${from}&to=${to}`);
    const known = this.#rows.get(mint);
    if (candles === null || known === undefined) return;
    known.prices = candles.data.map(({ close }) => Number(close));
    this.#draw(known);
  }

  /** A token is new or has changed. */
  show(token) {
    const known = this.#rows.get(token.mintAddress) ?? this.#add(token);
    const before = known.token.currentPriceInSol;
    known.token = token;
    if (before !== token.currentPriceInSol)
      this.#tick(known, Number(before), Number(token.currentPriceInSol));
    this.#draw(known);
  }

  get(mint) {
    return this.#rows.get(mint)?.token ?? null;
  }

  choose(mint) {
    if (!this.#rows.has(mint)) return;
    this.#rows.get(this.#chosen)?.button.removeAttribute('aria-current');
    this.#chosen = mint;
    const { button, item } = this.#rows.get(mint);
    button.setAttribute('aria-current', 'true');
    // Scrolls only the list: the page stays where its reader is.
    const below = item.offsetTop + item.offsetHeight - list.clientHeight;
    list.scrollTop = Math.min(item.offsetTop, Math.max(below, list.scrollTop));
    this.#choose(this.#rows.get(mint).token);
  }

  #add(token) {
    const button = element('button');
    button.type = 'button';
    button.addEventListener('click', () => this.choose(token.mintAddress));
    const item = row('li', '', button);
    list.prepend(item);
    const known = { token, button, item, prices: [] };
    this.#rows.set(token.mintAddress, known);
    return known;
  }

  #tick(known, before, now) {
    known.prices.push(now);
    if (known.prices.length > SPARK_POINTS) known.prices.shift();
    known.button.classList.remove('rose', 'fell');
    // The next frame, so that the animation starts again.
    requestAnimationFrame(() => known.button.classList.add(now >= before ? 'rose' : 'fell'));
  }

  #draw({ token, button, prices }) {
    const name = row('span', 'name', element('strong', '', token.symbol), element('small', '', token.name));
    const price = row(
      'span',
      'price',
      element('span', '', token.currentPriceInSol === null ? 'no price' : figure(token.currentPriceInSol)),
      element('small', '', token.status.replaceAll('_', ' ')),
    );
    button.replaceChildren(name, sparkline(prices), price);
  }
}
