import type { Route, RouteDefinition } from './route.ts';

/** Operations with their handlers, in the order of the documentation. */
export interface Operations<Dependencies = never> {
  definitions: readonly RouteDefinition[];
  routes(dependencies: Dependencies): readonly Route[];
}

/** What a room of the house gives to the api. */
export interface ApiDoor<Ground = never, Dependencies = never> {
  /** Operations of contract/endpoints#operations, then of contract/endpoints#added. */
  operations?: readonly Operations<Dependencies>[];
  added?: readonly Operations<Dependencies>[];
  /** Makes caches, gates and services from what the process has, for the handlers of every room. */
  open?(ground: Ground): object;
  /** Reads the records that messages of streams carry. */
  records?(ground: Ground): object;
}
