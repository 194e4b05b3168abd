/** A field that is the price of a whole token in SOL, and which of the prices it is. */
interface PriceField {
  /** The records that have it. */
  of: string;
  field: string;
  meaning: string;
}

const priceField = (of: string, field: string, meaning: string): PriceField => ({ of, field, meaning });

/** Every such field, by its record: schemas describe it in these words, and guides/glossary#prices shows all of them. */
export const prices = {
  token: priceField(
    'token',
    'currentPriceInSol',
    'Market price of a whole token: the price of the pool after its last trade or, if the source reports no price of the pool, the price that this trade paid; null while unknown. A market snapshot and a position name it `priceInSol`.',
  ),
  market: priceField(
    'market snapshot, position',
    'priceInSol',
    'Market price of a whole token, as `currentPriceInSol` of the token; null while unknown.',
  ),
  trade: priceField(
    'trade',
    'pricePerTokenInSol',
    'Price of a whole token that this trade paid, including fees of the pool. The price of the pool after the trade is `spotPriceInSol`.',
  ),
  tradeSpot: priceField(
    'trade',
    'spotPriceInSol',
    'Price of a whole token at the pool after this trade; null if the source does not report it. The price that the trade paid is `pricePerTokenInSol`.',
  ),
  quoteSpot: priceField(
    'quote, swap',
    'spotPriceInSol',
    'Price of a whole token at the pool before the swap, without fees. The price that a swap paid is `priceInSol` of its landing.',
  ),
  quoteSpotAfter: priceField(
    'quote, swap',
    'spotPriceAfterInSol',
    'Price of a whole token at the pool after the swap.',
  ),
  landing: priceField(
    'landing of an intent',
    'priceInSol',
    'Price of a whole token that this swap paid (the fill), including the fees of the pool and the platform; null if there is no fill. It is not the market price, which other records name `priceInSol` too.',
  ),
  trigger: priceField(
    'order',
    'trigger.price',
    'The price of a whole token that you set. Trades are compared with it by `of`: with `spot` their `spotPriceInSol`, with `trade` their `pricePerTokenInSol`.',
  ),
  triggeredBy: priceField(
    'order',
    'triggeredBy.price',
    'The price of the trade that was compared with the trigger: its `spotPriceInSol` or its `pricePerTokenInSol`.',
  ),
  launchStart: priceField(
    'terms of a launch',
    'startingPriceInSol',
    'Price of a whole token at the pool when it opens.',
  ),
  launchEnd: priceField(
    'terms of a launch',
    'graduationPriceInSol',
    'Price of a whole token at the pool when the curve is complete.',
  ),
  firstBuy: priceField(
    'quote of a launch',
    'averagePriceInSol',
    'Price of a whole token that the first buy pays, including fees of the pool.',
  ),
  afterFirstBuy: priceField(
    'quote of a launch',
    'priceAfterInSol',
    'Price of a whole token at the pool after the first buy.',
  ),
  graduated: priceField(
    'events of a launched token',
    'pool.spotPriceInSol',
    'Price of a whole token at the pool of the event; null if the source does not report it.',
  ),
} as const satisfies Readonly<Record<string, PriceField>>;
