/**
 * Every filter that lets events of a type through: `*`, the type itself, and each of its prefixes that ends at a dot
 * (`build.service.*`). An endpoint matches when it has one of them.
 */
export function filtersOf(eventType: string): string[] {
  const prefixes = [...eventType.matchAll(/\./g)].map(({ index }) => `${eventType.slice(0, index)}.*`);
  return ['*', eventType, ...prefixes];
}
