import { possibleProblems } from '../../http/problems/possible-problems.ts';
import { problemType } from '../../http/problems/problem-response.ts';
import { PROBLEM_TYPE } from '../../http/responses/response-headers.ts';
import { isCacheable, type RouteDefinition } from '../../http/route.ts';
import { type ProblemCode, problemStatus, problemTable } from '../../shared/problem-table.ts';
import { exampleProblem } from '../problems/example-problem.ts';
import { notModifiedHeaders, problemHeaders } from './headers.ts';

/** The problem responses of one operation with one status. */
interface Group {
  status: number;
  codes: readonly ProblemCode[];
}

/** With more codes the name would be unreadable: such a response stays with its operation. */
const NAMED_CODES_MAX = 4;

/**
 * The responses that operations share, each described once. A response of a single operation stays with it;
 * the examples of problems are always shared, one per code.
 */
export class SharedResponses {
  readonly #responses = new Map<string, object>();
  readonly #examples = new Map<string, object>();
  readonly #used = new Map<string, number>();
  readonly #docsUrl: string;
  readonly #prefix: string;

  constructor(
    operations: readonly RouteDefinition[],
    { docsUrl, prefix }: { docsUrl: string; prefix: string },
  ) {
    this.#docsUrl = docsUrl;
    this.#prefix = prefix;
    for (const operation of operations) {
      for (const group of groupsOf(operation)) {
        const name = nameOf(operation, group);
        this.#used.set(name, (this.#used.get(name) ?? 0) + 1);
      }
    }
    for (const operation of operations.filter(isCacheable))
      this.#responses.set(notModifiedName(operation), notModified(operation.waitable === true));
  }

  /** Returns `[status, response]` of the problems of an operation, by status. */
  problemsOf(operation: RouteDefinition): [status: string, response: object][] {
    return groupsOf(operation).map((group) => [String(group.status), this.#describe(operation, group)]);
  }

  components() {
    return { responses: sorted(this.#responses), examples: sorted(this.#examples) };
  }

  #describe(operation: RouteDefinition, group: Group): object {
    const { status, codes } = group;
    for (const code of codes) {
      const value = exampleProblem(code, status, `${this.#prefix}/…`, this.#docsUrl);
      this.#examples.set(exampleName(code, status), { summary: problemTable[code].title, value });
    }
    const name = nameOf(operation, group);
    const response = problemResponse(operation, status, codes, this.#docsUrl);
    if (codes.length > NAMED_CODES_MAX || this.#used.get(name) === 1) return response;
    this.#responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }
}

/** Name of a 304 response. */
export function notModifiedName({ waitable }: RouteDefinition): string {
  return waitable === true ? 'NotModifiedAfterWait' : 'NotModified';
}

function notModified(isWaitable: boolean) {
  return {
    description: 'The client has the current bytes already (`If-None-Match`).',
    headers: notModifiedHeaders({ isWaitable }),
  };
}

function groupsOf(operation: RouteDefinition): Group[] {
  const byStatus = Map.groupBy(possibleProblems(operation), (code) => problemStatus(code, operation.method));
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => ({ status, codes: codes.toSorted() }));
}

/**
 * Builds names like `TokenNotFound`, `CursorInvalidOrMalformedJson`; responses that browsers may read have
 * other headers, and so another name.
 */
function nameOf({ auth }: RouteDefinition, { status, codes }: Group): string {
  const names = codes.map((code) => `${pascal(code)}${problemTable[code].status === status ? '' : status}`);
  return `${names.join('Or')}${auth === 'anonymous' ? 'Public' : ''}`;
}

function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Sorted by name, so that a new entry moves no other. */
function sorted(map: ReadonlyMap<string, object>): Record<string, object> {
  return Object.fromEntries([...map].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The response of one or more problem codes with one status. It refers to examples by name. */
function problemResponse(
  operation: RouteDefinition,
  status: number,
  codes: readonly ProblemCode[],
  docsUrl: string,
) {
  return {
    description: codes.map((code) => describeCode(code, docsUrl)).join('\n\n'),
    headers: problemHeaders(operation, codes),
    content: {
      [PROBLEM_TYPE]: {
        schema: problemSchema(status, codes),
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${exampleName(code, status)}` }]),
        ),
      },
    },
  };
}

/** The code, with the status unless it is the usual one of the code. */
function exampleName(code: ProblemCode, status: number): string {
  return problemTable[code].status === status ? code : `${code}_${status}`;
}

function describeCode(code: ProblemCode, docsUrl: string): string {
  return `[\`${code}\`](${problemType(code, docsUrl)}): ${problemTable[code].detail}`;
}

function problemSchema(status: number, codes: readonly ProblemCode[]) {
  return {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        properties: { status: { type: 'integer', enum: [status] }, code: { type: 'string', enum: codes } },
      },
    ],
  };
}
