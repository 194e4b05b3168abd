/** Names of the variants, in every HTTP case the same, so that budgets and plots find them. */
export const OURS = 'ours';
export const BARE = 'bare Bun.serve';
/** A bare server that also asks for the address of the peer and for one header. */
export const FLOOR = 'floor: bare with address and header';
export const FASTIFY = 'Fastify on Node';
export const HONO = 'Hono on Bun';
export const ELYSIA = 'Elysia on Bun';
/** The strong peer: Bun without a framework. */
export const BUN = 'Bun.serve and Bun.SQL';
