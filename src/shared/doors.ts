/** All types of a union at once. */
type All<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer Each) => void
  ? Each
  : never;

/** What the doors need to open. */
type Needs<Door> = All<Door extends { open(context: infer Context): object } ? Context : never>;

/** What the doors give together. */
export type Given<Doors extends readonly object[]> = All<
  Doors[number] extends infer Door
    ? Door extends { open(context: never): infer Gift }
      ? Gift
      : never
    : never
>;

/**
 * Opens every door that gives something to other rooms (docs/architecture.md). Throws when two doors give the
 * same name.
 */
export function openDoors<const Doors extends readonly object[]>(
  doors: Doors,
  context: Needs<Doors[number]>,
): Given<Doors> {
  const given: Record<string, unknown> = {};
  for (const door of doors as readonly { open?(context: unknown): object }[]) {
    for (const [name, value] of Object.entries(door.open?.(context) ?? {})) {
      if (name in given) throw new Error(`two doors give ${name}`);
      given[name] = value;
    }
  }
  return given as Given<Doors>;
}
