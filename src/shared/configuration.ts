/** One environment variable. `parse` converts its text, or throws Error with the expectation. */
export interface Variable<Value> {
  name: string;
  description?: string;
  secret?: boolean;
  /** The secret parts of a value that is neither a URL nor secret as a whole. */
  secretParts?(text: string): string[];
  /** Shown in the documentation; absent for required variables. */
  default?: unknown;
  /** `text` is undefined when the variable is unset or empty. */
  parse(text: string | undefined): Value;
}

export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** All mistakes of one environment, each as `NAME expectation`. */
export class ConfigurationError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(`invalid configuration:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
    this.name = 'ConfigurationError';
    this.mistakes = mistakes;
  }
}

/** Parses every variable and reports all mistakes together. @param found mistakes that are known already */
export function parseVariables(
  variables: Variables,
  environment: Readonly<Record<string, string | undefined>>,
  found: readonly string[] = [],
): Record<string, unknown> {
  const mistakes = [...found];
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries(variables)) {
    try {
      values[key] = variable.parse(environment[variable.name] || undefined);
    } catch (error) {
      mistakes.push(`${variable.name} ${error instanceof Error ? error.message : 'is invalid'}`);
    }
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return values;
}
