import { ask } from './api.js';
import { button } from './element.js';
import { figure } from './figures.js';

const LAMPORT_DIGITS = 9;
/** Fees of the pool count as slippage. */
const SLIPPAGE_BPS = { min: 0, max: 10_000 };
const form = document.querySelector('#order-form');
const outcome = document.querySelector('#order-outcome');
const near = document.querySelector('#order-near');
const [side, amount, unit, price, when, slippage, lasts, go] = [
  'side',
  'amount',
  'unit',
  'price',
  'when',
  'slippage',
  'lasts',
  'go',
].map((name) => document.querySelector(`#order-${name}`));

/** A decimal as raw units; null for anything else, and for more digits than there are. */
function rawOf(text, digits) {
  const [, whole, part = ''] = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || part.length > digits) return null;
  return String(BigInt(whole + part.padEnd(digits, '0')));
}

/** A price so many percent from another, with five significant digits. */
function shifted(decimal, percent) {
  const [digits, exponent] = (Number(decimal) * (1 + percent / 100)).toExponential(4).split('e');
  const places = Math.max(0, 4 - Number(exponent));
  return plain(Number(`${digits}e${exponent}`).toFixed(Math.min(places, 18)));
}

/** A decimal without superfluous zeros, as the api takes it. */
function plain(text) {
  const [whole, part = ''] = text.trim().split('.');
  const digits = part.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=.)/, '')}${digits === '' ? '' : `.${digits}`}`;
}

/** The form that places an order on the chosen token. `placed` gets the order as it is open. */
export class OrderForm {
  #token = null;
  #placed;
  /** The key of the order that the form describes: pressing twice places one. */
  #key = crypto.randomUUID();

  constructor(placed) {
    this.#placed = placed;
    for (const percent of [-1, 0, 1]) {
      const text = percent === 0 ? 'now' : `${percent < 0 ? '−' : '+'}${Math.abs(percent)} %`;
      near.append(button('', text, () => this.#propose(percent)));
    }
    side.addEventListener('change', () => this.#turn());
    form.addEventListener('input', () => {
      this.#key = crypto.randomUUID();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#place();
    });
  }

  /** Another token was chosen. */
  choose(token) {
    this.#token = token;
    this.#turn();
    outcome.textContent = '';
  }

  /** The chosen token has another price. What was typed stays. */
  show(token) {
    if (token.mintAddress !== this.#token?.mintAddress) return;
    const hadPrice = this.#token.currentPriceInSol !== null;
    this.#token = token;
    go.disabled = token.currentPriceInSol === null;
    if (!hadPrice) this.#propose(0);
  }

  /** A buy waits for a price that is not higher, a sale for one that is not lower. */
  #turn() {
    const isBuy = side.value === 'buy';
    unit.textContent = isBuy ? 'SOL' : this.#token.symbol;
    amount.value = isBuy ? '0.05' : '1000';
    when.value = isBuy ? 'at_or_below' : 'at_or_above';
    this.#propose(0);
  }

  #propose(percent) {
    const current = this.#token?.currentPriceInSol ?? null;
    go.disabled = current === null;
    if (current !== null) price.value = shifted(current, percent);
    this.#key = crypto.randomUUID();
  }

  async #place() {
    const { mintAddress, decimals, symbol } = this.#token;
    const amountRaw = rawOf(amount.value, side.value === 'buy' ? LAMPORT_DIGITS : decimals);
    const slippageBps = Math.round(Number(slippage.value) * 100);
    if (amountRaw === null) return say('The amount has too many digits after the point.');
    if (!(slippageBps >= SLIPPAGE_BPS.min && slippageBps <= SLIPPAGE_BPS.max))
      return say('The slippage is a percentage from 0 to 100.');
    go.disabled = true;
    say('signing …');
    const { body, problem } = await ask('/wallet/orders', {
      method: 'POST',
      key: this.#key,
      body: JSON.stringify({
        mint: mintAddress,
        side: side.value,
        amountRaw,
        trigger: { price: plain(price.value), when: when.value },
        slippageBps,
        expiresAt: new Date(Date.now() + Number(lasts.value) * 60_000).toISOString(),
      }),
    });
    go.disabled = this.#token.currentPriceInSol === null;
    if (body === undefined) return say(problem);
    say(`The order on ${symbol} waits for ${figure(body.trigger.price)} SOL.`);
    this.#key = crypto.randomUUID();
    this.#placed(body);
  }
}

function say(text) {
  outcome.textContent = text;
}
