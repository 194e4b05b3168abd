/** Names a class over all copies of this package: that of `import`, that of `require`, and those of other versions. */
const NAME = Symbol.for('launchwire.class');

// biome-ignore lint/complexity/noBannedTypes: any class, an abstract one too
type Class = Function & { [NAME]?: unknown };

/**
 * Makes `instanceof` true for instances of the same class of another copy. A program that imports this package, with a
 * dependency that requires it, has two copies.
 */
export function shareClass(shared: Class, name: string): void {
  Object.defineProperty(shared, NAME, { value: name });
  Object.defineProperty(shared, Symbol.hasInstance, {
    value(this: Class, value: unknown): boolean {
      if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
      // A derived class of a program inherits this function without a name: it has one copy.
      return Object.hasOwn(this, NAME) && isNamed(value, this[NAME]);
    },
  });
}

function isNamed(value: unknown, name: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (let at: object | null = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    const { constructor: maker } = at as { constructor?: Class };
    if (typeof maker === 'function' && Object.hasOwn(maker, NAME) && maker[NAME] === name) return true;
  }
  return false;
}
