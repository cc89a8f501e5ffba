import type { BodyCoSignature, RequestCoSignature } from '../../domain/identity/co-signature.ts';

/** A co-signature as it was sent; whose key it is by is not known yet. */
export type CoSignatureClaim = Omit<BodyCoSignature, Later> | Omit<RequestCoSignature, Later>;

type Later = 'certId' | 'publicKey' | 'item';

/** RFC 9449: a proof of the key that a token is bound to, and the request that it has to be made for. */
export interface DpopProof {
  readonly proof: string;
  readonly method: string;
  readonly url: string;
}

/** What a caller proves beside its credential. */
export interface Proofs {
  /** The input as it was sent, byte for byte. */
  readonly bytes: Uint8Array;
  /**
   * Each form once at most, that over the whole request first.
   *
   * @throws NotaryError UNAUTHORIZED where one was sent in a form that cannot be read.
   */
  coSignatures(): readonly CoSignatureClaim[];
  readonly subjectToken: string | null;
  readonly dpop: DpopProof | null;
  /** The bytes ask for more than one operation. What is proven is verified once, and holds for each of them. */
  readonly isShared?: true;
}
