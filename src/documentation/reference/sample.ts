import type { Language } from '../highlight.ts';

/** A complete program in one language. */
export interface Sample {
  language: Language;
  label: string;
  code: string;
}
