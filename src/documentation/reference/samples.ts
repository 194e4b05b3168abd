import type { Language } from '../highlight.ts';
import { SAMPLE_BODY_TYPE, SAMPLE_VERSION, type SampleRequest } from './sample-request.ts';

/** A complete program in one language. */
export interface Sample {
  language: Language;
  label: string;
  code: string;
}

/** A request as a complete program in every language; the key comes from the environment. */
export function samplesOf(request: SampleRequest): readonly Sample[] {
  if (request.isStream) return streamSamples(request);
  return [
    { language: 'sh', label: 'curl', code: curlSample(request) },
    { language: 'ts', label: 'TypeScript', code: typescriptSample(request) },
    { language: 'py', label: 'Python', code: pythonSample(request) },
  ];
}

function curlSample({ method, url, isPrivate, isMutation, isVersioned, body, file }: SampleRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${url}"`,
    isPrivate && '-H "Authorization: Bearer $LAUNCHWIRE_API_KEY"',
    isMutation && '-H "Idempotency-Key: $(openssl rand -hex 16)"',
    isVersioned && `-H 'If-Match: ${SAMPLE_VERSION}'`,
    body && `-H "Content-Type: ${SAMPLE_BODY_TYPE}"`,
    body && `-d '${json(body).replaceAll("'", "'\\''")}'`,
    file && `-H "Content-Type: ${file.mediaType}"`,
    file && `--data-binary @${file.name}`,
  ];
  return lines.filter((line) => typeof line === 'string').join(' \\\n  ');
}

function typescriptSample({
  method,
  url,
  isPrivate,
  isMutation,
  isVersioned,
  body,
  file,
}: SampleRequest): string {
  const headers = [
    isPrivate && `Authorization: \`Bearer \${process.env.LAUNCHWIRE_API_KEY}\`,`,
    isMutation && "'Idempotency-Key': crypto.randomUUID(),",
    isVersioned && `'If-Match': '${SAMPLE_VERSION}',`,
    body && `'Content-Type': '${SAMPLE_BODY_TYPE}',`,
    file && `'Content-Type': '${file.mediaType}',`,
  ].filter((line) => typeof line === 'string');
  const options = [
    method !== 'GET' && `  method: '${method}',`,
    headers.length > 0 && `  headers: {\n${headers.map((line) => `    ${line}`).join('\n')}\n  },`,
    body && `  body: JSON.stringify(${indent(json(body))}),`,
    file && `  body: await readFile('${file.name}'),`,
  ].filter((line) => typeof line === 'string');
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const imported = file === undefined ? '' : "import { readFile } from 'node:fs/promises';\n\n";
  return `${imported}const response = await fetch('${url}'${given});
const result = await response.json();
if (!response.ok) throw new Error(\`\${result.code}: \${result.detail}\`);
console.log(result);`;
}

function pythonSample({
  method,
  url,
  isPrivate,
  isMutation,
  isVersioned,
  body,
  file,
}: SampleRequest): string {
  const headers = [
    isPrivate && `"Authorization": f"Bearer {os.environ['LAUNCHWIRE_API_KEY']}",`,
    isMutation && '"Idempotency-Key": str(uuid.uuid4()),',
    isVersioned && `"If-Match": '${SAMPLE_VERSION}',`,
    body && `"Content-Type": "${SAMPLE_BODY_TYPE}",`,
    file && `"Content-Type": "${file.mediaType}",`,
  ].filter((line) => typeof line === 'string');
  const options = [
    `    "${url}",`,
    method !== 'GET' && `    method="${method}",`,
    headers.length > 0 && `    headers={\n${headers.map((line) => `        ${line}`).join('\n')}\n    },`,
    body && `    data=json.dumps(${indent(pythonLiteral(body), '    ')}).encode(),`,
    file && `    data=open("${file.name}", "rb").read(),`,
  ].filter((line) => typeof line === 'string');
  const modules = ['json', isPrivate && 'os', 'urllib.error', 'urllib.request', isMutation && 'uuid'];
  return `${modules.flatMap((name) => (name ? [`import ${name}`] : [])).join('\n')}

request = urllib.request.Request(
${options.join('\n')}
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{problem['code']}: {problem['detail']}")`;
}

function json(body: object): string {
  return JSON.stringify(body, null, 2);
}

/** JSON is Python except for three words; none of them occurs within a text of our examples. */
function pythonLiteral(body: object): string {
  return JSON.stringify(body, null, 4)
    .replaceAll(/: true\b/g, ': True')
    .replaceAll(/: false\b/g, ': False')
    .replaceAll(/: null\b/g, ': None');
}

function indent(text: string, by = '  '): string {
  return text.replaceAll('\n', `\n${by}`);
}

/** Reads the first messages of a stream, in every language: samples end, streams do not. */
function streamSamples({ url }: SampleRequest): readonly Sample[] {
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
