import { intents, operations } from './activity.js';
import { addresses } from './addresses.js';
import { read } from './api.js';
import { attempted, loadFailed } from './deliveries.js';
import { Market } from './market.js';
import { OrderForm } from './order-form.js';
import { orderList } from './orders.js';
import './scrolling-focus.js';
import { follow } from './stream.js';
import { Tape } from './tape.js';
import { chooseTokens } from './token-view.js';
import { Tokens } from './tokens.js';

/** A stream takes 100 topics; the others are tokens, trades, intents, operations, orders, deliveries. */
const FOLLOWED_TOKENS = 40;
const GENERAL = ['tokens', 'trades', 'intents', 'operations', 'orders', 'deliveries'];
const NEWEST_TRADES = 30;
const ADDRESS = /^#([1-9A-HJ-NP-Za-km-z]{32,44})$/;

const market = new Market();
const tokens = new Tokens((token) => {
  market.choose(token);
  form.choose(token);
  // The address of the page is that of the token.
  history.replaceState(null, '', `#${token.mintAddress}`);
});
const orders = orderList((mint) => tokens.get(mint));
const form = new OrderForm((order) => orders.show(order));
const tape = new Tape((mint) => tokens.get(mint)?.symbol ?? null);
const connection = document.querySelector('#stream');

function onState(state) {
  connection.dataset.state = state;
  connection.textContent = state === 'live' ? 'stream live' : 'stream reconnecting';
}

function showToken(token) {
  const isNew = tokens.get(token.mintAddress) === null;
  const isShown = tokens.show(token);
  market.show(token);
  form.show(token);
  // Just after the start no token has traded yet.
  if (tokens.chosen === null && token.currentPriceInSol !== null) tokens.choose(token.mintAddress);
  if (isNew && isShown) followAll();
}

let stream = null;
/** Follows everything, and the prices of the tokens that are listed. A new token changes the topics; nothing is missed between. */
function followAll() {
  const from = stream?.cursor ?? null;
  stream?.close();
  const prices = tokens.mints.slice(-FOLLOWED_TOKENS).map((mint) => `token:${mint}`);
  stream = follow(
    [...GENERAL, ...prices],
    {
      token: showToken,
      trade: (trade) => tape.add(trade, true),
      trade_reverted: ({ tradeId }) => tape.revert(tradeId),
      intent: (intent) => intents.show(intent),
      operation: (operation) => operations.show(operation),
      order: (order) => orders.show(order),
      delivery: attempted,
      gap: load,
    },
    onState,
    from,
  );
}

/** Reads the state before the stream: tokens first, then the chart of one, which wait for nothing else. */
async function load() {
  if (tokens.isNewest) await tokens.load();
  if (tokens.chosen === null) await openAddressed();
  if (tokens.chosen === null && tokens.oldestTraded !== null) tokens.choose(tokens.oldestTraded);
  await Promise.all([loadTrades(), intents.load(), operations.load(), orders.load(), loadFailed()]);
}

/** The trades of the market that is shown. */
async function loadTrades() {
  const mint = tokens.chosen ?? tokens.mints.at(-1);
  if (mint === undefined) return;
  const trades = await read(`/tokens/${mint}/trades?limit=${NEWEST_TRADES}`);
  for (const trade of trades?.data.toReversed() ?? []) tape.add(trade, false);
}

/** Chooses the token that the address of the page names. One that is not listed joins the list. */
async function openAddressed() {
  const [, mint] = ADDRESS.exec(location.hash) ?? [];
  if (mint === undefined || mint === tokens.chosen) return;
  if (tokens.get(mint) === null) {
    const token = await read(`/tokens/${mint}`);
    if (token === null || !tokens.show(token)) return;
  }
  tokens.choose(mint);
}

async function linkDocs() {
  const { wallet, docs } = await addresses;
  document.querySelector('#order-form').hidden = wallet === null;
  for (const link of ['#docs', '#guide']) document.querySelector(link).href = docs;
}

void linkDocs();
addEventListener('hashchange', openAddressed);
chooseTokens(tokens, () => {
  followAll();
  void tokens.loadPrices();
});
await load();
followAll();
await tokens.loadPrices();
