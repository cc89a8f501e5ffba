import { randomBytes } from 'node:crypto';
import type { WebhookSecrets } from '../../application/delivery/webhook-secrets.port.ts';
import { AesSealing } from './aes-sealing.ts';

/** Secrets of subscriptions, sealed under SECRETS_KEY. */
export class AesWebhookSecrets implements WebhookSecrets {
  private readonly sealing: AesSealing;

  /** @param secrets SECRETS_KEY, newest first. */
  constructor(secrets: readonly Uint8Array[]) {
    this.sealing = new AesSealing(secrets, 'service.webhook-secret');
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
    return this.sealing.seal(Buffer.from(secret), placeOf(subscriptionId));
  }

  open(sealed: Uint8Array, subscriptionId: string): string | null {
    const opened = this.sealing.open(sealed, placeOf(subscriptionId));
    return opened && Buffer.from(opened).toString('utf8');
  }

  isOld(sealed: Uint8Array): boolean {
    return this.sealing.isOld(sealed);
  }
}

const LENGTH = 43;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const placeOf = (subscriptionId: string): string => `webhook-secret:${subscriptionId}`;
