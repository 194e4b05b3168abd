import { problemArea } from './problem-area.ts';

export const requestsProblems = problemArea('requests', 'Requests', {
  unsupported_content_type: {
    status: 415,
    title: 'Unsupported content type',
    detail: 'The body must be sent as application/json.',
    when: [
      '`Content-Type` is missing, or anything but `application/json`. Parameters such as `charset=utf-8` are fine.',
    ],
    action:
      'Send `Content-Type: application/json`. An operation without a body needs no `Content-Type` at all.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'Invalid idempotency key',
    detail: 'Idempotency-Key must be 8 to 128 printable ASCII characters.',
    meaning:
      'A change needs an `Idempotency-Key` of 8 to 128 printable ASCII characters without spaces, and this request has none. `detail` says so when the header is missing.',
    when: [
      'The header is missing or empty.',
      'The key is too short, too long, or holds a space or a character outside ASCII.',
    ],
    action: 'Send a fresh UUID for every change, and the same one for every retry of it.',
  },
  precondition_required: {
    status: 428,
    title: 'Precondition required',
    detail: 'If-Match is required.',
    meaning: 'This change is meant for a certain version of the record, and the request does not say which.',
    when: ['`If-Match` is missing on a versioned operation.'],
    action: 'Read the record, and send its `ETag` (the `version` in double quotes) as `If-Match`.',
  },
  precondition_invalid: {
    status: 400,
    title: 'Invalid precondition',
    detail: 'If-Match must be one strong ETag that holds a positive integer, in quotes: "3".',
    when: [
      'The quotes are missing (`3` instead of `"3"`), the tag is weak (`W/"3"`), a list, `*`, zero or negative.',
    ],
    action: 'Send exactly the `ETag` that came with the record, quotes included.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    detail: 'The body is not valid JSON in UTF-8.',
    when: [
      'The body is cut off, holds a trailing comma, starts with a byte order mark, or is not valid UTF-8.',
    ],
    action: 'Serialise the body with a JSON library and send the bytes unchanged.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    detail: 'One or more fields are invalid.',
    meaning:
      'Path, query or body does not have the documented form. `errors` lists every invalid field of the first part that failed, up to 100.',
    when: [
      'A required field is missing, or the body holds a field that the operation does not know.',
      'A value has the wrong type or form: an address that is not base58 of 32 bytes, an id that is no UUID, a number sent as text.',
      'A number or length is out of its range, or a value is not one of those allowed.',
      'A query parameter was sent twice.',
      'The query holds a parameter that the operation does not know, and the operation is none of the first 36, which ignore it.',
    ],
    action:
      'Correct the fields in `errors`: `path` is a JSON Pointer that starts with `/path`, `/query`, `/header` or `/body`.',
  },
  cursor_invalid: {
    status: 400,
    title: 'Invalid cursor',
    detail: 'The cursor is malformed, altered, or belongs to another query.',
    when: [
      'The cursor was cut off or altered, or made by another deployment.',
      'Filters or path differ from those of the page that returned the cursor. Only `limit` may change between pages.',
    ],
    action:
      'Start over without `cursor`. Treat cursors as opaque text and keep all other parameters of the query.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Idempotency key reused',
    detail: 'The key was used for a different request.',
    meaning:
      'The key was used for another request before: method, path, body or `If-Match` differ from the first one.',
    when: [
      'A key is derived from a repeating value, such as a counter or a date.',
      'A request was changed (or serialised differently) between two attempts with one key.',
    ],
    action:
      'Use a new key for the new request. To learn the outcome of the earlier one, repeat it byte for byte. Stored outcomes are kept for 24 hours; `Retry-After` is the time until the key is free again.',
  },
  idempotency_request_in_progress: {
    status: 409,
    title: 'Request in progress',
    detail: 'The first attempt with this key is still running.',
    meaning: 'An earlier attempt with this key is still running. The change was not done twice.',
    when: ['A client timed out and retried before the first attempt had ended, or two workers share a key.'],
    action:
      'Wait `Retry-After` seconds and send the same request with the same key: it then returns the stored outcome.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    detail: 'If-Match does not match the version of the resource.',
    meaning: 'The record has changed since you read it. Nothing was changed now.',
    when: ['Another client, or an earlier request of yours, changed the record in between.'],
    action:
      'Read the record again, decide whether your change still makes sense, and send it with the new `ETag` and a new `Idempotency-Key`.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'The request could not be completed.',
    meaning: 'The service failed unexpectedly. Its log has the cause under this request id.',
    when: ['A defect of the service.'],
    action:
      'A read may be repeated. Repeat a change only with the same `Idempotency-Key`. If it persists, report the `requestId`.',
  },
  api_dependency_unavailable: {
    status: 503,
    title: 'Dependency unavailable',
    detail: 'A backing dependency is unavailable.',
    meaning: 'A dependency of the operation, such as the database or the chain, cannot be reached.',
    when: ['A dependency is down, restarting or too slow.'],
    action:
      'Retry after `Retry-After` seconds with growing, jittered pauses; changes with the same `Idempotency-Key`.',
  },
});
