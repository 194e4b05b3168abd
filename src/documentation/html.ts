/** Markup that is safe in a page. `html` takes it as it is, and escapes everything else. */
export class Html {
  readonly #markup: string;

  /** @param markup in which nothing of a stranger is unescaped */
  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[];

/** Tagged template: the literal parts are markup, every value is escaped unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const markup = parts.map((part, index) => part + (index < values.length ? render(values[index]) : ''));
  return new Html(markup.join(''));
}

/** Formats a paragraph of the documentation, in which backticks mark code. */
export function prose(text: string): Content {
  return text.split('`').map((part, index) => (index % 2 === 1 ? code(part) : part));
}

export function code(text: string): Html {
  return html`<code>${breakable(text)}</code>`;
}

/** Shorter names fit into every column. */
const UNBROKEN_MAX = 20;

/**
 * Lets a narrow column break a name or an address after its separators, but not within a word. Browsers break
 * after a hyphen by themselves.
 */
export function breakable(text: string): Content {
  if (text.length <= UNBROKEN_MAX) return text;
  return text
    .split(/(?<=[._/:=&?,])(?=[A-Za-z0-9{<*$])/)
    .map((part, index) => (index > 0 ? [new Html('<wbr>'), part] : part));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(content: Content): string {
  if (content instanceof Html) return content.toString();
  if (Array.isArray(content)) return content.map(render).join('');
  if (content === false || content === null || content === undefined) return '';
  return String(content).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
