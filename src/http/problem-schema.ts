import { Type } from '@sinclair/typebox';
import { publishedLimits } from '../shared/contract-limits.ts';
import { Nullable, OneOf } from '../shared/field-schemas.ts';
import type { FieldErrorCode } from '../shared/problem.ts';

/** What each field error code says (contract/errors#field-errors); a new code without a sentence does not compile. */
export const fieldErrorMeanings: Readonly<Record<FieldErrorCode, string>> = {
  required: 'The field is missing.',
  invalid_type: 'The value has another JSON type than the field.',
  invalid_format:
    'The text does not have the form of the field, e.g. an address that is not base58 of 32 bytes.',
  invalid_value: 'The value is not one of those the field allows.',
  out_of_range: 'The number is below the minimum or above the maximum.',
  too_short: 'The text or list is shorter than allowed.',
  too_long: 'The text or list is longer than allowed.',
  unknown_field: 'The body holds a field that the operation does not know.',
};

export const FieldErrorSchema = Type.Object({
  path: Type.String({
    description: 'JSON Pointer into the request part: /path, /query, /header or /body first',
    examples: ['/body/url'],
  }),
  code: OneOf(Object.keys(fieldErrorMeanings) as FieldErrorCode[]),
  message: Type.String({ examples: ['is required'] }),
});

const CauseSchema = Type.Object({
  code: Type.String(),
  title: Type.String(),
  detail: Type.String(),
  context: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

/** Problem Details (contract/errors#problem-details), as every error returns it and a failed operation carries it. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'address of the page and anchor that explain the code' }),
    title: Type.String({ description: 'short summary; wording may change' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'equals the HTTP status' }),
    detail: Type.String({ description: 'what happened here, for people; wording may change' }),
    instance: Type.String({ description: 'path of the request, at most its first 512 characters' }),
    code: Type.String({ description: 'stable identifier: branch on this' }),
    requestId: Type.String({
      pattern: '^req_[0-9a-f]{32}$',
      description: 'equals the header X-Request-Id; name it to support',
    }),
    errors: Type.Optional(
      Type.Array(FieldErrorSchema, {
        maxItems: publishedLimits.fieldErrors,
        description: 'every invalid field of the failing part',
      }),
    ),
    context: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'typed facts about this occurrence' }),
    ),
    causes: Type.Optional(
      Type.Array(CauseSchema, { description: 'other failures that the same check found' }),
    ),
  },
  { $id: 'Problem' },
);

/** Problem Details or null. */
export const NullableProblemSchema = Nullable(ProblemSchema);
