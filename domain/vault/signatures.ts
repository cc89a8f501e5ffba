import { toHex } from '../kernel/digest.ts';
import { ALGORITHMS } from './algorithm.ts';
import { assertAcceptable, keyIdOf, type PublicKey } from './cose-key.ts';

type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A public key that was found acceptable, with what is costly to compute of it. */
export interface VerifyingKey {
  readonly key: PublicKey;
  readonly keyId: string;
  /** Null where the runtime does not know the algorithm. */
  readonly imported: Promise<CryptoKey | null>;
}

/** Looks each key over and imports it once, however many inputs use it. Share one instance among them. */
export class VerifyingKeys {
  private readonly known = new Map<string, VerifyingKey>();

  /** @throws KeyError for a key that must not be trusted. */
  of(key: PublicKey): VerifyingKey {
    const name = `${key.algorithm}:${toHex(key.raw)}`;
    const known = this.known.get(name);
    if (known) return known;
    assertAcceptable(key);
    const { importParams } = ALGORITHMS[key.algorithm];
    const imported = crypto.subtle
      .importKey('raw', key.raw, importParams, true, ['verify'])
      .catch(() => null);
    const verifying = { key, keyId: keyIdOf(key), imported };
    // Hostile input may name any number of keys.
    if (this.known.size >= 256) this.known.clear();
    this.known.set(name, verifying);
    return verifying;
  }
}

export type SignatureResult = 'valid' | 'invalid' | 'unsupported';

/** Signature checks at once: enough to keep the runtime's own threads busy, few enough to bound the memory. */
const WINDOW = 64;

/** Runs signature checks side by side; `room` holds the producer back, `settled` waits for the rest. */
export class SignatureChecks {
  private running = 0;
  private wake: (() => void) | null = null;

  /** `then` is called with the outcome, in no particular order, before `settled` resolves. It must not throw. */
  submit(
    key: VerifyingKey,
    signature: Uint8Array,
    bytes: Uint8Array,
    then: (result: SignatureResult) => void,
  ): void {
    this.running++;
    void verifySignature(key, signature, bytes).then((result) => {
      this.running--;
      then(result);
      this.wake?.();
    });
  }

  get full(): boolean {
    return this.running >= WINDOW;
  }

  async room(): Promise<void> {
    while (this.running >= WINDOW) await this.oneMore();
  }

  async settled(): Promise<void> {
    while (this.running > 0) await this.oneMore();
  }

  /** One producer waits at a time. */
  private oneMore(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}

/** One raw COSE signature (RFC 9053 section 2): 64 bytes, for ES256 with the low s alone. */
export const verifySignature = async (
  key: VerifyingKey,
  signature: Uint8Array,
  bytes: Uint8Array,
): Promise<SignatureResult> => {
  const row = ALGORITHMS[key.key.algorithm];
  if (signature.length !== row.signatureLength) return 'invalid';
  // (r, n − s) fits wherever (r, s) does: only one of the twins is the entry that was sealed.
  if (key.key.algorithm === 'ES256' && !isLowS(signature)) return 'invalid';
  const imported = await key.imported;
  if (!imported) return 'unsupported';
  try {
    return (await crypto.subtle.verify(row.signParams, imported, signature, bytes))
      ? 'valid'
      : 'invalid';
  } catch {
    return 'invalid';
  }
};

/** Half of the order of P-256, rounded down. */
const HALF_ORDER = Uint8Array.of(
  0x7f,
  0xff,
  0xff,
  0xff,
  0x80,
  0x00,
  0x00,
  0x00,
  0x7f,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0xff,
  0xde,
  0x73,
  0x7d,
  0x56,
  0xd3,
  0x8b,
  0xcf,
  0x42,
  0x79,
  0xdc,
  0xe5,
  0x61,
  0x7e,
  0x31,
  0x92,
  0xa8,
);

const isLowS = (signature: Uint8Array): boolean => {
  for (let i = 0; i < 32; i++) {
    const difference = signature[32 + i]! - HALF_ORDER[i]!;
    if (difference !== 0) return difference < 0;
  }
  return true;
};
