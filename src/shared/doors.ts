/** All types of a union at once. */
type All<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer Each) => void
  ? Each
  : never;

type Parameter<Door, Member extends string> =
  Door extends Record<Member, (context: infer Context) => object> ? Context : never;
type Result<Door, Member extends string> =
  Door extends Record<Member, (context: never) => infer Value> ? Value : never;

/** What the member of several doors takes, together. */
export type Needed<Doors extends readonly object[], Member extends string> = All<
  Parameter<Doors[number], Member>
>;
/** What it returns, together. */
export type Given<Doors extends readonly object[], Member extends string> = All<
  Result<Doors[number], Member>
>;

/**
 * Calls a member of every door that has it, and returns what they give together (docs/architecture.md). Throws
 * when two doors give the same name.
 */
export function gather<const Doors extends readonly object[], const Member extends string>(
  doors: Doors,
  member: Member,
  context: Needed<Doors, Member>,
): Given<Doors, Member> {
  const given: Record<string, unknown> = {};
  for (const door of doors as readonly Record<string, ((context: unknown) => object) | undefined>[]) {
    for (const [name, value] of Object.entries(door[member]?.(context) ?? {})) {
      if (name in given) throw new Error(`two doors give ${name}`);
      given[name] = value;
    }
  }
  return given as Given<Doors, Member>;
}
