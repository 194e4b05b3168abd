import type { Route } from '../../../src/http/route.ts';
import { recordFields } from './fields.ts';

type Call = (...given: unknown[]) => unknown;
type Steps = { [Step in 'handle' | 'fastPath' | 'wait']?: Call };

/** The route, recording the fields of what its handler answers. */
export function recordReplies(route: Route): Route {
  if (route.kind === 'stream' || route.kind === 'file') return route;
  const { id: name, response: schema } = route.definition;
  // Cached replies come again, thousands of times in some tests.
  const recorded = new WeakSet<object>();
  const record = (reply: unknown) => {
    if (typeof reply !== 'object' || reply === null || recorded.has(reply)) return reply;
    recorded.add(reply);
    recordFields({ name, schema }, () => sentBody(reply));
    return reply;
  };
  // A reply that is at hand stays so.
  const observed =
    (call: Call): Call =>
    (...given) => {
      const reply = call(...given);
      return reply instanceof Promise ? reply.then(record) : record(reply);
    };
  const { handle, fastPath, wait } = route as unknown as Steps;
  const steps: Steps = {};
  if (handle !== undefined) steps.handle = observed(handle);
  if (route.kind === 'mutation' && fastPath !== undefined) steps.fastPath = observed(fastPath);
  if (route.kind === 'mutation' && wait !== undefined)
    steps.wait = (...given) => {
      const awaited = wait(...given) as { read: Call };
      return { ...awaited, read: observed(() => awaited.read()) };
    };
  return { ...route, ...steps } as unknown as Route;
}

/** The body as it is sent: a field that is undefined is absent. */
function sentBody(reply: object): unknown {
  if ('text' in reply) return JSON.parse(String(reply.text));
  const body = 'body' in reply ? reply.body : undefined;
  return JSON.parse(
    body instanceof Uint8Array ? new TextDecoder().decode(body) : JSON.stringify(body ?? null),
  );
}
