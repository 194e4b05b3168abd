import { readFileSync } from 'node:fs';
import type { RouteDefinition } from '../../http/route.ts';
import type { Links } from '../links.ts';
import type { SiteOptions } from '../options.ts';
import { type Guide, guides } from './catalogue.ts';
import { codeNames } from './code-names.ts';
import { fillFigures } from './figures.ts';
import type { RenderedMarkdown } from './render-markdown.ts';

/** Reads guides, each once. */
export type GuideReader = (guide: Guide) => Promise<RenderedMarkdown>;

/** The file of a guide. */
export function guideFile({ slug }: Guide): URL {
  return new URL(`../../../docs/guides/${slug}.md`, import.meta.url);
}

/** Reads the Markdown of a guide from its file and fills the figures in. */
export function guideSource(guide: Guide, options: SiteOptions): string {
  return fillFigures(readFileSync(guideFile(guide), 'utf8'), options);
}

/**
 * The renderer is loaded with the first guide that is requested, so that it does not delay the start of the
 * api.
 */
export function createGuideReader(
  links: Links,
  operations: readonly RouteDefinition[],
  options: SiteOptions,
): GuideReader {
  const read = new Map<string, Promise<RenderedMarkdown>>();
  const names = codeNames(links, operations);
  async function render(guide: Guide): Promise<RenderedMarkdown> {
    const { renderMarkdown } = await import('./render-markdown.ts');
    const resolve = (target: string) => addressOf(target, links, options);
    return renderMarkdown(guideSource(guide, options), { names, resolve });
  }
  return (guide) => {
    const rendering = read.get(guide.slug) ?? render(guide);
    read.set(guide.slug, rendering);
    return rendering;
  };
}

/**
 * Guides link to each other by file, to pages of the site by `site:` and their name, and to the web by
 * address.
 */
function addressOf(target: string, links: Links, { publicUrl }: SiteOptions): string {
  if (/^(https:|#)/.test(target)) return target;
  const guide = /^([a-z-]+)\.md(#.+)?$/.exec(target);
  if (guide !== null && guides.some(({ slug }) => slug === guide[1])) {
    return `${links.guide(guide[1] ?? '')}${guide[2] ?? ''}`;
  }
  // A page of this deployment.
  if (target.startsWith(`${publicUrl}/`)) return new URL(target).pathname + new URL(target).hash;
  throw new Error(`a guide links to ${target}`);
}
