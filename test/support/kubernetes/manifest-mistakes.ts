interface Model {
  validate(): void;
}

/**
 * Finds the mistakes of a manifest: errors of its kind's schema, and unknown fields, which a cluster would
 * drop without an error. The compiled validators accept unknown fields, but they read every known one. A
 * field that they never read is therefore unknown.
 */
export function mistakesOf(Kind: new (data: never) => Model, manifest: object): string[] {
  try {
    new Kind(manifest as never).validate();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  const unread = new Map<string, string[]>();
  const model = new Kind({} as never);
  Object.assign(model, watched(manifest, '', unread));
  model.validate();
  return [...unread].flatMap(([path, names]) => names.map((name) => `${path}/${name} is unknown`));
}

/** Wraps the data so that reading a field removes it from `unread`. */
function watched(value: unknown, path: string, unread: Map<string, string[]>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part, at) => watched(part, `${path}/${at}`, unread));
  const parts = Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, watched(part, `${path}/${name}`, unread)]),
  );
  if (path === '') return parts;
  unread.set(path, Object.keys(parts));
  return new Proxy(parts, {
    get(target, name, receiver) {
      const left = unread.get(path) ?? [];
      unread.set(
        path,
        left.filter((one) => one !== name),
      );
      return Reflect.get(target, name, receiver);
    },
  });
}
