import prism from 'prismjs';
import 'prismjs/components/prism-bash.js';
import 'prismjs/components/prism-go.js';
import 'prismjs/components/prism-json.js';
import 'prismjs/components/prism-python.js';
import 'prismjs/components/prism-typescript.js';
import { Html, html } from './html.ts';

/** Languages of code blocks by their name after the fence, with the visible label. */
export const languages = {
  sh: 'Shell',
  ts: 'TypeScript',
  py: 'Python',
  go: 'Go',
  json: 'JSON',
  text: 'Text',
} as const;

export type Language = keyof typeof languages;

const grammars: Readonly<Record<Language, string | undefined>> = {
  sh: 'bash',
  ts: 'typescript',
  py: 'python',
  go: 'go',
  json: 'json',
  text: undefined,
};

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(languages, name);
}

/** A longer block is folded until the reader unfolds it. */
const FOLDED_FROM_LINES = 60;

/** A block of code with its language and a placeholder for the copy button. */
export function codeBlock(code: string, language: Language, label: string = languages[language]): Html {
  const lines = code.split('\n').length;
  const long = lines >= FOLDED_FROM_LINES && html` data-lines="${lines}"`;
  return html`<figure class="code"${long}><figcaption>${label}</figcaption><pre tabindex="0"><code>${highlight(
    code,
    language,
  )}</code></pre></figure>`;
}

/** Returns code as escaped markup with classes for its colours. */
function highlight(code: string, language: Language): Html {
  const name = grammars[language];
  const grammar = name === undefined ? undefined : prism.languages[name];
  if (name === undefined || grammar === undefined) return html`${code}`;
  return new Html(prism.highlight(code, grammar, name));
}
