import { publishedLimits } from '../../shared/contract-limits.ts';
import type { FieldError } from '../../shared/problem.ts';
import { pointerToken } from './field-error-text.ts';

/**
 * What Postgres cannot store, as the end of "must not contain"; null for any other text. It refuses U+0000, and half a
 * surrogate pair would become another character on its way.
 */
export function storageFault(text: string): string | null {
  if (text.includes('\0')) return 'U+0000';
  return text.isWellFormed() ? null : 'half of a surrogate pair';
}

/** In valid UTF-8 only an escape can make such a text, and few bodies have one: no other body is walked through. */
export function mayHoldEscapes(json: Uint8Array): boolean {
  return Buffer.from(json.buffer, json.byteOffset, json.byteLength).includes('\\u');
}

/** The texts and names of fields in a JSON value that no store keeps as they are (contract/requests#texts). */
export function unstorableTexts(value: unknown, path: string): FieldError[] {
  if (typeof value === 'string') return errorOf(value, path, 'must not contain');
  if (typeof value !== 'object' || value === null) return [];
  const errors: FieldError[] = [];
  for (const [name, part] of Object.entries(value)) {
    const place = `${path}/${pointerToken(name)}`;
    errors.push(...errorOf(name, place, 'has a name that must not contain'), ...unstorableTexts(part, place));
    if (errors.length >= publishedLimits.fieldErrors) break;
  }
  return errors;
}

function errorOf(text: string, path: string, rule: string): FieldError[] {
  const fault = storageFault(text);
  return fault === null ? [] : [{ path, code: 'invalid_value', message: `${rule} ${fault}` }];
}
