import { expect, test } from 'bun:test';

/** Files of features that read `tokens` itself, and why a hidden token may be among what they read. */
const READERS: Readonly<Record<string, string>> = {
  'fees/claimable/find-position-tokens.ts': 'names the token of an own position, which the claim needs',
  'fees/claimable/list-claim-tokens.ts': 'leaves hidden ones out of a page that was cut before',
  'launches/advance-launches.ts': 'ends launches',
  'market/record-trade-events.ts': 'marks trades whose token sends no events',
  'market/traders/list-positions.ts': 'leaves hidden ones out of a page that was cut before',
  'market/traders/list-wallet-trades.ts': 'leaves hidden ones out of a page that was cut before',
  'orders/sending/claim-orders.ts': 'sends orders',
  'orders/sending/settle-unsent.ts': 'sends orders',
  'predictions/rounds/create-round.ts': 'an internal operation',
  'predictions/rounds/move-round.ts': 'moves rounds of hidden tokens too, without events',
  'presales/advance-presales.ts': 'moves presales of hidden tokens too, without events',
  'presales/create-presale.ts': 'an internal operation',
  'tokens/announced-pool.ts': 'the worker asks',
  'tokens/follow-rankings.ts': 'the worker asks',
  'tokens/launch-rows.ts': 'an internal operation',
  'tokens/list-ranked-tokens.ts': 'leaves hidden ones out of a page that was cut before',
  'tokens/ranking-rows.ts': 'the worker asks',
  'tokens/search-tokens.ts': 'leaves hidden ones out of a page that was cut before',
  'tokens/settle-launch.ts': 'ends launches',
  'tokens/store-names.ts': 'the worker asks',
};

test('statements of features read tokens through visible_tokens, except where a hidden one has to be seen', async () => {
  const readers: string[] = [];
  for (const file of [...new Bun.Glob('**/*.ts').scanSync('src/features')].sort())
    if (/\b(?:from|join) "?tokens"?\b/i.test(await Bun.file(`src/features/${file}`).text()))
      readers.push(file);
  expect(readers).toEqual(Object.keys(READERS).sort());
});

test('nothing else repeats the condition of the view', async () => {
  const repeated: string[] = [];
  for (const file of new Bun.Glob('**/*.ts').scanSync('src/features')) {
    const text = await Bun.file(`src/features/${file}`).text();
    if (/\bvisible_tokens\b/.test(text) && /\bnot \w+\.hidden\b/.test(text)) repeated.push(file);
  }
  expect(repeated).toEqual([]);
});
