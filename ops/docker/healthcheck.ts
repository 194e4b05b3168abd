/**
 * Exit code 0 when the process of this container answers `/healthz`: on the port that is given, else worker and relay on
 * METRICS_PORT, the api on PORT.
 */
const port = process.argv[2] ?? (process.env.METRICS_PORT || process.env.PORT || '3000');
const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(
  () => null,
);
process.exit(answer?.ok === true ? 0 : 1);
