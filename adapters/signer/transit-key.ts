import { createPublicKey } from 'node:crypto';
import { ALGORITHMS, type VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import { keyIdOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { HeldKeyError, type HeldKey } from '../../domain/vault/held-key.port.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { cannotSign } from './cannot-sign.ts';
import { coseSignature } from './cose-signature.ts';
import { JsonOverHttps } from './json-over-https.ts';

export interface TransitOptions {
  /** Without a slash at the end. */
  readonly address: string;
  /** Empty where an agent adds its own. */
  readonly token: string;
  /** Empty: none. */
  readonly namespace: string;
  readonly mount: string;
  /** NAME, for the newest version, or NAME/VERSION. */
  readonly key: string;
  /** PEM; null: the public authorities alone. */
  readonly ca: string | null;
  readonly timeoutMs: number;
}

/** Types of keys of the transit secrets engine, as far as they serve. */
const TYPES: ReadonlyMap<unknown, VaultAlgorithm> = new Map([
  ['ed25519', 'Ed25519'],
  ['ecdsa-p256', 'ES256'],
]);

/** SPKI of an Ed25519 key (RFC 8410 section 4), up to the 32 bytes of the key itself. */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * SIGNER=vault-transit: a key of the transit secrets engine of HashiCorp Vault or OpenBao, by its HTTP API.
 *
 * The version is fixed when the key is opened: a new version is another key, and no signature is ever by one that the
 * succession does not know.
 */
export class TransitKey implements HeldKey {
  readonly name: string;
  private readonly http: JsonOverHttps;
  private readonly key: string;
  private readonly version: string | undefined;
  private signer: Promise<Signer> | null = null;

  constructor(private readonly options: TransitOptions) {
    this.name = `vault-transit:${options.key}`;
    [this.key = '', this.version] = options.key.split('/');
    this.http = new JsonOverHttps(
      `${options.address}/v1/${options.mount}`,
      {
        'x-vault-request': 'true',
        ...(options.token === '' ? {} : { 'x-vault-token': options.token }),
        ...(options.namespace === '' ? {} : { 'x-vault-namespace': options.namespace }),
      },
      options.ca,
      options.timeoutMs,
    );
  }

  open(): Promise<Signer> {
    this.signer ??= this.look().catch((error: unknown) => {
      this.signer = null;
      throw error;
    });
    return this.signer;
  }

  private async look(): Promise<Signer> {
    const { address, mount } = this.options;
    const answer = await this.http.ask('GET', `/keys/${this.key}`).catch((cause: unknown) => {
      throw new HeldKeyError(
        `The key ${this.key} cannot be read at ${address}/v1/${mount}: ${reasonOf(cause)}`,
        { cause },
      );
    });
    const data = (answer as { readonly data?: KeyData } | null)?.data;
    const algorithm = TYPES.get(data?.type);
    if (!algorithm)
      throw new HeldKeyError(
        `The key ${this.key} in ${mount} is of type ${String(data?.type)}; it must be ed25519 or ecdsa-p256.`,
      );
    const version = this.version ?? String(data?.latest_version);
    const text = data?.keys?.[version]?.public_key;
    if (text === undefined)
      throw new HeldKeyError(`The key ${this.key} in ${mount} has no version ${version}.`);
    return this.signerOf(algorithm, version, spkiOf(algorithm, text));
  }

  private signerOf(algorithm: VaultAlgorithm, version: string, publicKey: Uint8Array): Signer {
    return {
      keyId: keyIdOf(publicKeyFromSpki(publicKey)),
      algorithm,
      publicKey,
      sign: async (bytes) => {
        try {
          const path = algorithm === 'ES256' ? `/sign/${this.key}/sha2-256` : `/sign/${this.key}`;
          const answer = await this.http.ask('POST', path, {
            input: Buffer.from(bytes).toString('base64'),
            key_version: Number(version),
            // r‖s instead of DER.
            ...(algorithm === 'ES256' ? { marshaling_algorithm: 'jws', prehashed: false } : {}),
          });
          return coseSignature(ALGORITHMS[algorithm], signatureIn(answer, version));
        } catch (cause) {
          throw cannotSign(cause);
        }
      },
    };
  }
}

interface KeyData {
  readonly type?: unknown;
  readonly latest_version?: unknown;
  readonly keys?: { readonly [version: string]: { readonly public_key?: string } | undefined };
}

/** `vault:v<version>:<signature>`; base64 for Ed25519, base64url for `jws`, and both are read. */
const signatureIn = (answer: unknown, version: string): Uint8Array => {
  const text = (answer as { readonly data?: { readonly signature?: unknown } } | null)?.data
    ?.signature;
  const [scheme, made, signature] = String(text).split(':');
  if (scheme !== 'vault' || made !== `v${version}` || !signature)
    throw new Error('the answer holds no signature of the version that was asked for');
  return new Uint8Array(Buffer.from(signature, 'base64'));
};

const spkiOf = (algorithm: VaultAlgorithm, text: string): Uint8Array =>
  new Uint8Array(
    algorithm === 'Ed25519'
      ? Buffer.concat([ED25519_SPKI, Buffer.from(text, 'base64')])
      : createPublicKey(text).export({ type: 'spki', format: 'der' }),
  );

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : 'unknown';
