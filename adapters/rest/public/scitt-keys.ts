import { Type } from 'typebox';
import type { ListCoseKeys } from '../../../application/vault/list-cose-keys.ts';
import { decodeBase64UrlStrict } from '../../../domain/kernel/base64.ts';
import { encodeCbor } from '../../../domain/kernel/deterministic-cbor.ts';
import { bytesEqual } from '../../../domain/kernel/digest.ts';
import { notFound } from '../../../domain/kernel/errors.ts';
import { page, type Page } from '../page.ts';

const CBOR = 'application/cbor';
const CACHED = { 'Cache-Control': 'public, max-age=60' };
const BytesSchema = Type.String({ description: 'Bytes; shown here in base64' });

/** The keys of the vault as COSE has them, at the addresses that SCRAPI names. */
export const scittKeyPages = (keys: Pick<ListCoseKeys, 'execute'>): readonly Page[] => [
  page({
    path: '/.well-known/scitt-keys',
    operationId: 'listScittKeys',
    summary: 'The keys that verify receipts, as a COSE_KeySet',
    description:
      'RFC 9052 section 7, newest first. A key that was retired as compromised is not among them.',
    tag: 'Verification',
    produces: [CBOR],
    answers: {
      200: {
        description: 'COSE_KeySet',
        schema: BytesSchema,
        example: '',
        texts: { [CBOR]: 'gaU=' },
      },
    },
    render: async () => {
      const listed = await keys.execute();
      const content = encodeCbor(listed.map(({ key }) => key));
      return { status: 200, headers: CACHED, text: { mediaType: CBOR, content } };
    },
  }),
  page({
    path: '/.well-known/scitt-keys/{kid}',
    operationId: 'getScittKey',
    summary: 'One of them, as a COSE_Key',
    description: 'By its kid as it is, or in base64url without padding.',
    tag: 'Verification',
    params: Type.Object({
      kid: Type.String({ maxLength: 256, description: 'The kid that a receipt names' }),
    }),
    produces: [CBOR],
    problems: ['NOT_FOUND'],
    answers: {
      200: { description: 'COSE_Key', schema: BytesSchema, example: '', texts: { [CBOR]: 'pQ==' } },
    },
    render: async ({ params: { kid } }) => {
      const names = [new TextEncoder().encode(kid), decodeBase64UrlStrict(kid)];
      const found = (await keys.execute()).find((listed) =>
        names.some((name) => name !== null && bytesEqual(name, listed.kid)),
      );
      if (!found) throw notFound('key');
      const content = encodeCbor(found.key);
      return { status: 200, headers: CACHED, text: { mediaType: CBOR, content } };
    },
  }),
];
