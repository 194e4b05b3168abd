import type { RouteDefinition } from '../../http/route.ts';
import { type EventName, eventNames } from '../../shared/events/catalogue.ts';
import { problemAreas } from '../../shared/problem-table.ts';
import { guideGroups } from '../guides/catalogue.ts';
import { breakable, type Content, type Html, html } from '../html.ts';
import type { Links } from '../links.ts';
import { tagDescriptions } from '../openapi/tags.ts';
import { resultAreas } from '../problems/result-areas.ts';

interface Entry {
  href: string;
  label: Content;
  isCurrent?: boolean;
}

/** Lists the guides and marks the current one. */
export function guideNavigation(links: Links, current?: string): Html {
  return navigation(
    'Guides',
    guideGroups.map(({ title, guides }) => ({
      title,
      entries: guides.map(({ slug, title: label }) => ({
        href: links.guide(slug),
        label,
        isCurrent: slug === current,
      })),
    })),
  );
}

/** Lists the operations by area, and the pages of errors and events. */
export function referenceNavigation(
  links: Links,
  operations: readonly RouteDefinition[],
  current?: string,
): Html {
  const areas = groupByTag(operations).map(([tag, group]) => ({
    title: tag,
    entries: group.map((operation) => ({
      href: links.operation(operation),
      label: html`${methodMark(operation)} ${operation.id}`,
      isCurrent: operation.id === current,
    })),
  }));
  const overview = {
    title: 'Reference',
    entries: [
      { href: links.reference, label: 'All operations', isCurrent: current === undefined },
      { href: links.errors, label: 'Errors' },
      { href: links.events, label: 'Events' },
    ],
  };
  return navigation('Reference', [overview, ...areas]);
}

/** Lists every problem code and every result, by area; `current` is the anchor of the current one. */
export function errorsNavigation(links: Links, current?: string): Html {
  const entry = (id: string, code: string): Entry => ({
    href: links.error(id),
    label: html`<span>${breakable(code)}</span>`,
    isCurrent: id === current,
  });
  const overview = {
    title: 'Errors',
    entries: [
      { href: links.errors, label: 'All errors', isCurrent: current === undefined },
      { href: links.guide('errors'), label: 'Guide to errors' },
    ],
  };
  return navigation('Errors', [
    overview,
    ...problemAreas.map(({ title, problems }) => ({
      title,
      entries: Object.keys(problems).map((code) => entry(code, code)),
    })),
    ...resultAreas.map(({ title, results }) => ({
      title,
      entries: results.map(({ id, code }) => entry(id, code)),
    })),
  ]);
}

/** Lists the parts of the page of events, and every event. */
export function eventsNavigation(links: Links, current?: EventName): Html {
  return html`<nav aria-label="Events"><p class="area">Events</p><ul>
<li><a href="${links.events}"${current === undefined && html` aria-current="page"`}>All events</a></li>
<li><a href="${links.events}#delivery">How deliveries behave</a></li>
<li><a href="${links.events}#verify">Verify the signature</a></li>
<li><a href="${links.guide('webhooks')}">Guide to webhooks</a></li></ul>
<p class="area">Catalogue</p><ul>${eventNames.map(
    (name) =>
      html`<li><a href="${links.event(name)}"${name === current && html` aria-current="page"`}>${breakable(name)}</a></li>`,
  )}</ul></nav>`;
}

/** Operations by area, both in reading order. */
export function groupByTag(
  operations: readonly RouteDefinition[],
): [tag: string, operations: RouteDefinition[]][] {
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  return Object.keys(tagDescriptions).flatMap((tag) => {
    const group = byTag.get(tag);
    return group === undefined ? [] : [[tag, group] as [string, RouteDefinition[]]];
  });
}

export function methodMark({ method }: Pick<RouteDefinition, 'method'>): Html {
  return html`<span class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`;
}

function navigation(label: string, groups: readonly { title: string; entries: readonly Entry[] }[]): Html {
  return html`<nav aria-label="${label}">${groups.map(
    ({ title, entries }) =>
      html`<p class="area">${title}</p><ul>${entries.map(
        (entry) =>
          html`<li><a href="${entry.href}"${entry.isCurrent === true && html` aria-current="page"`}>${entry.label}</a></li>`,
      )}</ul>`,
  )}</nav>`;
}

/** The outline of a page. */
export function outline(entries: readonly { id: string; title: Content; level?: number }[]): Html {
  return html`<nav aria-label="On this page"><p class="area">On this page</p><ul>${entries.map(
    ({ id, title, level = 2 }) => html`<li class="level-${level}"><a href="#${id}">${title}</a></li>`,
  )}</ul></nav>`;
}
