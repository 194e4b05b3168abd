import { problemBody } from '../../src/http/problems/problem-response.ts';
import { RequestContext } from '../../src/http/request-context.ts';
import { Problem } from '../../src/shared/problem.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { alternate } from '../measurement/rounds.ts';
import { timedVariant } from './timed-variant.ts';

const URL = 'http://localhost/api/v2/tokens/nonsense';
const DOCS_URL = 'https://docs.example.com';

/** A validation problem with three field errors as JSON, beside serialising the finished object alone. */
export const problem: BenchCase = async ({ rounds, roundMs }) => {
  const context = new RequestContext(new Request(URL), () => '127.0.0.1');
  const errors = ['mint', 'limit', 'cursor'].map((name) => ({
    path: `/query/${name}`,
    code: 'invalid_format' as const,
    message: 'has the wrong format',
  }));
  const thrown = () => new Problem('validation_failed', { errors });
  const once = thrown();
  const finished: unknown = JSON.parse(problemBody(once, 422, context, DOCS_URL));
  const length = JSON.stringify(finished).length;
  const isWhole = (text: string) => text.length === length;
  const figures = await alternate(
    [
      timedVariant('ours: body', roundMs, () => isWhole(problemBody(once, 422, context, DOCS_URL))),
      timedVariant('ours: create and body', roundMs, () =>
        isWhole(problemBody(thrown(), 422, context, DOCS_URL)),
      ),
      timedVariant('native: JSON.stringify', roundMs, () => isWhole(JSON.stringify(finished))),
    ],
    rounds,
  );
  const time = (of: string) => ratio(figures, of, 'native: JSON.stringify', 'microsecondsPerCall');
  return {
    name: `problem details, ${length} bytes`,
    figures,
    ratios: {
      'time, body / native': time('ours: body'),
      'time, create and body / native': time('ours: create and body'),
    },
  };
};
