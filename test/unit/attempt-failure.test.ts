import { describe, expect, test } from 'bun:test';
import { connectionFailure } from '../../relay/attempt/attempt-failure.ts';

const codeOf = (code: string) => connectionFailure(Object.assign(new Error('x'), { code })).code;

describe('an error of a connection', () => {
  // As Bun 1.4 and Node 24 spell them; their texts are not stable.
  const ofCertificates = `UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_CRL UNABLE_TO_DECRYPT_CERT_SIGNATURE
    UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY CERT_SIGNATURE_FAILURE CRL_SIGNATURE_FAILURE CERT_NOT_YET_VALID CERT_HAS_EXPIRED
    CRL_HAS_EXPIRED ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD OUT_OF_MEM DEPTH_ZERO_SELF_SIGNED_CERT
    SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_CHAIN_TOO_LONG
    CERT_REVOKED INVALID_CA PATH_LENGTH_EXCEEDED INVALID_PURPOSE CERT_UNTRUSTED CERT_REJECTED SUBJECT_ISSUER_MISMATCH
    AKID_SKID_MISMATCH AKID_ISSUER_SERIAL_MISMATCH KEYUSAGE_NO_CERTSIGN UNHANDLED_CRITICAL_EXTENSION INVALID_NON_CA
    KEYUSAGE_NO_DIGITAL_SIGNATURE PROXY_CERTIFICATES_NOT_ALLOWED INVALID_EXTENSION INVALID_POLICY_EXTENSION
    NO_EXPLICIT_POLICY UNNESTED_RESOURCE PERMITTED_VIOLATION EXCLUDED_VIOLATION SUBTREE_MINMAX APPLICATION_VERIFICATION
    UNSUPPORTED_NAME_SYNTAX SUITE_B_INVALID_CURVE HOSTNAME_MISMATCH IP_ADDRESS_MISMATCH INVALID_CALL STORE_LOOKUP
    NAME_CONSTRAINTS_WITHOUT_SANS UNKNOWN_CERTIFICATE_VERIFICATION_ERROR`;

  test('is tls_error for every reason to refuse a certificate and for a failed handshake', () => {
    const codes = ofCertificates.split(/\s+/);
    expect(codes.filter((code) => codeOf(code) !== 'tls_error')).toEqual([]);
    for (const code of ['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'])
      expect(codeOf(code)).toBe('tls_error');
  });

  test('is network_error for everything else, also without a code', () => {
    const codes = ['ECONNRESET', 'ECONNREFUSED', 'EHOSTUNREACH', 'ETIMEDOUT', 'EPIPE', 'EPROTONOSUPPORT'];
    for (const code of [...codes, 'ERR_SOCKET_CLOSED', 'ERR_STREAM_PREMATURE_CLOSE', 'EAI_AGAIN', ''])
      expect(codeOf(code)).toBe('network_error');
    expect(connectionFailure(new Error('no code')).code).toBe('network_error');
  });
});
