import type { ApiDoor } from '../../http/api-door.ts';
import { identityDefinitions, identityRoutes, keyDefinitions, keyRoutes } from './routes.ts';

export const identityApi = {
  operations: [{ definitions: identityDefinitions, routes: identityRoutes }],
  added: [{ definitions: keyDefinitions, routes: keyRoutes }],
} satisfies ApiDoor;
