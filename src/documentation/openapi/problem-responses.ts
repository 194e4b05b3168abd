import { problemType } from '../../http/problems/problem-response.ts';
import { PROBLEM_TYPE } from '../../http/responses/response-headers.ts';
import type { RouteDefinition } from '../../http/route.ts';
import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';
import { problemHeaders } from './headers.ts';

const EXAMPLE_REQUEST_ID = 'req_4bf92f3577b34da6a3ce929d0e0e4736';

/** The response of one or more problem codes with one status. It refers to examples by name. */
export function problemResponse(
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
export function exampleName(code: ProblemCode, status: number): string {
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

/** An example of a problem's body. */
export function exampleProblem(code: ProblemCode, status: number, instance: string, docsUrl: string) {
  const { title, detail, context = {} } = problemTable[code];
  const facts = Object.entries(context);
  return {
    type: problemType(code, docsUrl),
    title,
    status,
    detail,
    instance,
    code,
    requestId: EXAMPLE_REQUEST_ID,
    ...(code === 'validation_failed' && {
      errors: [{ path: '/query/limit', code: 'out_of_range', message: 'must be from 1 to 100' }],
    }),
    ...(facts.length > 0 && {
      context: Object.fromEntries(facts.map(([name, { example }]) => [name, example])),
    }),
  };
}
