import type { DocumentSignature, SignDocument } from '../../application/vault/sign-document.ts';
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
    const { keyId, card } = await signed(this.card, this.documents);
    const text = JSON.stringify(card);
    const digest = encodeBase64Url(sha256(new TextEncoder().encode(text)));
    return { keyId, card, text, etag: `"${digest.slice(0, 27)}"` };
  }
}

/**
 * Signed twice: as it is, and without its security schemes. Libraries that parse a card before they check it lose these
 * (@a2a-js/sdk 1.3.0 does), and take a card for good of which one signature verifies.
 */
const signed = async (
  card: JsonObject,
  documents: Pick<SignDocument, 'sign'>,
): Promise<{ readonly keyId: string; readonly card: JsonObject }> => {
  const { securitySchemes: _, ...parsed } = card;
  const { keyId, ...whole } = await documents.sign(card);
  const { keyId: other, ...part } = await documents.sign(parsed);
  const signatures = [whole, ...(other === keyId ? [part] : [])];
  return { keyId, card: { ...card, signatures: signatures.map(shown) } };
};

const shown = ({ protected: header, signature }: DocumentSignature): JsonObject => ({
  protected: header,
  signature,
});
