import type { Program, Variable, Variables } from './variable.ts';
import { chainVariables } from './variables/chain.ts';
import { imageVariables } from './variables/images.ts';
import { keyVariables } from './variables/keys.ts';
import { limitVariables } from './variables/limits.ts';
import { observationVariables } from './variables/observation.ts';
import { retentionVariables } from './variables/retention.ts';
import { serverVariables } from './variables/server.ts';
import { storeVariables } from './variables/stores.ts';
import { webhookVariables } from './variables/webhooks.ts';

/** Every environment variable of the programs (contract/processes#configuration). `load.ts` reads them. */
export const variables = {
  ...serverVariables,
  ...storeVariables,
  ...chainVariables,
  ...imageVariables,
  ...keyVariables,
  ...limitVariables,
  ...observationVariables,
  ...webhookVariables,
  ...retentionVariables,
} satisfies Variables;

type Name = keyof typeof variables;

export type Values = {
  [Key in Name]: (typeof variables)[Key] extends Variable<infer Value, Program> ? Value : never;
};

/** Values as far as they were read: a program reads only its own. */
export type ReadValues = { [Key in Name]?: Values[Key] | undefined };

/** Names of the variables that a program reads. */
export type NamesReadBy<Reader extends Program> = {
  [Key in Name]: Reader extends (typeof variables)[Key]['for'][number] ? Key : never;
}[Name];

/** Selects the variables of a program; those that it can do without are optional. */
export function variablesOf(program: Program): Variables {
  return Object.fromEntries(
    Object.entries<Variable>(variables)
      .filter(([, one]) => one.for.includes(program))
      .map(([key, one]) => [key, one.optionalFor?.includes(program) ? optional(one) : one]),
  );
}

export function optional({ missing: _, ...one }: Variable): Variable {
  return one;
}
