import { Type } from 'typebox';
import { REST_OF_LINE } from '../../domain/kernel/plain-text.ts';

/** What a reference points at, on a record or on an agent. */
export const REFERENCE_TARGET = {
  kind: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: `^[A-Za-z0-9]${REST_OF_LINE}`,
    description: 'What it is, in words of your own: invoice, ticket, artifact',
  }),
  uri: Type.String({
    maxLength: 2048,
    pattern: "^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]+$",
    description:
      'Absolute (RFC 3986), of any scheme but javascript, vbscript, about, view-source and blob; it is neither fetched nor checked',
  }),
};

export const ReferenceDigest = Type.Object(
  {
    alg: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9/_-]{0,31}$',
      description: 'As in sha-256',
    }),
    value: Type.String({
      pattern: '^[A-Za-z0-9+/=_-]{1,256}$',
      description: 'Hex or base64, kept as it is sent; of sha-256 the 64 digits in hex',
    }),
  },
  {
    additionalProperties: false,
    description: 'Of what the URI leads to, as the caller computed it',
  },
);
