import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { DocumentPart } from './document-part.ts';

/** ajv over the schemas of one document: strict, so that it refuses a keyword or format which it does not know. */
export class SchemaJudge {
  readonly #ajv = new Ajv2020({ strict: true, strictRequired: true, inlineRefs: false });
  /** By pointer: ajv compiles a part of a document anew whenever it is asked for it. */
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(document: object) {
    addFormats.default(this.#ajv);
    // ajv reads the document as the schema around its schemas.
    this.#ajv.addVocabulary(Object.keys(document));
    this.#ajv.addSchema(document, 'document');
  }

  /** What ajv has against a value; undefined where it has nothing. Throws where the schema is not strict. */
  faultOf(schema: DocumentPart, value: unknown): string | undefined {
    const check = this.#checks.get(schema.pointer) ?? this.#ajv.getSchema(`document${schema.pointer}`);
    if (check === undefined) throw new Error(`there is no schema at ${schema.pointer}`);
    this.#checks.set(schema.pointer, check);
    return check(value) === true ? undefined : this.#ajv.errorsText(check.errors);
  }
}
