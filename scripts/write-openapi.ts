import { writeFileSync } from 'node:fs';
import {
  COMMITTED_DOCUMENT,
  COMMITTED_INTERNAL_DOCUMENT,
  committedDocument,
  committedInternalDocument,
} from './committed-document.ts';

writeFileSync(COMMITTED_DOCUMENT, committedDocument());
writeFileSync(COMMITTED_INTERNAL_DOCUMENT, committedInternalDocument());
