/** Functional areas (contract/endpoints#areas), in reading order. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  System: 'What this deployment runs on: chain, programs, limits.',
  Identity: 'Who an API key is.',
  Tokens: 'Launched tokens and who holds them.',
  'Market data': 'Prices, trades, candles, holders and supply of a token.',
  Launches: 'How tokens come into being.',
  Trading: 'Quotes and trades.',
  Staking: 'Staking pools, their leaders, and your own positions.',
  Fees: 'What a token earned and to whom it went.',
  Presales: 'Raises before a launch.',
  Predictions: 'Rounds in which wallets predict a price.',
  Audience: 'Exports of who takes part.',
  Operations: 'Long-running work, and transactions that wait for a wallet signature.',
  Wallets: 'What the platform says of wallets.',
  Streams: 'What changes, as it changes.',
  Webhooks: 'Signed events pushed to your endpoints.',
};
