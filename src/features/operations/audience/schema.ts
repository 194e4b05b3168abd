import { type Static, Type } from '@sinclair/typebox';
import { AudienceExportInput } from '../kinds/input-schema.ts';

/** What an export may be asked for (contract/operations#audience-export): the input of the kind without its mint. */
export const AudienceExportBody = Type.Omit(AudienceExportInput, ['mintAddress'], {
  additionalProperties: false,
});
export type AudienceExportBody = Static<typeof AudienceExportBody>;
