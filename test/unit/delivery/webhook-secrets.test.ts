import { describe, expect, it } from 'vitest';
import { AesWebhookSecrets } from '../../../adapters/keys/aes-webhook-secrets.ts';

/** Contract of application/delivery/webhook-secrets.port.ts */
const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const ID = '019c1f00-0000-7000-8000-000000000001';

describe('secrets of webhooks', () => {
  it('are whsec_ and 43 base62 characters, and never the same', () => {
    const secrets = new AesWebhookSecrets([first]);
    const made = Array.from({ length: 200 }, () => secrets.make());
    expect(new Set(made).size).toBe(200);
    for (const one of made) expect(one).toMatch(/^whsec_[0-9A-Za-z]{43}$/);
  });

  it('are opened for their own subscription, under the newest key and older ones', () => {
    const old = new AesWebhookSecrets([first]);
    const both = new AesWebhookSecrets([second, first]);
    const sealed = old.seal('whsec_x', ID);
    expect(Buffer.from(sealed).includes('whsec_x')).toBe(false);
    expect(both.open(sealed, ID)).toBe('whsec_x');
    expect([old.isOld(sealed), both.isOld(sealed)]).toEqual([false, true]);
    expect(both.open(sealed, ID.replace('1', '2'))).toBeNull();
    expect(new AesWebhookSecrets([second]).open(sealed, ID)).toBeNull();
  });

  it('are not opened where a bit was changed', () => {
    const secrets = new AesWebhookSecrets([first]);
    const sealed = secrets.seal('whsec_x', ID);
    for (let at = 0; at < sealed.length; at++) {
      const edited = sealed.slice();
      edited[at]! ^= 1;
      expect(secrets.open(edited, ID)).toBeNull();
    }
    expect(secrets.open(new Uint8Array(0), ID)).toBeNull();
  });
});
