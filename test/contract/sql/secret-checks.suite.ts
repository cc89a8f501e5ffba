import { describe, expect, it } from 'vitest';
import { HkdfSecretMac } from '../../../adapters/keys/hkdf-secret-mac.ts';
import type { SecretCheck } from '../../../application/operations/secret-checks.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';

// Contract of application/operations/secret-checks.port.ts

const check = (generation: number, secret: SecretCheck['secret'] = 'SECRETS_KEY'): SecretCheck => ({
  secret,
  generation,
  salt: new Uint8Array(32).fill(generation),
  value: new Uint8Array(32).fill(generation + 100),
  createdAt: '2026-01-31T12:00:00.000Z',
});

export const secretChecksSuite = (kind: DatabaseKind): void => {
  describe('check values of secrets', () => {
    it('a database without tables, or without a start, is not in use and has none', async () => {
      for (const migrated of [false, true]) {
        const database = await kind.open({ migrated });
        expect(await database.adapter.secretChecks.isInUse()).toBe(false);
        expect(await database.adapter.secretChecks.load()).toEqual([]);
        await database.drop();
      }
    });

    it('keeps them in the order of their generations, all or none of a call', async () => {
      const database = await kind.open();
      const { secretChecks } = database.adapter;
      expect(await secretChecks.add([check(2), check(1)])).toBe(true);
      expect(await secretChecks.add([check(1, 'SIGNER_KEK'), check(2)])).toBe(false);
      expect(await secretChecks.load()).toEqual([check(1), check(2)]);
      expect(await secretChecks.isInUse()).toBe(true);
      await database.drop();
    });
  });
};

describe('the MAC of check values', () => {
  const mac = new HkdfSecretMac();
  const [secret, salt] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

  it('is the same for the same, and another for another name, secret or salt', () => {
    const value = mac.value('SECRETS_KEY', secret, salt);
    expect(mac.isSame(value, mac.value('SECRETS_KEY', secret, salt))).toBe(true);
    expect(mac.isSame(value, value.subarray(1))).toBe(false);
    const others = [
      mac.value('API_KEY_PEPPER', secret, salt),
      mac.value('SECRETS_KEY', salt, salt),
      mac.value('SECRETS_KEY', secret, secret),
    ];
    expect(new Set([value, ...others].map(hex)).size).toBe(4);
    expect(others.some((other) => mac.isSame(value, other))).toBe(false);
  });

  it('salts are of 32 bytes, and never the same', () => {
    expect(mac.salt()).toHaveLength(32);
    expect(hex(mac.salt())).not.toBe(hex(mac.salt()));
  });
});
