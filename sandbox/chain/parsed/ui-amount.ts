/** An amount as RPC shows it: exact string, and a float that only displays may use. */
export interface UiTokenAmount {
  readonly amount: string;
  readonly decimals: number;
  readonly uiAmount: number | null;
  readonly uiAmountString: string;
}

/** Shows amounts of one mint. */
export type AmountDisplay = (amount: bigint) => UiTokenAmount;

// From this many decimals on a node cannot hold the power of ten and gives no float.
const DECIMALS_WITHOUT_FLOAT = 20;

/** The amount as the mint's decimals alone show it. */
export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: decimals >= DECIMALS_WITHOUT_FLOAT ? null : Number(amount) / 10 ** decimals,
    uiAmountString: fraction === '' ? whole : `${whole}.${fraction}`,
  };
}
