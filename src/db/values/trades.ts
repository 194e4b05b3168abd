export const tradeTypes = ['buy', 'sell'] as const;

export type TradeType = (typeof tradeTypes)[number];

export const candleIntervals = ['1m', '5m', '15m', '1h', '4h', '1d'] as const;
