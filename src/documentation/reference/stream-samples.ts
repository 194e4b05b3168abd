import type { Sample } from './sample.ts';
import type { SampleRequest } from './sample-request.ts';

/** Reads the first messages of a stream, in every language: samples end, streams do not. */
export function streamSamples({ url }: SampleRequest): readonly Sample[] {
  return [
    { language: 'sh', label: 'curl', code: `curl -sN "${url}" | head -n 8` },
    {
      language: 'ts',
      label: 'TypeScript',
      code: `const response = await fetch('${url}');
if (!response.ok) throw new Error((await response.json()).code);
let chunks = 0;
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  console.log(text);
  chunks += 1;
  if (chunks === 3) break;
}`,
    },
    {
      language: 'py',
      label: 'Python',
      code: `import urllib.request

with urllib.request.urlopen("${url}") as response:
    for _ in range(8):
        print(response.readline().decode(), end="")`,
    },
  ];
}
