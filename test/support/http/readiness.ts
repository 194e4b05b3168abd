import { eventually } from '../run/eventually.ts';

interface ReadinessAnswer {
  /** Of the response. */
  code: number;
  status: string;
  dependencies: { name: string; ready: boolean; required: boolean; detail?: string }[];
}

/** What `/readyz` says when no check of a dependency took longer than its limit of a second, as one may on a busy machine. */
export function readReadiness(origin: string): Promise<ReadinessAnswer> {
  return eventually('checks that end in time', async () => {
    const response = await fetch(`${origin}/readyz`);
    const answer = { code: response.status, ...((await response.json()) as Omit<ReadinessAnswer, 'code'>) };
    return answer.dependencies.every(({ detail }) => detail !== 'no answer in time') && answer;
  });
}
