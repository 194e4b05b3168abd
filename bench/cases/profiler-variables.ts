import { mkdir } from 'node:fs/promises';

/** Variables with which a process of the product writes a CPU profile into `BENCH_PROFILE` when it ends; none without it. */
export async function profilerVariables(): Promise<Record<string, string>> {
  const folder = process.env.BENCH_PROFILE;
  if (folder === undefined) return {};
  await mkdir(folder, { recursive: true });
  return { BUN_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
}
