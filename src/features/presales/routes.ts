import { Type } from '@sinclair/typebox';
import { PageOf, paginationFields } from '../../http/fields.ts';
import type { Operation, Route } from '../../http/operation.ts';
import { pendingRoute } from '../../http/pending-route.ts';
import { PresaleParticipationSchema, PresalePath, PresaleSchema } from './schema.ts';

const listPresales = {
  id: 'listPresales',
  method: 'GET',
  path: '/presales',
  tag: 'Presales',
  summary: 'Public presales, newest first',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  query: Type.Object(paginationFields),
  response: PageOf(PresaleSchema),
  problems: ['cursor_invalid'],
} satisfies Operation;

const getPresale = {
  id: 'getPresale',
  method: 'GET',
  path: '/presales/:id',
  tag: 'Presales',
  summary: 'One public presale',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 5,
  params: PresalePath,
  response: PresaleSchema,
  problems: ['presale_not_found'],
} satisfies Operation;

const getPresaleParticipation = {
  id: 'getPresaleParticipation',
  method: 'GET',
  path: '/presales/:id/participation',
  tag: 'Presales',
  summary: "What the key's wallet put into a presale and got out",
  auth: ['presales:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: PresalePath,
  response: PresaleParticipationSchema,
  problems: ['presale_not_found', 'presale_participation_not_found'],
} satisfies Operation;

export function presaleRoutes(): Route[] {
  return [listPresales, getPresale, getPresaleParticipation].map(pendingRoute);
}
