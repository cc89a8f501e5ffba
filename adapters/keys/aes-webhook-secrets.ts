import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { WebhookSecrets } from '../../application/delivery/webhook-secrets.port.ts';
import { deriveKey } from './derive-key.ts';

const FORMAT = 1;
const ID = 8;
const HEADER = 1 + ID;
const NONCE = 12;
const TAG = 16;

interface Key {
  readonly id: Buffer;
  readonly key: Buffer;
}

/** AES-256-GCM under keys drawn from SECRETS_KEY (RFC 5869). A sealed secret says under which of them, and not what that is. */
export class AesWebhookSecrets implements WebhookSecrets {
  private readonly keys: readonly Key[];

  /** @param secrets SECRETS_KEY, newest first. */
  constructor(secrets: readonly Uint8Array[]) {
    this.keys = secrets.map((secret) => ({
      id: deriveKey(secret, 'service.webhook-secret.id.v1').subarray(0, ID),
      key: deriveKey(secret, 'service.webhook-secret.aes-256-gcm.v1'),
    }));
  }

  make(): string {
    let text = '';
    while (text.length < LENGTH)
      for (const byte of randomBytes(64))
        // 248 is the largest multiple of 62 in a byte: what is beyond would make some letters likelier.
        if (byte < 248 && text.length < LENGTH) text += BASE62[byte % 62]!;
    return `whsec_${text}`;
  }

  seal(secret: string, subscriptionId: string): Uint8Array {
    const { id, key } = this.keys[0]!;
    const header = Buffer.concat([Buffer.of(FORMAT), id]);
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(
      associated(header, subscriptionId),
    );
    return Uint8Array.from(
      Buffer.concat([
        header,
        nonce,
        cipher.update(secret, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]),
    );
  }

  open(sealed: Uint8Array, subscriptionId: string): string | null {
    const bytes = Buffer.from(sealed);
    if (bytes.length <= HEADER + NONCE + TAG || bytes[0] !== FORMAT) return null;
    const header = bytes.subarray(0, HEADER);
    const found = this.keys.find(({ id }) => id.equals(header.subarray(1)));
    if (!found) return null;
    try {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        found.key,
        bytes.subarray(HEADER, HEADER + NONCE),
        { authTagLength: TAG },
      )
        .setAAD(associated(header, subscriptionId))
        .setAuthTag(bytes.subarray(-TAG));
      const opened = decipher.update(bytes.subarray(HEADER + NONCE, -TAG));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  isOld(sealed: Uint8Array): boolean {
    return !this.keys[0]!.id.equals(Buffer.from(sealed.subarray(1, HEADER)));
  }
}

const LENGTH = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const associated = (header: Buffer, subscriptionId: string): Buffer =>
  Buffer.concat([header, Buffer.from(`webhook-secret:${subscriptionId}`)]);
