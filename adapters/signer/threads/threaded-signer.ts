import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import type { WebCryptoSigner } from '../webcrypto-signer.ts';
import { SigningThread } from './signing-thread.ts';

/** So many under way at once are more than the requests of a quiet service: the thread is started; and so many keep it. */
const MANY = 4;
const MORE_THAN_ONE = 2;

/** Signs one by one as long as few are waiting, and in a thread, together, as soon as they are many. */
export class ThreadedSigner implements Signer {
  readonly keyId: string;
  readonly algorithm: VaultAlgorithm;
  readonly publicKey: Uint8Array;
  private readonly thread: SigningThread;
  private underWay = 0;
  private isLost = false;

  constructor(private readonly signer: WebCryptoSigner) {
    ({ keyId: this.keyId, algorithm: this.algorithm, publicKey: this.publicKey } = signer);
    this.thread = new SigningThread({ algorithm: signer.algorithm, key: signer.key });
  }

  async sign(bytes: Uint8Array): Promise<Uint8Array> {
    this.underWay++;
    try {
      return this.isWorthIt ? await this.inThread(bytes) : await this.signer.sign(bytes);
    } finally {
      this.underWay--;
    }
  }

  private get isWorthIt(): boolean {
    return !this.isLost && this.underWay >= (this.thread.isRunning ? MORE_THAN_ONE : MANY);
  }

  /** Where the thread is lost, nothing is: what waited for it is signed here, and what comes from then on. */
  private inThread(bytes: Uint8Array): Promise<Uint8Array> {
    return this.thread.sign(bytes).catch(() => {
      this.isLost = true;
      return this.signer.sign(bytes);
    });
  }
}
