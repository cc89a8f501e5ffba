import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRYPTO_PROVIDERS } from '../../adapters/signer/crypto-providers.ts';
import { OutsideSigner } from '../../adapters/signer/outside/outside-signer.ts';
import { Rehearsals } from '../../adapters/signer/outside/rehearsals.ts';
import { SignOutside } from '../../adapters/signer/outside/sign-outside.ts';
import { SoftwareKeys } from '../../adapters/signer/software-keys.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import type { UnitOfWork } from '../../application/ports/unit-of-work.port.ts';
import type { LockedSigning } from '../../application/sealing/locked-signing.port.ts';
import { encodeProtected, sigStructure, typOf } from '../../domain/vault/cose-sign1.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';

// Contract of application/sealing/locked-signing.port.ts

/** The bytes that an entry of this chain is signed over. */
const entryOf = (chainKey: string, position = 1): Uint8Array =>
  sigStructure(
    encodeProtected({
      alg: -8,
      contentType: 'application/vnd.in-toto+json',
      kid: 'k',
      iss: 'i',
      sub: chainKey,
      iat: 1,
      typ: typOf('chain-entry'),
      chain: { chainKey, position, previousHash: new Uint8Array(32) },
    }),
    new TextEncoder().encode(chainKey),
  );

describe('a signer that is away', () => {
  let database: TestDatabase;
  let remote: Signer;
  const rehearsals = new Rehearsals();
  const locked: LockedSigning = rehearsals;
  /** Units that hold a transaction, or may hold one, and how many there were at each signature. */
  let open = 0;
  let openAtSignatures: number[] = [];
  let delay = 0;
  let inner: UnitOfWork;

  beforeAll(async () => {
    database = await databases()[0]!.open();
    const keys = new SoftwareKeys(randomBytes(32), CRYPTO_PROVIDERS.runtime, new SystemClock());
    const { signer } = await keys.generate('Ed25519');
    remote = {
      ...{ keyId: signer.keyId, algorithm: signer.algorithm, publicKey: signer.publicKey },
      sign: async (bytes) => {
        openAtSignatures.push(open);
        await sleep(delay);
        return signer.sign(bytes);
      },
    };
    inner = {
      transaction: async (work) => {
        open++;
        try {
          return await database.adapter.unitOfWork.transaction(work);
        } finally {
          open--;
        }
      },
    };
  });
  afterAll(() => database.drop());

  const setUp = (limitMs = 1_500) => {
    openAtSignatures = [];
    return {
      units: new SignOutside(inner, rehearsals, new SystemClock(), limitMs),
      signer: new OutsideSigner(remote, rehearsals, limitMs),
    };
  };

  it('signs while no unit of work is open, and runs the unit again for each that rests on another', async () => {
    const { units, signer } = setUp();
    let runs = 0;
    const signatures = await units.transaction(async () => {
      runs++;
      const first = await signer.sign(entryOf('a'));
      return [
        first,
        ...(await Promise.all([1, 2, 3].map((n) => signer.sign(entryOf('a', n + 1))))),
      ];
    });
    expect(signatures).toHaveLength(4);
    expect(runs).toBe(3);
    expect(openAtSignatures).toEqual([0, 0, 0, 0]);
  });

  it('signs where it stands within the lock of a rotation, and outside of any unit', async () => {
    const { units, signer } = setUp();
    let runs = 0;
    await units.transaction(async () => {
      runs++;
      await locked.within(() => signer.sign(entryOf('a')));
    });
    expect([runs, openAtSignatures]).toEqual([1, [1]]);
    expect(await locked.within(() => signer.sign(entryOf('a')))).toHaveLength(64);
  });

  it('never lets a unit commit that swallowed the missing signature', async () => {
    const { units, signer } = setUp();
    const answers: string[] = [];
    const answer = await units.transaction(async () => {
      const found = await signer.sign(entryOf('b')).then(
        () => 'signed',
        () => 'swallowed',
      );
      answers.push(found);
      return found;
    });
    expect([answers, answer]).toEqual([['swallowed', 'signed'], 'signed']);
  });

  it('signs for two chains in either order without waiting for ever', async () => {
    delay = 20;
    const { units, signer } = setUp();
    const [x, y] = [randomUUID(), randomUUID()];
    const both = (first: string, second: string) =>
      units.transaction(async () => {
        await signer.sign(entryOf(first, 1));
        await signer.sign(entryOf(second, 2));
      });
    await Promise.all([both(x, y), both(y, x), both(x, y), both(y, x)]);
    delay = 0;
    expect(openAtSignatures.length).toBeGreaterThanOrEqual(4);
  });

  it('gives up after the limit, also while it waits for its turn, and goes on afterwards', async () => {
    delay = 400;
    const { units, signer } = setUp(150);
    const chain = randomUUID();
    const tries = [1, 2, 3].map((n) => units.transaction(() => signer.sign(entryOf(chain, n))));
    for (const { status, reason } of (await Promise.allSettled(tries)) as PromiseRejectedResult[])
      expect([status, reason.code]).toEqual(['rejected', 'SERVICE_UNAVAILABLE']);
    delay = 0;
    expect(await units.transaction(() => signer.sign(entryOf(chain, 4)))).toHaveLength(64);
  });
});
