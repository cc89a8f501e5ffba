import {
  getConsistency,
  getLogHead,
  getStatement,
  registerStatement,
} from '../../../application/transparency/operations.ts';
import { decodeBase64Strict } from '../../../domain/kernel/base64.ts';
import { bind, type RestBinding } from '../binding.ts';
import type { Form } from '../form.ts';

const COSE = 'application/cose';
const STATEMENT = 'application/scitt-statement+cose';

const bytesOf = (base64: string): Uint8Array => {
  const bytes = decodeBase64Strict(base64);
  if (!bytes) throw new TypeError('a view holds base64 that is not canonical');
  return bytes;
};

type Receipted = { readonly receipt: string };
type Transparent = { readonly transparentStatement: string };

const receiptAs = (name: string, mediaType: string): Form<Receipted> => ({
  name,
  mediaType,
  bytes: ({ receipt }) => bytesOf(receipt),
});

const statementAs = (name: string, mediaType: string): Form<Transparent> => ({
  name,
  mediaType,
  bytes: ({ transparentStatement }) => bytesOf(transparentStatement),
});

const RECEIPT = receiptAs('receipt', 'application/scitt-receipt+cose');

/** The transparency log of the org, as SCRAPI has it. */
export const transparencyBindings: readonly RestBinding[] = [
  bind(registerStatement, {
    method: 'POST',
    path: '/v1/scitt/entries',
    whole: 'statement',
    takes: [COSE, STATEMENT],
    status: 201,
    location: ({ entryId }) => `/v1/scitt/entries/${entryId}`,
    forms: [receiptAs('cose', COSE), RECEIPT],
  }),
  bind(getStatement, {
    method: 'GET',
    path: '/v1/scitt/entries/{entryId}',
    forms: [statementAs('cose', COSE), statementAs('statement', STATEMENT), RECEIPT],
  }),
  bind(getLogHead, { method: 'GET', path: '/v1/scitt/checkpoint' }),
  bind(getConsistency, { method: 'GET', path: '/v1/scitt/consistency' }),
];
