/** Prediction round status (contract/predictions#round-transitions). */
export const roundStatuses = ['scheduled', 'open', 'locked', 'settling', 'settled', 'voided'] as const;

/** Reasons for voiding a round (contract/predictions#void-reasons). */
export const voidReasons = ['cancelled', 'no_price', 'source_not_proven'] as const;

export const predictionStatuses = ['accepted', 'settled', 'voided'] as const;
