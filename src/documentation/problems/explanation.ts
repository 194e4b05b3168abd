import type { ProblemCode } from '../../shared/problem-table.ts';

/** What the documentation says about one problem code. Text may hold `code` in backticks. */
export interface ProblemExplanation {
  /** What the response says about the request. */
  meaning: string;
  /** The situations that lead to it. */
  when: readonly string[];
  /** What the caller should do. */
  action: string;
  /** Members of `context`, each with a value as it may look. */
  context?: Readonly<Record<string, { meaning: string; example: unknown }>>;
}

/** Explanations of one area; together the areas cover every code. */
export type AreaExplanations = Partial<Record<ProblemCode, ProblemExplanation>>;
