/** Sources of a holder count (contract/market-data#holder-stats). */
export const holderProvenances = ['live_trade_index', 'trade_replay', 'onchain_snapshot'] as const;
