import { ConfigurationError } from '../shared/configuration-error.ts';

/** The programs of the product, as `ops/docker/entrypoint.sh` names them. */
export const programs = ['api', 'worker', 'relay', 'internal', 'migrate', 'admin'] as const;
export type Program = (typeof programs)[number];

/** Programs that run as long as the service does. */
export const processes = ['api', 'worker', 'relay', 'internal'] as const;
export const busUsers = ['api', 'worker', 'relay', 'admin'] as const;

/** Converts the text of a variable, or throws Error with the expectation. */
export type Rule<Value> = (text: string) => Value;

interface Entry<Value, Reader extends Program> {
  /** Only these programs read it: `compose.yaml` passes it to them alone (a test compares both ways). */
  for: readonly Reader[];
  rule: Rule<Value>;
  /** Lists the parts of the text that no log line and no message may show. */
  secret?: (text: string) => string[];
  /** Its meaning, for operators. */
  text: string;
}

export interface Variable<Value = unknown, Reader extends Program = Program> extends Entry<Value, Reader> {
  name: string;
  default?: Value;
  /** The mistake when it is unset; absent where it may be. */
  missing?: string;
  /** Readers that work without a required variable. */
  optionalFor?: readonly Program[];
}

export type Variables = Readonly<Record<string, Variable>>;

/** A variable that may be unset. Its value is then the default, or undefined. */
export function variable<
  Value,
  const Reader extends Program,
  const Default extends Value | undefined = undefined,
>(name: string, entry: Entry<Value, Reader> & { default?: Default }): Variable<Value | Default, Reader> {
  return { name, ...entry };
}

/** A variable that must be set for all of its readers but those named as `optionalFor`. */
export function required<Value, const Reader extends Program>(
  name: string,
  entry: Entry<Value, Reader> & { optionalFor?: readonly Reader[] },
): Variable<Value, Reader> {
  return { name, ...entry, missing: 'is required' };
}

/**
 * Parses every variable and reports all mistakes together.
 * @param found mistakes that are known already
 */
export function parseVariables(
  variables: Variables,
  environment: Readonly<Record<string, string | undefined>>,
  found: readonly string[] = [],
): Record<string, unknown> {
  const mistakes = [...found];
  const values: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(variables)) {
    try {
      values[key] = parse(one, environment[one.name]);
    } catch (error) {
      mistakes.push(`${one.name} ${error instanceof Error ? error.message : 'is invalid'}`);
    }
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return values;
}

/** An empty variable counts as unset. */
function parse(one: Variable, text: string | undefined): unknown {
  if (text) return one.rule(text);
  if (one.missing !== undefined) throw new Error(one.missing);
  return one.default;
}
