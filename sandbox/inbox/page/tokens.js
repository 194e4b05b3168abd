import { read } from './api.js';
import { element, row } from './element.js';
import { figure } from './figures.js';
import { picture } from './picture.js';
import { sparkline } from './sparkline.js';
import { columns } from './token-columns.js';

const LISTED = 40;
const SPARK_POINTS = 60;
const SPARK_READS = 2;
const list = document.querySelector('#token-list');

/** The tokens with their prices: `choose` is called with the one that somebody picks. */
export class Tokens {
  #rows = new Map();
  #chosen = null;
  /** Whether the newest are shown: then a new token joins them. */
  #isNewest = true;
  #column = columns.launchedAt;
  #choose;

  constructor(choose) {
    this.#choose = choose;
  }

  /** The mint of the chosen token; null before one was. */
  get chosen() {
    return this.#chosen;
  }

  get isNewest() {
    return this.#isNewest;
  }

  get mints() {
    return [...this.#rows.keys()];
  }

  /** The oldest token with a price: its chart shows most. Null while none has a price. */
  get oldestTraded() {
    for (const [mint, { token }] of this.#rows) if (token.currentPriceInSol !== null) return mint;
    return null;
  }

  /**
   * Reads the first tokens of a list in place of the ones that are shown. The newest ones stay where they are. Returns false
   * without an answer, and when `isWanted` says that another list is wanted meanwhile.
   */
  async load({ parameters = '', sort = 'launchedAt' } = {}, isWanted = () => true) {
    const page = await read(`/tokens?limit=${LISTED}${parameters}`);
    if (page === null || !isWanted()) return false;
    const before = this.#rows;
    const order = page.data.map(({ mintAddress }) => mintAddress);
    const stays = this.#isNewest && parameters === '';
    this.#isNewest = parameters === '';
    this.#column = columns[sort];
    if (!stays) this.#rows = new Map();
    for (const token of page.data.toReversed()) {
      const known = before.get(token.mintAddress);
      if (known !== undefined) this.#rows.set(token.mintAddress, known);
      this.#put(token);
    }
    if (!stays) this.#arrange(order);
    return true;
  }

  /** Moves rows only where the order has changed, so that the one in use keeps its focus. */
  #arrange(order) {
    const items = order.map((mint) => this.#rows.get(mint).item);
    if (items.length !== list.children.length || items.some((item, at) => item !== list.children[at]))
      list.replaceChildren(...items);
  }

  /**
   * Reads the price of each minute of the last hour, newest token first, once for each. A few at a time: a browser keeps six
   * connections to one address, and streams use some of them.
   */
  async loadPrices() {
    const waiting = this.mints.toReversed().filter((mint) => !this.#rows.get(mint).isPriced);
    for (const mint of waiting) this.#rows.get(mint).isPriced = true;
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

  /** A token is new or has changed. A new one is shown among the newest alone; returns whether it is. */
  show(token) {
    if (!this.#isNewest && !this.#rows.has(token.mintAddress)) return false;
    this.#put(token);
    return true;
  }

  #put(token) {
    const known = this.#rows.get(token.mintAddress) ?? this.#add(token);
    // The stream reports none.
    known.ranking = token.ranking ?? known.ranking;
    const before = known.token.currentPriceInSol;
    // It is made once: a new element for each price would load the image again.
    if (known.picture === null || known.token.imageUrl !== token.imageUrl) known.picture = picture(token);
    known.token = token;
    if (before !== token.currentPriceInSol && token.currentPriceInSol !== null)
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
    const known = { token, ranking: null, button, item, picture: null, prices: [], isPriced: false };
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

  #draw({ token, ranking, button, picture: image, prices }) {
    const name = row('span', 'name', element('strong', '', token.symbol), element('small', '', token.name));
    const price = row(
      'span',
      'price',
      element('span', '', token.currentPriceInSol === null ? 'no price' : figure(token.currentPriceInSol)),
      element('small', '', this.#column(token, ranking)),
    );
    button.replaceChildren(image, name, sparkline(prices), price, ...progress(token, ranking));
  }
}

/** The way of a bonding curve to its graduation. */
function progress({ status }, ranking) {
  const share = ranking?.graduationProgress ?? null;
  if (status !== 'bonding' || share === null) return [];
  const bar = element('progress');
  bar.max = 1;
  bar.value = Number(share);
  const text = `${Math.floor(Number(share) * 100)} % to graduation`;
  bar.setAttribute('aria-label', text);
  bar.title = text;
  return [bar];
}
