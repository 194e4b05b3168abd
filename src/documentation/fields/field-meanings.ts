import { communityFields } from './community-fields.ts';
import { marketFields } from './market-fields.ts';
import { platformFields } from './platform-fields.ts';
import { sharedFields } from './shared-fields.ts';

const meanings: Readonly<Record<string, string>> = {
  ...sharedFields,
  ...marketFields,
  ...communityFields,
  ...platformFields,
};

/** What a field means: in its record (the `$id` of its schema) if that differs, else wherever it has this name. */
export function fieldMeaning(record: string | undefined, name: string): string | undefined {
  return meanings[`${record}.${name}`] ?? meanings[name];
}
