/** An OpenAPI generator of others, with what it makes of our document. */
export interface Generator {
  /** Exact versions: the generator, and what its output imports. */
  packages: Readonly<Record<string, string>>;
  /** The command after the name of the folder of executables; the output is written to `folder`. */
  command(document: string, folder: string): readonly string[];
  /** The head of a program that uses the types of the output. */
  imports: string;
  /** The type of the body of a success; undefined where the output has schemas instead of types. */
  success?(operation: { id: string; method: string; path: string; status: string }): string;
}

/** What follows runs on Bun and needs no Java. Each was released within the last year and is not deprecated. */
export const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    packages: { 'openapi-typescript': '7.13.0', 'openapi-fetch': '0.17.0' },
    command: (document, folder) => ['openapi-typescript', document, '-o', `${folder}/api.ts`],
    imports: "import type { operations } from './api.ts';",
    success: ({ id, status }) => `operations['${id}']['responses'][${status}]['content']['application/json']`,
  },
  'hey-api': {
    packages: { '@hey-api/openapi-ts': '0.99.0' },
    command: (document, folder) => ['openapi-ts', '-i', document, '-o', folder],
    imports: "import type * as types from './types.gen.ts';",
    success: ({ id, status }) => `types.${capitalised(id)}Responses[${status}]`,
  },
  orval: {
    packages: { orval: '8.38.0' },
    command: (document, folder) => [
      'orval',
      '--input',
      document,
      '--output',
      `${folder}/api.ts`,
      '--client',
      'fetch',
    ],
    imports: "import type * as api from './api.ts';",
    success: ({ id, status }) => `api.${id}Response${status}['data']`,
  },
  'swagger-typescript-api': {
    packages: { 'swagger-typescript-api': '13.13.0' },
    command: (document, folder) => [
      'swagger-typescript-api',
      'generate',
      '-p',
      document,
      '-o',
      folder,
      '-n',
      'api.ts',
    ],
    imports: "import type { Api } from './api.ts';",
    success: ({ id, path }) => `Awaited<ReturnType<Api<unknown>['${areaOf(path)}']['${id}']>>['data']`,
  },
  oazapfts: {
    packages: { oazapfts: '7.5.0', '@oazapfts/runtime': '1.2.0' },
    command: (document, folder) => ['oazapfts', document, `${folder}/api.ts`],
    imports: "import type * as api from './api.ts';",
    success: ({ id, status }) =>
      `Extract<Awaited<ReturnType<typeof api.${id}>>, { status: ${status} }>['data']`,
  },
  'typed-openapi': {
    packages: { 'typed-openapi': '2.2.7' },
    command: (document, folder) => ['typed-openapi', document, '-o', `${folder}/api.ts`],
    imports: "import type { Endpoints } from './api.ts';",
    success: ({ id, method, status }) => `Endpoints.${method}_${capitalised(id)}['responses'][${status}]`,
  },
  'openapi-zod-client': {
    packages: { 'openapi-zod-client': '1.18.3', '@zodios/core': '10.9.6', axios: '1.13.2', zod: '3.25.76' },
    command: (document, folder) => ['openapi-zod-client', document, '-o', `${folder}/api.ts`],
    imports: "import { api } from './api.ts';",
  },
};

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first segment of a path, as one name. */
function areaOf(path: string): string {
  const [area = ''] = path.split('/').slice(1);
  return area.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
