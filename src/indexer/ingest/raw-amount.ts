import { Type } from '@sinclair/typebox';

/** Lamports or base units of a token: up to 20 digits, which hold every 64-bit amount of the chain. */
export const RawAmount = Type.String({ pattern: '^(?:0|[1-9]\\d{0,19})$' });
/** The same above zero: a movement of nothing is none. */
export const PositiveRawAmount = Type.String({ pattern: '^[1-9]\\d{0,19}$' });
