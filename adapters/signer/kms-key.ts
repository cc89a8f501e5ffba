import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type * as KmsPackage from '@aws-sdk/client-kms';
import { sha256 } from '../../domain/kernel/digest.ts';
import { ALGORITHMS } from '../../domain/vault/algorithm.ts';
import { keyIdOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { ecdsaFromDer } from '../../domain/vault/ecdsa-der.ts';
import { HeldKeyError, type HeldKey } from '../../domain/vault/held-key.port.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { cannotSign } from './cannot-sign.ts';
import { coseSignature } from './cose-signature.ts';
import { agentOptions, MAX_SOCKETS } from './json-over-https.ts';

export interface KmsOptions {
  readonly region: string;
  /** Null: that of the region. */
  readonly endpoint: string | null;
  /** Id, ARN or alias. */
  readonly key: string;
  /** PEM; null: the public authorities alone. */
  readonly ca: string | null;
  readonly timeoutMs: number;
}

/** The first look may have to find credentials, which takes a while on some machines. */
const OPEN_MS = 10_000;

/**
 * SIGNER=aws-kms: a P-256 key in AWS KMS. Its Ed25519 keys do not serve: they sign messages of at most 4,096 bytes, and a
 * statement may be longer, while for P-256 the hash is enough.
 *
 * An alias is resolved once. From then on the key itself is named, so that a moved alias changes nothing before the next
 * start, and what it leads to then is another key.
 */
export class KmsKey implements HeldKey {
  readonly name: string;
  private client: Promise<Kms> | null = null;

  constructor(private readonly options: KmsOptions) {
    this.name = `aws-kms:${options.key}`;
  }

  async open(): Promise<Signer> {
    this.client ??= connect(this.options);
    const { client, commands } = await this.client;
    const { key } = this.options;
    const found = await client
      .send(new commands.GetPublicKeyCommand({ KeyId: key }), {
        abortSignal: AbortSignal.timeout(OPEN_MS),
      })
      .catch((cause: unknown) => {
        throw new HeldKeyError(`The key ${key} cannot be read in AWS KMS: ${reasonOf(cause)}`, {
          cause,
        });
      });
    if (found.KeySpec !== 'ECC_NIST_P256' || found.KeyUsage !== 'SIGN_VERIFY' || !found.PublicKey)
      throw new HeldKeyError(
        `The key ${key} in AWS KMS is of spec ${found.KeySpec} for ${found.KeyUsage}; it must be ECC_NIST_P256 for SIGN_VERIFY.`,
      );
    return this.signerOf(found.KeyId ?? key, Uint8Array.from(found.PublicKey), {
      client,
      commands,
    });
  }

  private signerOf(keyArn: string, publicKey: Uint8Array, { client, commands }: Kms): Signer {
    return {
      keyId: keyIdOf(publicKeyFromSpki(publicKey)),
      algorithm: 'ES256',
      publicKey,
      sign: async (bytes) => {
        try {
          const { Signature, KeyId } = await client.send(
            new commands.SignCommand({
              KeyId: keyArn,
              Message: sha256(bytes),
              MessageType: 'DIGEST',
              SigningAlgorithm: 'ECDSA_SHA_256',
            }),
            { abortSignal: AbortSignal.timeout(this.options.timeoutMs) },
          );
          const signature = Signature && ecdsaFromDer(Signature);
          if (!signature || KeyId !== keyArn)
            throw new Error('the answer holds no signature of the key that was asked for');
          return coseSignature(ALGORITHMS.ES256, signature);
        } catch (cause) {
          throw cannotSign(cause);
        }
      },
    };
  }
}

interface Kms {
  readonly client: KmsPackage.KMSClient;
  readonly commands: typeof KmsPackage;
}

/** @throws HeldKeyError where the package was left out. */
const connect = async ({ region, endpoint, ca }: KmsOptions): Promise<Kms> => {
  const commands = await import('@aws-sdk/client-kms').catch((cause: unknown) => {
    throw new HeldKeyError(
      'SIGNER=aws-kms needs the package @aws-sdk/client-kms, which is not installed. Run: npm install @aws-sdk/client-kms',
      { cause },
    );
  });
  const client = new commands.KMSClient({
    region,
    maxAttempts: 2,
    ...(endpoint === null ? {} : { endpoint }),
    requestHandler: {
      httpsAgent: new HttpsAgent(agentOptions(ca)),
      httpAgent: new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
    },
  });
  return { client, commands };
};

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? `${cause.name}: ${cause.message}` : 'unknown';
