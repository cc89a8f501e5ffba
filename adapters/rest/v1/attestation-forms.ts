import type {
  AttestationSchema,
  SigstoreBundleSchema,
} from '../../../application/audit/attestation-schema.ts';
import type { ViewOf } from '../../../application/call/view-of.ts';
import { BUNDLE_MEDIA_TYPE } from '../../../domain/vault/sigstore-bundle.ts';
import { JSON_FORM, type Form } from '../form.ts';

/** RFC 8742. Each structure is one item of CBOR, so they follow each other as they are. */
export const COSE_SEQUENCE: Form<ViewOf<typeof AttestationSchema>> = {
  name: 'cose-sequence',
  mediaType: 'application/cose-sequence',
  example: 'the bytes of each COSE_Sign1, one after the other',
  async *parts({ structures }) {
    for await (const structure of structures) yield Buffer.from(structure, 'base64');
  },
};

export const SIGSTORE_JSON: Form<ViewOf<typeof SigstoreBundleSchema>> = {
  ...JSON_FORM,
  mediaType: BUNDLE_MEDIA_TYPE,
};
