import { type Static, Type } from '@sinclair/typebox';
import { AudienceExportInput } from '../kinds/input-schema.ts';

/** The input of an audience export without its mint (contract/operations#audience-export). */
export const AudienceExportBody = Type.Omit(AudienceExportInput, ['mintAddress'], {
  additionalProperties: false,
});
export type AudienceExportBody = Static<typeof AudienceExportBody>;
