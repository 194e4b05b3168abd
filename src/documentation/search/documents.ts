import { eventNames, eventType } from '../../shared/events/catalogue.ts';
import { problemCodes, problemTable } from '../../shared/problem-table.ts';
import { documentedEvents } from '../events/documented-events.ts';
import { guides } from '../guides/catalogue.ts';
import { resultAreas } from '../problems/result-areas.ts';
import type { Site } from '../site-pages.ts';

/** A result of the search: a section of a guide, an operation, a problem or result code, or an event. */
export interface SearchDocument {
  id: number;
  kind: 'guide' | 'operation' | 'error' | 'event';
  title: string;
  /** Page of the title, or its subject in a few words. */
  place: string;
  text: string;
  url: string;
}

/** Lists all documents for the index that browsers build. */
export async function searchDocuments(site: Site): Promise<SearchDocument[]> {
  const found = [
    ...(await guideSections(site)),
    ...operations(site),
    ...problems(site),
    ...results(site),
    ...events(site),
  ];
  return found.map((document, id) => ({ id, ...document }));
}

type Found = Omit<SearchDocument, 'id'>;

async function guideSections({ links, readGuide }: Site): Promise<Found[]> {
  const pages = guides.map(async (guide) => {
    const { sections } = await readGuide(guide);
    return sections.map(({ id, title, text }): Found => {
      const isWhole = id === '';
      return {
        kind: 'guide',
        title: isWhole ? guide.title : title,
        place: isWhole ? guide.summary : guide.title,
        text: plain(text),
        url: `${links.guide(guide.slug)}${isWhole ? '' : `#${id}`}`,
      };
    });
  });
  return (await Promise.all(pages)).flat();
}

function operations({ operations: all, links }: Site): Found[] {
  return all.map((operation) => ({
    kind: 'operation',
    title: operation.id,
    place: operation.summary,
    text: plain(`${operation.method} ${operation.path.replaceAll(/[:/]/g, ' ')} ${operation.description}`),
    url: links.operation(operation),
  }));
}

function problems({ links }: Site): Found[] {
  return problemCodes.map((code) => {
    const { title, detail, meaning = detail, when, action } = problemTable[code];
    return {
      kind: 'error',
      title: code,
      place: title,
      text: plain([meaning, ...when, action].join(' ')),
      url: links.error(code),
    };
  });
}

function results({ links }: Site): Found[] {
  return resultAreas.flatMap(({ kind, results: all }) =>
    all.map(({ id, code, meaning, action }) => ({
      kind: 'error' as const,
      title: code,
      place: kind,
      text: plain(`${meaning} ${action}`),
      url: links.error(id),
    })),
  );
}

function events({ links }: Site): Found[] {
  return eventNames.map((name) => ({
    kind: 'event',
    title: eventType(name),
    place: name,
    text: plain(documentedEvents[name].meaning),
    url: links.event(name),
  }));
}

function plain(text: string): string {
  return text.replaceAll('`', '').trim();
}
