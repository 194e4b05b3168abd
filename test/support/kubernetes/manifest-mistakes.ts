interface Model {
  validate(): void;
}

/**
 * What is wrong with a manifest: what the schema of its kind refuses, and fields that it does not know, which a cluster
 * would drop in silence. The validators are compiled and let unknown fields pass, but they read every field that they
 * know: what they never read, they do not know.
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

/** The same data, whose fields are taken out of `unread` as they are read. */
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
