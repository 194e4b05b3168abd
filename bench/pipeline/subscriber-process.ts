// The subscribers of the pipeline cases, in a process of their own: answers every POST with 204 and remembers when
// each first byte came. `GET /count`, `GET /arrivals` (and forget them), `GET /clock`, `GET /healthz`.

interface Arrival {
  id: string;
  atMs: number;
}

const ID_HEADER = 'webhook-id';
const nowMs = () => performance.timeOrigin + performance.now();
const noContent = { status: 204 };
let arrivals: Arrival[] = [];
let count = 0;
/** Only latency rounds keep arrivals; a million of them would measure this process. */
let keeps = false;

function control(pathname: string): Response {
  switch (pathname) {
    case '/count':
      return Response.json({ count });
    case '/keep':
      keeps = true;
      arrivals = [];
      return new Response(null, noContent);
    case '/arrivals': {
      const answer = Response.json(arrivals);
      keeps = false;
      arrivals = [];
      return answer;
    }
    case '/clock':
      return Response.json({ nowMs: nowMs() });
    default:
      return new Response('ok');
  }
}

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  idleTimeout: 0,
  async fetch(request) {
    const atMs = nowMs();
    if (request.method !== 'POST') return control(new URL(request.url).pathname);
    count += 1;
    if (keeps) arrivals.push({ id: request.headers.get(ID_HEADER) ?? '', atMs });
    await request.arrayBuffer();
    return new Response(null, noContent);
  },
});
