import { button, clock, element, perFrame, row } from './element.js';
import { figure } from './figures.js';
import { Floods } from './floods.js';

const KEPT = 200;
const SHOWN = 100;
const body = document.querySelector('#trades');

/** The newest trades of all tokens, newest first, floods of one token and side as one row. */
export class Tape {
  /** By id, in the order of the rows. */
  #trades = [];
  #ids = new Set();
  #floods = new Floods();
  #symbolOf;
  #draw = perFrame(() => this.#show());

  /** @param symbolOf the symbol of a mint; null when it is not known yet */
  constructor(symbolOf) {
    this.#symbolOf = symbolOf;
  }

  add(trade, isFresh) {
    if (this.#ids.has(trade.id)) return;
    const made = this.#rowOf(trade, isFresh);
    const at = this.#trades.findIndex(({ time }) => time <= made.time);
    const before = this.#trades[at];
    body.insertBefore(made.item, before?.item ?? null);
    this.#trades.splice(before === undefined ? this.#trades.length : at, 0, made);
    this.#ids.add(trade.id);
    if (this.#trades.length > KEPT) this.#forget(this.#trades.at(-1));
    this.#draw();
  }

  /** The slot of a trade was rolled back. */
  revert(tradeId) {
    const known = this.#trades.find(({ trade }) => trade.id === tradeId);
    if (known === undefined) return;
    this.#forget(known);
    this.#draw();
  }

  #forget(known) {
    known.item.remove();
    this.#trades.splice(this.#trades.indexOf(known), 1);
    this.#ids.delete(known.trade.id);
  }

  #rowOf(trade, isFresh) {
    const symbol = element('td', 'symbol');
    const side = element('td', trade.type, trade.type);
    const amount = element('td', 'number');
    const price = element('td', 'number', figure(trade.pricePerTokenInSol));
    const wallet = element('a', '', clock(trade.blockTime));
    wallet.href = `/wallet.html?address=${encodeURIComponent(trade.traderWallet)}`;
    wallet.title = `Wallet ${trade.traderWallet}`;
    const item = row('tr', isFresh ? 'fresh' : '', row('td', 'time', wallet), symbol, side, amount, price);
    item.title = trade.transactionSignature;
    const made = { trade, item, symbol, side, amount, time: Date.parse(trade.blockTime), flood: null };
    made.count = button('count', '', () => {
      this.#floods.toggle(made.flood);
      this.#show();
    });
    return made;
  }

  #show() {
    const kinds = this.#trades.map((one) => [
      one,
      { kind: `${one.trade.mintAddress} ${one.trade.type}`, time: one.time },
    ]);
    const floods = this.#floods.of(kinds);
    let shown = 0;
    for (const one of this.#trades) {
      const flood = floods.get(one) ?? null;
      const isHead = flood?.entries[0] === one;
      const isFolded = flood !== null && !isHead && !flood.isOpen;
      one.item.hidden = isFolded || shown >= SHOWN;
      if (one.item.hidden) continue;
      shown += 1;
      one.flood = flood;
      one.symbol.textContent = this.#symbolOf(one.trade.mintAddress) ?? one.trade.mintAddress.slice(0, 6);
      one.amount.textContent = figure(isHead && !flood.isOpen ? sum(flood.entries) : one.trade.solAmount);
      if (!isHead) {
        one.count.remove();
        continue;
      }
      one.count.textContent = `×${flood.entries.length}`;
      one.count.title = flood.isOpen ? 'Fold these trades' : 'Show each of these trades';
      one.count.setAttribute('aria-expanded', String(flood.isOpen));
      if (one.count.parentElement === null) one.side.append(one.count);
    }
  }
}

/** For display only. */
function sum(entries) {
  return String(entries.reduce((total, { trade }) => total + Number(trade.solAmount), 0));
}
