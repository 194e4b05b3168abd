/** One of the samples, in turn. */
export function pick<Sample>(samples: readonly Sample[], index: number): Sample {
  const sample = samples[index % samples.length];
  if (sample === undefined) throw new Error('there are no samples');
  return sample;
}
