import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';

const root = join(import.meta.dir, '..', '..');
/** Folders whose citations are not checked: installed, generated, recorded, or applied (migrations never change). */
const SKIPPED = new Set([
  'node_modules',
  'dist',
  '.git',
  '.sandbox',
  '.tmp',
  'drizzle',
  'fixtures',
  'results',
  'patches',
]);
const READ = new Set([
  '.ts',
  '.mjs',
  '.cjs',
  '.js',
  '.md',
  '.yml',
  '.yaml',
  '.conf',
  '.html',
  '.css',
  '.sh',
  '',
]);

const read = (path: string) => readFileSync(join(root, path), 'utf8');

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.has(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() && READ.has(extname(entry.name)) ? [path] : [];
  });
}

const texts = new Map(filesBelow('.').map((path) => [path, read(path)]));
const pages = [...texts.keys()].filter((path) => path.endsWith('.md'));

/** Anchors of a page: explicit ones, and the slugs of its headings as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const text = page.replaceAll(/^```[\s\S]*?^```/gm, '');
  const explicit = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id);
  const slugs = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slugOf(heading));
  return [...explicit, ...slugs];
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

const SEPARATOR = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line);
/** Escaped bars are text. */
const cellCount = (row: string) => row.replaceAll('\\|', '').split('|').length - 2;
const blankLines = (text: string) => text.replaceAll(/[^\n]/g, '');

const anchors = new Map(pages.map((page) => [page, new Set(anchorsOf(texts.get(page) ?? ''))]));

interface Citation {
  at: string;
  cited: string;
}

/** Every match of a pattern in every file, with its line. */
function citations(pattern: RegExp): Citation[] {
  return [...texts].flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map(({ 0: cited, index }) => ({
      at: `${path}:${text.slice(0, index).split('\n').length}`,
      cited,
    })),
  );
}

/** The citations that lead nowhere. */
function dangling(found: readonly Citation[], resolves: (cited: string) => boolean): string[] {
  return found.filter(({ cited }) => !resolves(cited)).map(({ at, cited }) => `${at} ${cited}`);
}

/** `contract/delivery#retries`; what a slash precedes is a path or the address of a served page. */
const RULE = /(?<![\w/.}])(?:contract|reference)\/[a-z0-9-]+#[a-z0-9-]+/g;
const RECORD = /\bdecisions?[/ ]\d{4}(?:-[a-z0-9-]+)?/g;
/** Sections and numbers of documents outside this repository. */
const OUTSIDE = [
  /\b[Ss]pec [0-9]/g,
  /\bthe spec's?\b/gi,
  /(?<![\w.#:/+"'=-])D\d{1,2}\b(?![\w"'])/g,
  /\((?:\w+, )?section \d[^)]*\)/g,
  /\b(?:solana|webhooks|bun|style|api-v2|decisions)\.md, section/g,
  /\.\.\/spec\/|\bshared\/(?:spec|reference|fixtures|hooks)\b/g,
];

describe('citations', () => {
  test('of rules and facts lead to an anchor of a page', () => {
    const found = citations(RULE);
    expect(found.length).toBeGreaterThan(300);
    const resolves = (cited: string) => {
      const [page = '', anchor = ''] = cited.split('#');
      return anchors.get(`docs/${page}.md`)?.has(anchor) ?? false;
    };
    expect(dangling(found, resolves)).toEqual([]);
  });

  test('of decisions lead to a record', () => {
    const records = readdirSync(join(root, 'docs/decisions'));
    const found = citations(RECORD);
    expect(found.length).toBeGreaterThan(5);
    const resolves = (cited: string) => {
      const name = cited.slice(cited.search(/\d/));
      return records.some((record) => record === `${name}.md` || record.startsWith(`${name}-`));
    };
    expect(dangling(found, resolves)).toEqual([]);
  });

  test.each(OUTSIDE.map((pattern) => [pattern.source, pattern] as const))(
    'name no document outside the repository: %s',
    (_source, pattern) => {
      expect(citations(pattern).map(({ at, cited }) => `${at} ${cited}`)).toEqual([]);
    },
  );
});

/** Of this repository, by the names of its folders: what a page says of other places is not checked. */
const CODE_PATH =
  /^(?:src|relay|test|packages|sandbox|bench|faults|drizzle|docs|examples|ops|\.config)\/[\w./-]+$/;
const SOURCE_NAME = /^[\w./-]+\.(?:ts|mjs|cjs)$/;

describe('pages', () => {
  test('name in code marks only files and folders that exist', () => {
    const files = [...texts.keys()].map((path) => `/${path}`);
    const exists = (name: string) =>
      CODE_PATH.test(name) ? existsSync(join(root, name)) : files.some((path) => path.endsWith(`/${name}`));
    const missing = pages
      .filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'))
      .flatMap((page) => {
        const text = (texts.get(page) ?? '').replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
        // A guide names files of its reader.
        const isGuide = page.startsWith('docs/guides/');
        const names = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name);
        return names
          .filter((name) => CODE_PATH.test(name) || (!isGuide && SOURCE_NAME.test(name)))
          .filter((name) => !exists(name))
          .map((name) => `${page} ${name}`);
      });
    expect(missing).toEqual([]);
  });

  test('link only to files and anchors that exist', () => {
    const broken = pages.flatMap((page) =>
      [...(texts.get(page) ?? '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
        if (/^[a-z]+:/.test(target)) return [];
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : relative(root, join(root, dirname(page), path));
        if (!existsSync(join(root, file))) return [`${page} ${target}`];
        return anchor === undefined || anchors.get(file)?.has(anchor) ? [] : [`${page} ${target}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  test('of contract and reference give every heading an anchor of its own, and no anchor twice', () => {
    const rulePages = pages.filter((page) => /^docs\/(contract|reference)\/(?!README)/.test(page));
    expect(rulePages.length).toBeGreaterThan(20);
    for (const page of rulePages) {
      const text = texts.get(page) ?? '';
      const bare = [...text.matchAll(/^##+ (?!<a id=).*$/gm)].map(([heading]) => `${page} ${heading}`);
      expect(bare).toEqual([]);
      const explicit = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => `${page}#${id}`);
      expect(explicit).toEqual([...new Set(explicit)]);
    }
  });

  test('have every table on lines of its own, with as many cells in each row', () => {
    const broken = pages.flatMap((page) => {
      const lines = (texts.get(page) ?? '').replaceAll(/^ *```[\s\S]*?^ *```/gm, blankLines).split('\n');
      return lines.flatMap((line, at) => {
        if (!line.includes('|---')) return [];
        const rows = [
          lines[at - 1] ?? '',
          ...lines.slice(
            at,
            lines.findIndex((one, next) => next > at && !isRow(one)),
          ),
        ];
        const cells = new Set(rows.map((row) => (isRow(row) ? cellCount(row) : 0)));
        return SEPARATOR.test(line) && cells.size === 1 ? [] : [`${page}:${at + 1}`];
      });
    });
    expect(broken).toEqual([]);
  });

  test('of contract, reference and decisions are in the index of their folder', () => {
    for (const folder of ['contract', 'reference', 'decisions', 'operations']) {
      const index = read(`docs/${folder}/README.md`);
      for (const name of readdirSync(join(root, 'docs', folder))) {
        if (name !== 'README.md') expect(index).toContain(`](${name})`);
      }
    }
  });
});
