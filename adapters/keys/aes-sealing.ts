import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
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

/** AES-256-GCM under keys drawn from SECRETS_KEY (RFC 5869). Sealed bytes say under which of them, and not what that is. */
export class AesSealing {
  private readonly keys: readonly Key[];

  /**
   * @param secrets SECRETS_KEY, newest first.
   * @param purpose what is sealed, as in `service.webhook-secret`: keys of two purposes differ.
   */
  constructor(secrets: readonly Uint8Array[], purpose: string) {
    this.keys = secrets.map((secret) => ({
      id: deriveKey(secret, `${purpose}.id.v1`).subarray(0, ID),
      key: deriveKey(secret, `${purpose}.aes-256-gcm.v1`),
    }));
  }

  /** @param place what the bytes belong to: moved to another place, they cannot be opened. */
  seal(bytes: Uint8Array, place: string): Uint8Array {
    const { id, key } = this.keys[0]!;
    const header = Buffer.concat([Buffer.of(FORMAT), id]);
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated(header, place));
    return Uint8Array.from(
      Buffer.concat([header, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]),
    );
  }

  /** Null where no key that is there opens it, or somebody changed it. */
  open(sealed: Uint8Array, place: string): Uint8Array | null {
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
        .setAAD(associated(header, place))
        .setAuthTag(bytes.subarray(-TAG));
      const opened = decipher.update(bytes.subarray(HEADER + NONCE, -TAG));
      return Uint8Array.from(Buffer.concat([opened, decipher.final()]));
    } catch {
      return null;
    }
  }

  /** Whether it was sealed under an older SECRETS_KEY than the newest. */
  isOld(sealed: Uint8Array): boolean {
    return !this.keys[0]!.id.equals(Buffer.from(sealed.subarray(1, HEADER)));
  }
}

const associated = (header: Buffer, place: string): Buffer =>
  Buffer.concat([header, Buffer.from(place)]);
