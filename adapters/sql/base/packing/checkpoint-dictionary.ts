/** A checkpoint without what is its own, for those that were stored deflated with it (RFC 1951). It is needed for ever. */
export const CHECKPOINT_DICTIONARY = Buffer.from(
  '0123456789abcdef"chainKind":"admin","chainKind":"schema","chainKey":"schema:","name":"chain/schema:https://service.invalid' +
    "\u0001'\u0003x\u001capplication/vnd.in-toto+jsonapplication/vnd.in-toto+cbor\u0004X \u000f\u0001x0urn:service:\u0002x$" +
    '\u0006\u001ak\u0010x&application/vnd.notary.checkpoint+cose' +
    '{"_type":"https://in-toto.io/Statement/v1","predicate":{"at":"2026-01-01T00:00:00.000Z","chainKey":"","chainKind":"record",' +
    '"headHash":"","logIndex":,"position":1},"predicateType":"/predicates/vault-checkpoint/v1","subject":[{"digest":{"sha256":""},"name":"chain/"}]}X@',
  'latin1',
);
