/** One problem code. Texts for the documentation may hold `code` in backticks. */
export interface ProblemDefinition {
  status: number;
  /** Status on reads, where it differs (contract/endpoints#problems). */
  readStatus?: number;
  /** `Retry-After` of a 503 that does not end soon; 1 s where it is absent. */
  retryAfterSeconds?: number;
  /** Short stable summary. */
  title: string;
  /** Public explanation for an occurrence without a more precise one. */
  detail: string;
  /** The statement of the response about the request, where it says more than `detail`. */
  meaning?: string;
  /** Situations that cause it. */
  when: readonly string[];
  /** The action for the caller. */
  action: string;
  /** Members of `context`. */
  context?: Readonly<Record<string, ContextMember>>;
}

interface ContextMember {
  meaning: string;
  example: unknown;
}

/** Problems that the page of errors lists together. */
export interface ProblemArea<Code extends string = string> {
  id: string;
  title: string;
  problems: Readonly<Record<Code, ProblemDefinition>>;
}

/** Wait after a permanent refusal (contract/responses#retry-after). */
export const LASTING_RETRY_AFTER_SECONDS = 3_600;

export function problemArea<Code extends string>(
  id: string,
  title: string,
  problems: Readonly<Record<Code, ProblemDefinition>>,
): ProblemArea<Code> {
  return { id, title, problems };
}

/** The error of a program in `context`, as refusals by a simulation report it. */
export function programError(program: string, number: number, name: string): ContextMember {
  return {
    meaning: 'the program, the number of its error, and the name that the program gives it, where known',
    example: { program, number, name },
  };
}
