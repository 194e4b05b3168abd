import { problemType } from '../../http/problems/problem-response.ts';
import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';

const EXAMPLE_REQUEST_ID = 'req_4bf92f3577b34da6a3ce929d0e0e4736';

/**
 * An example of a problem's body.
 * @param instance the path of the refused request
 */
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
