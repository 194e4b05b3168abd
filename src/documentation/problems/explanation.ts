import type { ProblemCode } from '../../shared/problem-table.ts';

/** The explanation of one problem code. Text may hold `code` in backticks. */
export interface ProblemExplanation {
  /** The statement of the response about the request. */
  meaning: string;
  /** Situations that cause it. */
  when: readonly string[];
  /** The action for the caller. */
  action: string;
  /** Members of `context`, each with an example value. */
  context?: Readonly<Record<string, { meaning: string; example: unknown }>>;
}

/** Explanations of one area; together the areas cover every code. */
export type AreaExplanations = Partial<Record<ProblemCode, ProblemExplanation>>;
