import { readFileSync, writeFileSync } from 'node:fs';
import { guides } from './catalogue.ts';
import { renewFigures } from './figures.ts';
import { guideFile } from './read-guide.ts';

for (const guide of guides) {
  const file = guideFile(guide);
  writeFileSync(file, renewFigures(readFileSync(file, 'utf8')));
}
