import type { Language } from '../highlight.ts';

/** A program in one language, ready to run. */
export interface Sample {
  language: Language;
  label: string;
  code: string;
}
