/** Public events, or events that are addressed to one account. */
export type Audience = 'public' | 'account';
