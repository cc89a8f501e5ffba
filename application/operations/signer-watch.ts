import type { Signer } from '../../domain/vault/signer.port.ts';

/** Between two attempts to find out whether a signer is back, ms. */
const ASK_AGAIN_MS = 5_000;
/** No structure that is ever signed begins so: those are CBOR arrays, or contexts of their own. */
const PROBE = new TextEncoder().encode('notary: is the signer there? This text says nothing.');

/** Called with every signature that was asked for. */
export type ToldSignature = (ms: number, succeeded: boolean) => void;

/** Knows whether the newest signature that was asked for was made. */
export class SignerWatch {
  private isFailing = false;
  private askedAt = -Infinity;
  private tell: ToldSignature = () => undefined;

  /** @param now milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number) {}

  onSigned(tell: ToldSignature): void {
    this.tell = tell;
  }

  get isAway(): boolean {
    return this.isFailing;
  }

  /** The same signer, watched. */
  over(signer: Signer): Signer {
    const { keyId, algorithm, publicKey } = signer;
    return {
      keyId,
      algorithm,
      publicKey,
      sign: (bytes) => this.watched(() => signer.sign(bytes)),
    };
  }

  /** The signer that this opens, watched. One that cannot be opened is away. */
  async opening(open: () => Promise<Signer>): Promise<Signer> {
    try {
      return this.over(await open());
    } catch (error) {
      this.isFailing = true;
      this.tell(0, false);
      throw error;
    }
  }

  /** Asks a signer that failed whether it is back, now and then: nobody else might ask for hours. Never rejects. */
  async askAgain(signer: () => Pick<Signer, 'sign'>): Promise<void> {
    if (!this.isFailing || this.now() - this.askedAt < ASK_AGAIN_MS) return;
    this.askedAt = this.now();
    try {
      await signer().sign(PROBE);
      this.isFailing = false;
    } catch {
      // It stays away.
    }
  }

  private async watched(sign: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const began = this.now();
    try {
      const signature = await sign();
      this.isFailing = false;
      this.tell(this.now() - began, true);
      return signature;
    } catch (error) {
      this.isFailing = true;
      this.tell(this.now() - began, false);
      throw error;
    }
  }
}
