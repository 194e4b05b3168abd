import { Type } from '@sinclair/typebox';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { CodeField, DetailField, described, Nullable, OneOf } from '../../shared/field-schemas.ts';
import type { FieldErrorCode } from '../../shared/problem.ts';

/**
 * The meaning of each field error code (contract/errors#field-errors); a new code without a sentence does not
 * compile.
 */
export const fieldErrorMeanings: Readonly<Record<FieldErrorCode, string>> = {
  required: 'The field is missing.',
  invalid_type: 'The value does not have the JSON type of the field.',
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
    description: 'JSON Pointer into the request, which begins with `/path`, `/query`, `/header` or `/body`.',
    examples: ['/body/url'],
  }),
  code: described(
    'Stable identifier. Branch on it.',
    OneOf(Object.keys(fieldErrorMeanings) as FieldErrorCode[]),
  ),
  message: described('What was expected.', Type.String({ examples: ['is required'] })),
});

const TitleField = described('The problem in a few words. Its wording may change.', Type.String());
const ContextField = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Facts about this occurrence.',
});

const CauseSchema = Type.Object({
  code: CodeField,
  title: TitleField,
  detail: DetailField,
  context: Type.Optional(ContextField),
});

/** Problem Details (contract/errors#problem-details), in the body of an error and in a failed operation. */
export const ProblemSchema = Type.Object(
  {
    type: described('Address of the page that explains the code.', Type.String()),
    title: TitleField,
    status: described('The HTTP status.', Type.Integer({ minimum: 400, maximum: 599 })),
    detail: DetailField,
    instance: described('Path of the request, at most its first 512 characters.', Type.String()),
    code: CodeField,
    requestId: Type.String({
      pattern: '^req_[0-9a-f]{32}$',
      description: 'The same as the header `X-Request-Id`. Name it when you ask for support.',
    }),
    errors: Type.Optional(
      Type.Array(FieldErrorSchema, {
        maxItems: publishedLimits.fieldErrors,
        description: 'Every invalid field of the part that failed.',
      }),
    ),
    context: Type.Optional(ContextField),
    causes: Type.Optional(
      Type.Array(CauseSchema, { description: 'Other failures that the same check found.' }),
    ),
  },
  { $id: 'Problem' },
);

export const NullableProblemSchema = Nullable(ProblemSchema);
