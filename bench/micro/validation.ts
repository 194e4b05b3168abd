import { TypeCompiler } from '@sinclair/typebox/compiler';
import { SubmissionBody } from '../../src/features/transaction-intents/schema.ts';
import { compileValidator } from '../../src/http/bodies/validation.ts';
import { Problem } from '../../src/shared/problem.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { alternate } from '../measurement/rounds.ts';
import { timedVariant } from './timed-variant.ts';

/** Checking a submission body: accepted, refused (with field errors), beside the compiled schema alone. */
export const validation: BenchCase = async ({ rounds, roundMs }) => {
  const check = compileValidator(SubmissionBody, 'body');
  const compiled = TypeCompiler.Compile(SubmissionBody);
  const good = { signedTransaction: Buffer.alloc(215).toString('base64'), version: 1 };
  const bad = { signedTransaction: 1, version: 0, more: true };
  const accepts = () => {
    check(good);
    return true;
  };
  const refuses = () => {
    try {
      check(bad);
      return false;
    } catch (error) {
      return error instanceof Problem && error.facts.errors?.length === 3;
    }
  };
  const figures = await alternate(
    [
      timedVariant('ours: accept', roundMs, accepts),
      timedVariant('ours: refuse with 3 errors', roundMs, refuses),
      timedVariant('compiled schema alone', roundMs, () => compiled.Check(good)),
    ],
    rounds,
  );
  return {
    name: 'schema validation of a submission body',
    figures,
    ratios: {
      'time, accept / compiled schema': ratio(
        figures,
        'ours: accept',
        'compiled schema alone',
        'microsecondsPerCall',
      ),
    },
  };
};
