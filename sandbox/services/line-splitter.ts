/** Splits output chunks into whole lines; `end` delivers an unfinished last line. */
export function createLineSplitter(onLine: (line: string) => void): {
  push(chunk: string): void;
  end(): void;
} {
  let rest = '';
  return {
    push(chunk) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    },
    end() {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
