import { ask } from './api.js';
import { sol, termsInWords } from './config-terms.js';
import { element } from './element.js';
import { figure, tokens } from './figures.js';

const SETTLE_MS = 250;
const terms = document.querySelector('#terms');
const quote = document.querySelector('#quote');
const state = document.querySelector('#quote-state');

/** Shows the terms of the chosen config and, when the reader pauses, what the first buy gives under it. */
export class LaunchQuote {
  #timer = 0;
  /** The answer to an earlier question is not shown. */
  #questions = 0;

  /** @param lamports of the first buy; null for none */
  show(config, lamports) {
    clearTimeout(this.#timer);
    this.#questions += 1;
    const own = this.#questions;
    draw(terms, config.terms === null ? {} : termsInWords(config));
    state.textContent = '';
    if (lamports === null) return draw(quote, {});
    this.#timer = setTimeout(async () => {
      const path = `/api/launch-configs/${config.name}/quote?amountRaw=${lamports}`;
      const { body, problem } = await ask(path);
      if (own !== this.#questions) return;
      state.textContent = problem ?? '';
      draw(quote, body === undefined ? {} : inWords(body, config.terms?.token.decimals ?? 0));
    }, SETTLE_MS);
  }
}

function draw(list, texts) {
  const rows = Object.entries(texts);
  list.replaceChildren(...rows.flatMap(([name, text]) => [element('dt', '', name), element('dd', '', text)]));
}

function inWords(found, decimals) {
  const whole = (raw) => tokens(Number(raw) / 10 ** decimals);
  return {
    'First buy': `${whole(found.amountOutRaw)} tokens, at least ${whole(found.minimumOutRaw)}`,
    Share: `${figure(found.supplyPercent)} % of the supply`,
    'Price paid': `${figure(found.averagePriceInSol)} SOL`,
    'Price after': `${figure(found.priceAfterInSol)} SOL, market cap ${figure(found.marketCapAfterInSol)} SOL`,
    'Fee of it':
      found.fee.paidIn === 'sol' ? `${sol(found.fee.totalRaw)} SOL` : `${whole(found.fee.totalRaw)} tokens`,
    'Network in all': `${sol(found.cost.totalLamports)} SOL`,
  };
}
