import { toHex } from '../kernel/digest.ts';
import { ALGORITHMS, type VaultAlgorithm } from './algorithm.ts';
import { assertAcceptable, keyIdOf, type PublicKey } from './cose-key.ts';
import { isSoundEd25519Signature, isWithoutCofactor, WITH_COFACTOR } from './ed25519-form.ts';

type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A public key that was found acceptable, with what is costly to compute of it. */
export interface VerifyingKey {
  readonly key: PublicKey;
  readonly keyId: string;
  /** Null where the runtime does not know the algorithm, or verifies another equation. Imported when it is first asked for. */
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
    const verifying = new AcceptableKey(key);
    // Hostile input may name any number of keys.
    if (this.known.size >= 256) this.known.clear();
    this.known.set(name, verifying);
    return verifying;
  }
}

class AcceptableKey implements VerifyingKey {
  readonly keyId: string;
  private promised: Promise<CryptoKey | null> | null = null;

  constructor(readonly key: PublicKey) {
    this.keyId = keyIdOf(key);
  }

  get imported(): Promise<CryptoKey | null> {
    return (this.promised ??= importKey(this.key).catch(() => null));
  }
}

/** @throws DOMException where the runtime does not know the algorithm; null where it verifies another equation. */
const importKey = async (key: PublicKey): Promise<CryptoKey | null> => {
  const imported = await importRaw(key);
  return key.algorithm !== 'Ed25519' || (await runtimeIsSound()) ? imported : null;
};

const importRaw = ({ algorithm, raw }: PublicKey): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', raw, ALGORITHMS[algorithm].importParams, true, ['verify']);

/** Asked once, of the runtime that this code is on. */
let sound: Promise<boolean> | undefined;
const runtimeIsSound = (): Promise<boolean> =>
  (sound ??= isWithoutCofactor(async (raw, signature, bytes) =>
    crypto.subtle.verify(
      ALGORITHMS.Ed25519.signParams,
      await importRaw({ algorithm: 'Ed25519', raw }),
      signature,
      bytes,
    ),
  ));

export type SignatureResult = 'valid' | 'invalid' | 'unsupported';

/** Signature checks at once: enough to keep the runtime's own threads busy, few enough to bound the memory. */
const WINDOW = 64;

/** Runs signature checks side by side; `room` holds the producer back, `settled` waits for the rest. */
export class SignatureChecks {
  private running = 0;
  private wake: (() => void) | null = null;

  /** @param now checks each at once, where it is submitted; without it they run in the threads of WebCrypto. */
  constructor(private readonly now: ImmediateChecks | null = null) {}

  /** `then` is called with the outcome, in no particular order, before `settled` resolves. It must not throw. */
  submit(
    key: VerifyingKey,
    signature: Uint8Array,
    bytes: Uint8Array,
    then: (result: SignatureResult) => void,
    s: EcdsaS = 'low',
  ): void {
    if (this.now) return then(this.now.check(key, signature, bytes, s));
    this.running++;
    void verifySignature(key, signature, bytes, s).then((result) => {
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

/**
 * Whether one equation holds, by the runtime and without waiting: RFC 8032 section 5.1.7 for Ed25519, and ECDSA over SHA-256
 * with r and s as 32 bytes each for ES256. Nothing else is judged by it.
 */
export type ImmediateEquation = (
  key: PublicKey,
  signature: Uint8Array,
  bytes: Uint8Array,
) => boolean;

/** The checks of `verifySignature`, of a thread that has nothing else to do meanwhile. */
export class ImmediateChecks {
  private readonly isSound: boolean;

  constructor(private readonly equation: ImmediateEquation) {
    this.isSound = !equation(
      { algorithm: 'Ed25519', raw: WITH_COFACTOR.publicKey },
      WITH_COFACTOR.signature,
      WITH_COFACTOR.bytes,
    );
  }

  check(
    { key }: VerifyingKey,
    signature: Uint8Array,
    bytes: Uint8Array,
    s: EcdsaS = 'low',
  ): SignatureResult {
    if (!hasSoundForm(key.algorithm, signature, s)) return 'invalid';
    if (key.algorithm === 'Ed25519' && !this.isSound) return 'unsupported';
    try {
      return this.equation(key, signature, bytes) ? 'valid' : 'invalid';
    } catch {
      return 'invalid';
    }
  }
}

/**
 * Which of the two signatures (r, s) and (r, n − s) of ES256 is taken. `low`: that with the low s, which alone is the one
 * that this service makes, so only one of the twins is what was sealed. `any`: signatures that others made, because
 * ordinary clients make both; tell two of them apart by the key and what is signed, never by their bytes.
 */
export type EcdsaS = 'low' | 'any';

/** One raw COSE signature (RFC 9053 section 2), 64 bytes. */
export const verifySignature = async (
  key: VerifyingKey,
  signature: Uint8Array,
  bytes: Uint8Array,
  s: EcdsaS = 'low',
): Promise<SignatureResult> => {
  const { algorithm } = key.key;
  // Its form is judged first, because a runtime that lacks the algorithm cannot excuse one that is wrong anyway.
  if (!hasSoundForm(algorithm, signature, s)) return 'invalid';
  const imported = await key.imported;
  if (!imported) return 'unsupported';
  try {
    return (await equationHolds(algorithm, imported, signature, bytes)) ? 'valid' : 'invalid';
  } catch {
    return 'invalid';
  }
};

/** The same with a key that was found acceptable and imported before. */
export const holds = async (
  algorithm: VaultAlgorithm,
  key: CryptoKey,
  signature: Uint8Array,
  bytes: Uint8Array,
  s: EcdsaS = 'low',
): Promise<boolean> =>
  hasSoundForm(algorithm, signature, s) && equationHolds(algorithm, key, signature, bytes);

const equationHolds = (
  algorithm: VaultAlgorithm,
  key: CryptoKey,
  signature: Uint8Array,
  bytes: Uint8Array,
): Promise<boolean> =>
  crypto.subtle.verify(ALGORITHMS[algorithm].signParams, key, signature, bytes);

const hasSoundForm = (algorithm: VaultAlgorithm, signature: Uint8Array, s: EcdsaS): boolean =>
  algorithm === 'Ed25519'
    ? isSoundEd25519Signature(signature)
    : signature.length === ALGORITHMS[algorithm].signatureLength &&
      (s === 'any' || isLowS(signature));

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
