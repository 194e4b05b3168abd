import type { Operations } from '../../http/api-door.ts';
import { refusing } from '../../http/problems/refusals.ts';
import { mutation, type Route, type RouteDefinition } from '../../http/route.ts';
import type { Clock } from '../../shared/clock.ts';
import { createPresale, publishPresale } from './create-presale.ts';
import { PresalePlan, plannedPresale } from './presale-plan.ts';
import { PresalePath, PresaleSchema } from './schema.ts';

const createPresaleDefinition = {
  id: 'createPresale',
  method: 'POST',
  path: '/presales',
  tag: 'Presales',
  summary: 'Create a presale of a token',
  description:
    'The presale is a draft, unless `status` is `initializing`: then it is public at once. Send an `id` of your own to find the presale again.',
  auth: ['presales'],
  ratePolicy: 'service-key',
  successStatus: 201,
  body: PresalePlan,
  exampleBody: {
    mintAddress: 'So11111111111111111111111111111111111111112',
    allocationsBps: { burn: 0, pool: 5_000, sale: 5_000 },
    creatorCommitmentLamports: '0',
    minCapLamports: '1000000000',
    maxCapLamports: '5000000000',
    perWalletCapLamports: '1000000000',
    publicStartAt: '2026-11-20T10:00:00.000Z',
    deadline: '2026-11-21T10:00:00.000Z',
  },
  response: PresaleSchema,
  problems: ['internal_state_conflict'],
} satisfies RouteDefinition;

const publishPresaleDefinition = {
  id: 'publishPresale',
  method: 'POST',
  path: '/presales/:id/publications',
  tag: 'Presales',
  summary: 'Make a draft public',
  description: 'It opens at its start.',
  auth: ['presales'],
  ratePolicy: 'service-key',
  successStatus: 200,
  params: PresalePath,
  response: PresaleSchema,
  problems: ['presale_not_found', 'internal_state_conflict'],
} satisfies RouteDefinition;

const definitions: readonly RouteDefinition[] = [createPresaleDefinition, publishPresaleDefinition];

function routes({ clock }: { clock: Clock }): Route[] {
  return [
    mutation(createPresaleDefinition, async ({ body }, _caller, transaction) => ({
      body: await refusing(undefined, () => {
        const now = clock.now();
        return createPresale(transaction, plannedPresale(body, now), now);
      }),
    })),
    mutation(publishPresaleDefinition, async ({ params }, _caller, transaction) => ({
      body: await refusing('presale_not_found', () => publishPresale(transaction, params.id, clock.now())),
    })),
  ];
}

export const presaleInternal = { definitions, routes } satisfies Operations;
