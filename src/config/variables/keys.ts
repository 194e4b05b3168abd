import { secretParts } from '../../shared/redact.ts';
import { base64Key, list } from '../values.ts';
import { required, variable } from '../variable.ts';

/**
 * The admin CLI uses them only in `secret` and `doctor`. The worker reads `SECRET_KEY` and `SECRET_KEY_PREVIOUS` to
 * derive keys that it was not given (`load.ts`).
 */
export const keyVariables = {
  secretKey: required('SECRET_KEY', {
    for: ['api', 'relay', 'admin'],
    optionalFor: ['admin'],
    rule: base64Key(32),
    secret: secretParts,
    text: 'Key that encrypts secrets in the database: base64 of 32 bytes.',
  }),
  secretKeyPrevious: variable('SECRET_KEY_PREVIOUS', {
    for: ['api', 'relay', 'admin'],
    rule: list(base64Key(32)),
    default: [],
    secret: secretParts,
    text: 'Comma-separated further keys, which still decrypt and verify: see "Rotating SECRET_KEY".',
  }),
  resultLinkKeys: variable('RESULT_LINK_KEYS', {
    for: ['api', 'worker', 'admin'],
    rule: list(base64Key(32)),
    default: [],
    secret: secretParts,
    text: 'Comma-separated keys of links to result files. The first key signs, all of them verify. If unset, a key is derived from SECRET_KEY.',
  }),
  orderKeys: variable('ORDER_KEYS', {
    for: ['api', 'worker', 'admin'],
    rule: list(base64Key(32)),
    default: [],
    secret: secretParts,
    text: 'Comma-separated keys of signed orders. The first key encrypts, all of them decrypt. If unset, a key is derived from SECRET_KEY.',
  }),
};
