/** HTML or SVG whose texts are escaped. */
export interface Markup {
  readonly html: string;
}

/** Escapes a text for element content and quoted attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

type Value = string | number | Markup | readonly Markup[];

/** Template of markup: every inserted text is escaped, only `Markup` goes in as it is. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { html: parts.reduce((html, part, index) => `${html}${render(values[index - 1] ?? '')}${part}`) };
}

function render(value: Value): string {
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value.toString() : '';
  if ('html' in value) return value.html;
  return value.map(({ html }) => html).join('');
}
