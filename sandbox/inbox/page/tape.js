import { clock, element, row } from './element.js';
import { figure } from './figures.js';

const KEPT = 40;
const body = document.querySelector('#trades');

/** The newest trades of all tokens. */
export class Tape {
  #rows = new Map();
  #symbolOf;

  /** @param symbolOf the symbol of a mint; null when it is not known yet */
  constructor(symbolOf) {
    this.#symbolOf = symbolOf;
  }

  add(trade, isFresh) {
    if (this.#rows.has(trade.id)) return;
    const price = element('td', 'number', figure(trade.pricePerTokenInSol));
    const made = row(
      'tr',
      isFresh ? 'fresh' : '',
      element('td', 'time', clock(trade.blockTime)),
      element('td', 'symbol', this.#symbolOf(trade.mintAddress) ?? trade.mintAddress.slice(0, 6)),
      element('td', trade.type, trade.type),
      element('td', 'number', figure(trade.solAmount)),
      price,
    );
    made.title = trade.transactionSignature;
    this.#rows.set(trade.id, made);
    body.prepend(made);
    if (this.#rows.size <= KEPT) return;
    const [oldest, gone] = this.#rows.entries().next().value;
    gone.remove();
    this.#rows.delete(oldest);
  }

  /** The slot of a trade was rolled back. */
  revert(tradeId) {
    this.#rows.get(tradeId)?.remove();
    this.#rows.delete(tradeId);
  }
}
