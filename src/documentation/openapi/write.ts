import { writeFileSync } from 'node:fs';
import { COMMITTED_DOCUMENT, committedDocument } from './committed-document.ts';

writeFileSync(COMMITTED_DOCUMENT, committedDocument());
