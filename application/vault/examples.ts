import { AT, KEY_ID } from '../call/example-story.ts';

export const VERIFICATION_KEY = {
  keyId: KEY_ID,
  algorithm: 'Ed25519',
  coseAlgorithm: -8,
  minVerifierVersion: '0.1.0',
  publicKey: 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  publicKeyRaw: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  status: 'active',
  activatedAt: AT,
  retiredAt: null,
};

export const KEY_STATEMENT = {
  keyId: KEY_ID,
  statement: 'activated',
  position: 1,
  coseSign1: '0oRYTqYBJwM=',
};

export const VERIFICATION_KEYS = {
  data: [VERIFICATION_KEY],
  keyStatements: [KEY_STATEMENT],
  envelope: 'COSE_Sign1',
  payloadFormat: 'application/vnd.in-toto+json',
  canonicalization: 'jcs',
  coseAlgorithm: -8,
  signatureAlgorithm: 'Ed25519',
  signatureInputTemplate:
    'deterministic CBOR of ["Signature1", <protected header bytes>, h\'\', <payload bytes>]',
};
