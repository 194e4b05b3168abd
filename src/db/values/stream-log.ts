/** Kinds of changes in the log; `market` is a token's market, `proven` the progress of its source's proof. */
export const streamLogKinds = [
  'trade',
  'trade_reverted',
  'token',
  'market',
  'proven',
  'event',
  'intent',
  'operation',
  'delivery',
  'presale',
  'round',
  'order',
] as const;
