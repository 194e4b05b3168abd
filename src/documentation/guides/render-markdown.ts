import MarkdownIt from 'markdown-it';
import { codeBlock, isLanguage, type Language, languages } from '../highlight.ts';
import { code, Html, html } from '../html.ts';
import type { CodeNames } from './code-names.ts';

export interface RenderedMarkdown {
  /** Text of the first heading. */
  title: string;
  /** The rest of the file. */
  body: Html;
  sections: Section[];
}

/**
 * A heading of the second or third level, with the text up to the next one. The first section has no heading.
 */
export interface Section {
  level: number;
  id: string;
  title: string;
  /** Without markup, for the search. */
  text: string;
}

export interface MarkdownOptions {
  names: CodeNames;
  /** Address of a relative link of the Markdown file. */
  resolve(target: string): string;
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** Renders one of our own Markdown files. Markup in it is escaped, and every fence must name a known language. */
export function renderMarkdown(source: string, { names, resolve }: MarkdownOptions): RenderedMarkdown {
  const markdown = new MarkdownIt({ html: false });
  markdown.validateLink = () => true;
  markdown.renderer.rules.code_inline = (tokens, index) => {
    const text = tokens[index]?.content ?? '';
    const shown = code(text).toString();
    const address = isWithinLink(tokens, index) ? undefined : names(text);
    return address === undefined
      ? shown
      : `<a class="name" href="${markdown.utils.escapeHtml(address)}">${shown}</a>`;
  };
  markdown.renderer.rules.fence = (tokens, index) => {
    const shown = codeBlock(tokens[index]?.content.trimEnd() ?? '', languageOf(tokens[index]));
    return isTab(tokens[index]) ? inTabs(tokens, index, shown) : shown.toString();
  };
  markdown.renderer.rules.table_open = () => '<div class="scroll"><table>';
  markdown.renderer.rules.table_close = () => '</table></div>';

  const tokens = markdown.parse(source, {});
  const [opening, heading] = tokens;
  if (opening?.type !== 'heading_open' || opening.tag !== 'h1')
    throw new Error('a guide begins with its title');
  const sections = describeSections(tokens.slice(3));
  labelCells(tokens);
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_open') token.attrSet('href', resolve(String(token.attrGet('href'))));
  }
  return {
    title: heading?.content ?? '',
    body: new Html(markdown.renderer.render(tokens.slice(3), markdown.options, {})),
    sections,
  };
}

function languageOf(token: Token | undefined): Language {
  const [language = ''] = token?.info.trim().split(/\s+/) ?? [];
  if (!isLanguage(language)) throw new Error(`a code block has the unknown language "${token?.info}"`);
  return language;
}

/** A block that says the same in another language than its neighbours has `tab` behind its language. */
function isTab(token: Token | undefined): boolean {
  return token?.type === 'fence' && token.info.split(/\s+/)[1] === 'tab';
}

/** A block as a tab, with the beginning of its group before the first and the end after the last. */
function inTabs(tokens: readonly Token[], index: number, shown: Html): string {
  const [isFirst, isLast] = [!isTab(tokens[index - 1]), !isTab(tokens[index + 1])];
  if (isFirst && isLast) throw new Error(`a tab of "${tokens[index]?.info}" is alone`);
  const section = html`<section data-tab="${languages[languageOf(tokens[index])]}">${shown}</section>`;
  return `${isFirst ? '<div class="tabs" data-tabs>' : ''}${section}${isLast ? '</div>' : ''}`;
}

/** Gives headings their anchors, so that links work, and collects the text of each section. */
function describeSections(tokens: Token[]): Section[] {
  let current: Section = { level: 1, id: '', title: '', text: '' };
  const sections = [current];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plainText(tokens[index + 1]);
      current = { level: Number(token.tag.slice(1)), id: slugOf(title), title, text: '' };
      token.attrSet('id', current.id);
      sections.push(current);
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      current.text += `${plainText(token)} `;
    }
  }
  return sections;
}

/** Labels cells with their column: on narrow screens a row becomes a list, without the heads. */
function labelCells(tokens: readonly Token[]): void {
  let heads: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') heads = [];
    else if (token.type === 'tr_open') column = 0;
    else if (token.type === 'th_open') {
      const head = plainText(tokens[index + 1]);
      if (head === '') throw new Error('a column of a table has no name');
      heads.push(head);
    } else if (token.type === 'td_open') {
      token.attrSet('data-label', heads[column] ?? '');
      column += 1;
    }
  }
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** Builds anchors by GitHub's rule, so that links work there and here. */
function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function isWithinLink(tokens: readonly Token[], index: number): boolean {
  return tokens.slice(0, index).reduce((depth, { type }) => depth + depthChange(type), 0) > 0;
}

function depthChange(type: string): number {
  if (type === 'link_open') return 1;
  return type === 'link_close' ? -1 : 0;
}
