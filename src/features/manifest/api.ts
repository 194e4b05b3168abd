import type { ApiDoor } from '../../http/api-door.ts';
import { manifestDefinitions, manifestRoutes } from './routes.ts';

export const manifestApi = {
  operations: [{ definitions: manifestDefinitions, routes: manifestRoutes }],
} satisfies ApiDoor;
