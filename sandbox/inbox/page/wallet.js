import { read } from './api.js';
import { clock, element, row } from './element.js';
import { figure, tokens } from './figures.js';
import './scrolling-focus.js';

const PAGE = 50;
/** The api serves a wallet's trades from bytes that are a second old at most. */
const REFRESH_MS = 2_000;
const outcome = document.querySelector('#outcome');
const input = document.querySelector('#address');

/** One table that is read page by page. */
class PagedTable {
  #body;
  #more;
  #path;
  #rowOf;
  #cursor = null;
  #pages = 0;
  #isReading = false;

  /** @param rowOf makes the row of an entry */
  constructor(body, more, path, rowOf) {
    this.#body = document.querySelector(body);
    this.#more = document.querySelector(more);
    this.#path = path;
    this.#rowOf = rowOf;
    this.#more.addEventListener('click', () => this.next());
  }

  /** Shows the next page. Returns how many entries it has; null when it could not be read. */
  async next() {
    // Pressing twice shows one page more.
    if (this.#isReading) return null;
    this.#isReading = true;
    const cursor = this.#cursor === null ? '' : `&cursor=${this.#cursor}`;
    const page = await read(`${this.#path}?limit=${PAGE}${cursor}`).finally(() => {
      this.#isReading = false;
    });
    if (page === null) return null;
    this.#pages += 1;
    this.#body.append(...page.data.map(this.#rowOf));
    return this.#continueAfter(page);
  }

  /** Reads the first page again. While more pages are shown it stays as it is: their rows would move under the reader. */
  async refresh() {
    if (this.#pages > 1) return null;
    const page = await read(`${this.#path}?limit=${PAGE}`);
    if (page === null || this.#pages > 1) return null;
    this.#pages = 1;
    this.#body.replaceChildren(...page.data.map(this.#rowOf));
    return this.#continueAfter(page);
  }

  #continueAfter({ data, page: { nextCursor } }) {
    this.#cursor = nextCursor;
    this.#more.hidden = nextCursor === null;
    return data.length;
  }
}

const number = (text) => element('td', 'number', text);
const token = (mint, symbol) => {
  const cell = element('td', 'symbol', symbol);
  cell.title = mint;
  return cell;
};

function positionRow(position) {
  return row(
    'tr',
    '',
    token(position.mintAddress, position.symbol),
    number(`${figure(position.boughtInSol)} SOL`),
    number(`${figure(position.soldInSol)} SOL`),
    number(tokens(position.heldInToken)),
    number(position.averageCostInSol === null ? '–' : figure(position.averageCostInSol)),
    number(figure(position.realisedInSol)),
    number(figure(position.unrealisedInSol)),
    element('td', 'time', clock(position.lastTradeAt)),
  );
}

function tradeRow(trade) {
  const made = row(
    'tr',
    '',
    element('td', 'time', clock(trade.blockTime)),
    token(trade.mintAddress, trade.mintAddress.slice(0, 6)),
    element('td', trade.type, trade.type),
    number(figure(trade.solAmount)),
    number(figure(trade.pricePerTokenInSol)),
  );
  made.title = trade.transactionSignature;
  return made;
}

async function show(address) {
  input.value = address;
  const path = `/wallets/${encodeURIComponent(address)}`;
  const positions = new PagedTable('#positions', '#more-positions', `${path}/positions`, positionRow);
  const trades = new PagedTable('#trades', '#more-trades', `${path}/trades`, tradeRow);
  const report = (held, traded) => {
    outcome.textContent = traded === 0 && held === 0 ? 'This wallet has not traded here.' : '';
  };
  const [held, traded] = await Promise.all([positions.next(), trades.next()]);
  if (held === null || traded === null) outcome.textContent = 'This wallet could not be read.';
  else report(held, traded);
  const refresh = async () => {
    if (!document.hidden) {
      const [stillHeld, newTrades] = await Promise.all([positions.refresh(), trades.refresh()]);
      if (stillHeld !== null && newTrades !== null) report(stillHeld, newTrades);
    }
    setTimeout(refresh, REFRESH_MS);
  };
  setTimeout(refresh, REFRESH_MS);
}

const address = new URLSearchParams(location.search).get('address');
if (address !== null && address !== '') await show(address);
