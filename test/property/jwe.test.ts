import fc from 'fast-check';
import { errors, flattenedDecrypt, type FlattenedJWE } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { examineJwe, recipientsOf } from '../../domain/record/jwe.ts';
import { decryptionKey, encryptTo, type DecryptionKey } from '../support/vectors/jwe.ts';
import { mutantOf } from '../support/attackers/mutate.ts';
import type { Body } from '../support/service/world.ts';

const MEMBERS = ['protected', 'unprotected', 'iv', 'aad', 'ciphertext', 'tag', 'recipients'];
const PARAMETERS = ['alg', 'enc', 'kid', 'epk', 'apu', 'apv', 'typ', 'cty'];

let keys: DecryptionKey[];
let samples: JsonObject[];
beforeAll(async () => {
  keys = [await decryptionKey('X25519'), await decryptionKey('P-256')];
  samples = await Promise.all([
    encryptTo(keys, { a: 1 }, { aad: 'x' }),
    encryptTo(keys.slice(1), 'text', {
      enc: 'A128CBC-HS256',
      header: { cty: 'application/json', apu: 'QQ' },
    }),
  ]);
});

/** Another reading of the same clauses: what the JOSE library says of the form when it tries to decrypt. */
const formError = async ({ recipients, ...jwe }: Body): Promise<unknown> => {
  for (const recipient of recipients as Body[]) {
    for (const { privateKey } of keys) {
      try {
        await flattenedDecrypt({ ...jwe, ...recipient } as unknown as FlattenedJWE, privateKey);
      } catch (error) {
        if (error instanceof errors.JWEInvalid || error instanceof errors.JOSENotSupported)
          return error;
      }
    }
  }
  return null;
};

const namesIn = ({ recipients, unprotected, protected: protectedHeader }: Body): string[] =>
  [
    JSON.parse(Buffer.from(String(protectedHeader), 'base64url').toString('utf8')) as Body,
    unprotected ?? {},
    ...(recipients as Body[]).map(({ header }) => (header ?? {}) as Body),
  ].flatMap((header) => Object.keys(header as Body));

describe('a valid JWE with one thing about it changed', () => {
  it('is refused, or still has the form that RFC 7516 asks for and nothing in the clear that is not known', async () => {
    let accepted = 0;
    for (const sample of samples) {
      await fc.assert(
        fc.asyncProperty(mutantOf(sample), async (mutant) => {
          const { faults, recipients } = examineJwe(mutant);
          const named = recipientsOf(mutant);
          if (faults.length > 0) return;
          accepted++;
          expect(named).toEqual(recipients);
          expect(Object.keys(mutant).filter((name) => !MEMBERS.includes(name))).toEqual([]);
          expect(namesIn(mutant).filter((name) => !PARAMETERS.includes(name))).toEqual([]);
          expect(recipients.every((kid) => /^[A-Za-z0-9_-]{43}$/.test(kid))).toBe(true);
          expect(await formError(mutant)).toBeNull();
        }),
        { numRuns: 3000 },
      );
    }
    expect(accepted).toBeGreaterThan(0);
  });

  it('any JSON object at all is judged, never a fault of our own', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...MEMBERS, 'header', 'encrypted_key'), fc.jsonValue()),
        (value) => {
          expect(examineJwe(value as JsonObject).faults.length).toBeGreaterThan(0);
          expect(recipientsOf(value as JsonObject).every((kid) => typeof kid === 'string')).toBe(
            true,
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});
