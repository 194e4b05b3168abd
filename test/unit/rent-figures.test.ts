import { expect, test } from 'bun:test';
import { Glob } from 'bun';

const OVERHEAD_BYTES = 128;
const ACCOUNT_BYTES_MAX = 10_000;
const LAMPORTS_PER_SOL = 1e9;
/** Lamports a byte, of each step and half of the first, which older clusters count for two years. */
const PER_BYTE = [6_960, 6_333, 5_080, 3_480, 2_575, 1_322, 696];
/** Smaller numbers, and 696, mean anything. */
const FIGURE_MIN = 1_000;

/** Numbers of a source that are a rent: of a byte, or of an account of some size, in lamports or SOL. */
function rentFigures(text: string): string[] {
  return (text.match(/(?<![\w.])\d[\d_,]*(?:\.\d+)?(?=n?\b)/g) ?? []).filter((figure) => {
    const number = Number(figure.replaceAll(/[_,]/g, ''));
    return isRent(number) || (figure.includes('.') && isRent(Math.round(number * LAMPORTS_PER_SOL)));
  });
}

function isRent(lamports: number): boolean {
  if (lamports < FIGURE_MIN) return false;
  return PER_BYTE.some((perByte) => {
    const bytes = lamports / perByte - OVERHEAD_BYTES;
    return lamports === perByte || (Number.isInteger(bytes) && bytes >= 0 && bytes <= ACCOUNT_BYTES_MAX);
  });
}

test('a figure of rent is found in every form', () => {
  const forms = '890_880n 2,039,280 1447680 6_960n 5,080 `0.00144768 SOL` 650240';
  expect(rentFigures(forms)).toHaveLength(7);
  expect(rentFigures('10_000 3_000 432_000 1_232 0.5 2026 696 100_000_000n v6.960.1 a6960')).toEqual([]);
});

test('no source knows a rent: it is read from the chain (reference/solana#rent)', async () => {
  const found: string[] = [];
  for (const folder of ['src', 'packages/client/src', 'relay'])
    for (const file of new Glob('**/*.ts').scanSync(folder)) {
      const figures = rentFigures(await Bun.file(`${folder}/${file}`).text());
      found.push(...figures.map((figure) => `${folder}/${file}: ${figure}`));
    }
  expect(found).toEqual([]);
});
