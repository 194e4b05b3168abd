/** A part of an OpenAPI or AsyncAPI document, with its place. References are followed, also on the way. */
export class DocumentPart {
  /** A JSON Pointer in the form of a fragment. */
  readonly pointer: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents are checked by validators of their own
  readonly value: any;
  readonly #document: unknown;

  constructor(document: unknown, pointer = '#') {
    this.#document = document;
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => Reflect.get(Object(node), decoded(key)), document);
    const reference = (found as { $ref?: unknown } | undefined)?.$ref;
    const target = typeof reference === 'string' ? new DocumentPart(document, reference) : undefined;
    this.pointer = target?.pointer ?? pointer;
    this.value = target?.value ?? found;
  }

  /** Undefined where there is no such member. */
  get(...keys: readonly (string | number)[]): DocumentPart | undefined {
    const [key, ...others] = keys;
    if (key === undefined) return this;
    if (!this.#has(key)) return undefined;
    return new DocumentPart(this.#document, `${this.pointer}/${encoded(String(key))}`).get(...others);
  }

  #has(key: string | number): boolean {
    return typeof this.value === 'object' && this.value !== null && Object.hasOwn(this.value, key);
  }

  members(...keys: readonly (string | number)[]): [name: string, part: DocumentPart][] {
    const part = this.get(...keys);
    const names = typeof part?.value === 'object' ? Object.keys(part.value ?? {}) : [];
    return names.flatMap((name) => {
      const member = part?.get(name);
      return member === undefined ? [] : [[name, member]];
    });
  }
}

const encoded = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
const decoded = (key: string) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
