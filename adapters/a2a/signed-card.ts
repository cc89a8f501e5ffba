import type { DocumentSignature, SignDocument } from '../../application/sealing/sign-document.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { encodeBase64Url } from '../../domain/kernel/base64.ts';
import { sha256 } from '../../domain/kernel/digest.ts';

/** The card with its signatures, as text too, and a strong ETag of that. */
export interface PublishedCard {
  readonly card: JsonObject;
  readonly text: string;
  readonly etag: string;
}

type SignedBy = PublishedCard & { readonly keyId: string };

/** A card, signed anew after each rotation of the vault's key, and no more often. */
export class SignedCard {
  private published: SignedBy | null = null;
  private publishing: Promise<SignedBy> | null = null;

  constructor(
    private readonly card: JsonObject,
    private readonly documents: Pick<SignDocument, 'keyId' | 'sign'>,
    /** What a reader of 1.0 keeps of the card when it drops the members that it does not know. */
    private readonly as10: JsonObject = card,
  ) {}

  async read(): Promise<PublishedCard> {
    const keyId = await this.documents.keyId();
    // Again where the one under way was begun before the rotation.
    for (let tries = 0; this.published?.keyId !== keyId && tries < 2; tries++)
      this.published = await this.publishOnce();
    return this.published!;
  }

  /** Anybody may ask, and many at once: they share one signature. */
  private publishOnce(): Promise<SignedBy> {
    this.publishing ??= this.publish().finally(() => (this.publishing = null));
    return this.publishing;
  }

  private async publish(): Promise<SignedBy> {
    const { keyId, card } = await signed(this.card, this.as10, this.documents);
    const text = JSON.stringify(card);
    const digest = encodeBase64Url(sha256(new TextEncoder().encode(text)));
    return { keyId, card, text, etag: `"${digest.slice(0, 27)}"` };
  }
}

/**
 * The card with its signatures. The first one covers the document as it is. The second one, of a card in the form of 0.3,
 * covers the members of 1.0, which are all that a reader of 1.0 parses. The last one leaves out the security schemes as
 * well, because libraries that parse a card before they check it lose these (@a2a-js/sdk 1.3.0 does). Such a library accepts
 * a card if one of its signatures verifies.
 */
const signed = async (
  card: JsonObject,
  as10: JsonObject,
  documents: Pick<SignDocument, 'sign'>,
): Promise<{ readonly keyId: string; readonly card: JsonObject }> => {
  const { securitySchemes: _, ...bare } = as10;
  const { keyId, ...whole } = await documents.sign(card);
  const signatures = [whole];
  for (const part of as10 === card ? [bare] : [as10, bare]) {
    const { keyId: other, ...signature } = await documents.sign(part);
    // The key was rotated in between: the card is signed again soon, and this signature is left out.
    if (other === keyId) signatures.push(signature);
  }
  return { keyId, card: { ...card, signatures: signatures.map(shown) } };
};

const shown = ({ protected: header, signature }: DocumentSignature): JsonObject => ({
  protected: header,
  signature,
});
