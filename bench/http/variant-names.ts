/** Names of the variants, in every HTTP case the same, so that budgets and plots find them. */
export const OURS = 'ours';
export const BARE = 'bare Bun.serve';
export const FASTIFY = 'Fastify on Node';
export const HONO = 'Hono on Bun';
