import { Deadlines } from '../../shared/deadlines.ts';
import { Problem } from '../../shared/problem.ts';
import { requirePlainContent } from '../mutations/mutation-headers.ts';
import type { UploadInput, UploadRules } from '../route.ts';
import type { RequestBody } from './request-body.ts';

/** A file must arrive within this time: 5 MiB at 3.5 Mbit/s. */
const ARRIVAL_DEADLINE_MS = 12_000;
const arrivals = new Deadlines(ARRIVAL_DEADLINE_MS);

/**
 * Reads the file of an upload, in the order of the pipeline: counted length, content type, arrival. Throws
 * `request_body_too_large`, `unsupported_content_type`, and the problem of the rules for an incomplete body.
 */
export async function readUpload(
  request: Request,
  body: RequestBody,
  rules: UploadRules,
): Promise<UploadInput> {
  const counted = body.isOfUnknownLength ? await arrival(body, rules) : undefined;
  requirePlainContent(request.headers);
  const mediaType = mediaTypeOf(request.headers.get('content-type'));
  if (!rules.mediaTypes.includes(mediaType)) {
    const detail = `Content-Type must be one of ${rules.mediaTypes.join(', ')}.`;
    throw new Problem('unsupported_content_type', { detail });
  }
  return { bytes: counted ?? (await arrival(body, rules)), mediaType };
}

async function arrival(body: RequestBody, { bytesMax, incomplete }: UploadRules): Promise<Uint8Array> {
  try {
    return await body.read(bytesMax, arrivals);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'malformed_json') throw error;
    const { detail = error.message, cause } = error.facts;
    throw new Problem(incomplete, { detail, context: { reason: 'incomplete' }, cause });
  }
}

/** Parameters of a media type say nothing about a file. */
function mediaTypeOf(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
