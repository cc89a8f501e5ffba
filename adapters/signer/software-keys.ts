import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { webcrypto } from 'node:crypto';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { ALGORITHMS, type VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import { keyIdOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { SealedKeyError, type KeySource } from '../../domain/vault/key-source.port.ts';
import type { SealedKey } from '../../domain/vault/sealed-key-store.port.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import type { SoftwareCrypto } from './crypto-providers.ts';

// format (1) ‖ id of the key-encryption key (8) ‖ nonce (12) ‖ ciphertext ‖ tag (16)
const FORMAT = 1;
const HEADER = 9;
const NONCE = 12;
const TAG = 16;

/**
 * SIGNER=software: the process generates the keys, stores them as PKCS#8 under AES-256-GCM (NIST SP
 * 800-38D), and holds them in memory. The associated data binds a ciphertext to its column, key id
 * and algorithm, so the key of one row cannot be moved to another.
 */
export class SoftwareKeys implements KeySource {
  private readonly kek: Buffer;
  private readonly kekId: Buffer;

  /** @param kek SIGNER_KEK, at least 32 bytes. */
  constructor(
    kek: Uint8Array,
    private readonly crypto: SoftwareCrypto,
    private readonly clock: Clock,
  ) {
    this.kek = derive(kek, 'service.signer-kek.aes-256-gcm.v1', 32);
    // Tells a wrong key from an altered row, and reveals nothing about the key.
    this.kekId = derive(kek, 'service.signer-kek.id.v1', 8);
  }

  async generate(algorithm: VaultAlgorithm): Promise<{ signer: Signer; sealed: SealedKey }> {
    const { subtle } = await this.crypto.provider();
    const pair = (await subtle.generateKey(ALGORITHMS[algorithm].importParams, true, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair;
    const publicKey = new Uint8Array(await subtle.exportKey('spki', pair.publicKey));
    const pkcs8 = new Uint8Array(await subtle.exportKey('pkcs8', pair.privateKey));
    const keyId = keyIdOf(publicKeyFromSpki(publicKey));
    const encryptedPrivateKey = this.encrypt(pkcs8, { keyId, algorithm });
    const signer = await this.crypto.signer(algorithm, pkcs8, publicKey);
    pkcs8.fill(0);
    return {
      signer,
      sealed: {
        keyId,
        algorithm,
        publicKey,
        encryptedPrivateKey,
        createdAt: this.clock.now().toISOString(),
      },
    };
  }

  async open(sealed: SealedKey): Promise<Signer> {
    const pkcs8 = this.decrypt(sealed);
    try {
      const signer = await this.crypto.signer(sealed.algorithm, pkcs8, sealed.publicKey);
      // The tag proves the key id, and the key id the public key. Together they prove the pair.
      if (signer.keyId !== sealed.keyId) throw altered(sealed);
      return signer;
    } catch (cause) {
      throw cause instanceof SealedKeyError
        ? cause
        : new SealedKeyError(
            `The signing key ${sealed.keyId} cannot be used: its stored public key is damaged, or the chosen SIGNER_CRYPTO does not know ${sealed.algorithm}.`,
            { cause },
          );
    } finally {
      pkcs8.fill(0);
    }
  }

  private encrypt(pkcs8: Uint8Array, key: Pick<SealedKey, 'keyId' | 'algorithm'>): Uint8Array {
    const header = Buffer.concat([Buffer.of(FORMAT), this.kekId]);
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', this.kek, nonce).setAAD(
      associatedData(header, key),
    );
    return Uint8Array.from(
      Buffer.concat([header, nonce, cipher.update(pkcs8), cipher.final(), cipher.getAuthTag()]),
    );
  }

  private decrypt(sealed: SealedKey): Uint8Array {
    const bytes = Buffer.from(sealed.encryptedPrivateKey);
    if (bytes.length <= HEADER + NONCE + TAG || bytes[0] !== FORMAT) throw altered(sealed);
    const header = bytes.subarray(0, HEADER);
    if (!bytesEqual(header.subarray(1), this.kekId)) {
      throw new SealedKeyError(
        `The signing key ${sealed.keyId} was sealed under another SIGNER_KEK. Give the one that was in use when the key was made; it is not in the database.`,
      );
    }
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.kek,
      bytes.subarray(HEADER, HEADER + NONCE),
      { authTagLength: TAG },
    )
      .setAAD(associatedData(header, sealed))
      .setAuthTag(bytes.subarray(-TAG));
    try {
      return Buffer.concat([
        decipher.update(bytes.subarray(HEADER + NONCE, -TAG)),
        decipher.final(),
      ]);
    } catch (cause) {
      throw altered(sealed, cause);
    }
  }
}

const altered = (sealed: SealedKey, cause?: unknown): SealedKeyError =>
  new SealedKeyError(
    `The stored row of the signing key ${sealed.keyId} was altered or damaged; restore it from a backup.`,
    { cause },
  );

const associatedData = (
  header: Uint8Array,
  key: Pick<SealedKey, 'keyId' | 'algorithm'>,
): Uint8Array =>
  Buffer.concat([
    header,
    Buffer.from(JSON.stringify(['sealed_keys', 'encrypted_private_key', key.keyId, key.algorithm])),
  ]);

/** HKDF-SHA256 (RFC 5869) without a salt, because the input is already a uniform key. */
const derive = (key: Uint8Array, label: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, new Uint8Array(0), label, length));
