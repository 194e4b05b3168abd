/** Functional areas (contract/endpoints#areas), in reading order. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  System: 'Chain, programs and limits of this deployment.',
  Identity: 'Account and wallet of an API key.',
  Tokens: 'Launched tokens and their holders.',
  'Market data': 'Prices, trades, candles, holders and supply of a token.',
  Launches: 'Launches of new tokens.',
  Trading: 'Quotes and trades.',
  Orders: 'Swaps that wait for a price without a deposit, and the nonce accounts over which they are signed.',
  Staking: 'Staking pools, their leaders, and your own positions.',
  Fees: 'Fees of a token and their recipients.',
  Presales: 'Raises before a launch.',
  Predictions: 'Rounds in which wallets predict a price.',
  Audience: 'Exports of token holders.',
  Operations: 'Long-running work, and transactions that wait for a wallet signature.',
  Wallets: 'Usernames and verification of wallets.',
  Streams: 'Changes as they happen, over an open connection.',
  Webhooks: 'Signed events pushed to your endpoints.',
};
