/** The texts that a bare server returns and stores: captured from the product, so that both have the same size. */
export interface CapturedTexts {
  response: string;
  event: string;
}

export interface BareWrite<Input> {
  /** Route of Bun's native router. */
  route: string;
  status: number;
  /** The step before the statement; null refuses the request. */
  step(body: unknown): Input | null | Promise<Input | null>;
  /** The statement. False when it stores nothing. */
  store(input: Input, request: Bun.BunRequest, texts: CapturedTexts): Promise<boolean>;
  /** Runs after the response; a failure ends the process. */
  follow?(input: Input, request: Bun.BunRequest): Promise<void>;
}

/**
 * Serves the least that one durable write can do, in steps that a case measures apart: with `BENCH_STEPS=store` the step
 * and the statement, with `follow` what follows as well, otherwise the step alone.
 */
export function serveBareWrite<Input>({ route, status, step, store, follow }: BareWrite<Input>): void {
  const steps = process.env.BENCH_STEPS;
  const follows = steps === 'follow';
  const stores = steps === 'store' || follows;
  const texts = { response: process.env.BENCH_RESPONSE ?? '', event: process.env.BENCH_EVENT ?? '' };
  const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8' });
  Bun.serve({
    port: Number(process.env.PORT),
    hostname: '127.0.0.1',
    routes: {
      '/healthz': () => new Response('ok'),
      [route]: {
        POST: async (request: Bun.BunRequest) => {
          const input = await step(await request.json());
          if (input === null) return new Response('invalid', { status: 422 });
          if (stores && !(await store(input, request, texts)))
            return new Response('not acceptable', { status: 409 });
          if (follows) void follow?.(input, request);
          return new Response(texts.response, { status, headers });
        },
      },
    },
  });
}
