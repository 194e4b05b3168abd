import type { Operation } from '../../http/operation.ts';
import { possibleProblems } from '../../http/possible-problems.ts';
import { problemType } from '../../http/problem-response.ts';
import { PROBLEM_TYPE } from '../../http/response-headers.ts';
import { type ProblemCode, problemStatus, problemTable } from '../../shared/problem-table.ts';
import { problemExplanations } from '../problems/explanations.ts';
import { problemHeaders } from './headers.ts';

const EXAMPLE_REQUEST_ID = 'req_4bf92f3577b34da6a3ce929d0e0e4736';

/** The problem responses of an operation: one a status, with the codes it can carry and an example of each. */
export function problemResponses(operation: Operation, path: string, docsUrl: string) {
  const byStatus = Map.groupBy(possibleProblems(operation), (code) => problemStatus(code, operation.method));
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(
      ([status, codes]) =>
        [
          String(status),
          {
            description: codes.map((code) => describeCode(code, docsUrl)).join('\n\n'),
            headers: problemHeaders(operation, codes),
            content: {
              [PROBLEM_TYPE]: {
                schema: problemSchema(status, codes),
                examples: Object.fromEntries(
                  codes.map((code) => [
                    code,
                    { summary: problemTable[code].title, value: exampleProblem(code, status, path, docsUrl) },
                  ]),
                ),
              },
            },
          },
        ] as const,
    );
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

/** A body as the service would send it, for an imaginary occurrence. */
export function exampleProblem(code: ProblemCode, status: number, instance: string, docsUrl: string) {
  const { title, detail } = problemTable[code];
  const facts = Object.entries(problemExplanations[code].context ?? {});
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
