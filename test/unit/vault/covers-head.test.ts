import { beforeAll, expect, it } from 'vitest';
import type { ChainHead, Seal } from '../../../domain/vault/chain.ts';
import { coversHead, sealCheckpoint, type Checkpoint } from '../../../domain/vault/checkpoint.ts';
import { publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { importVerificationKey, type KeyLookup } from '../../../domain/vault/open-entry.ts';
import { BASE, webCryptoSigner } from '../../support/attackers/make-export.ts';

const AT = '2026-01-02T03:04:05.678Z';
const HUB = '0190f2f0-0000-7000-8000-000000000001';
const HEAD: ChainHead = {
  chainKey: '0190f2f0-0000-7000-8000-000000000002',
  position: 7,
  hash: new Uint8Array(32).fill(7),
  at: AT,
};

let genuine: Checkpoint;
let keys: KeyLookup;
let strangers: Checkpoint;

const sealed = async (): Promise<{ checkpoint: Checkpoint; keys: KeyLookup }> => {
  const signer = await webCryptoSigner('Ed25519');
  const key = await importVerificationKey(publicKeyFromSpki(signer.publicKey));
  const seal: Seal = { hubId: HUB, signer, canonicalization: 'jcs', keyActivatedAt: AT };
  const place = { id: HUB, logIndex: 3, at: AT };
  return {
    checkpoint: await sealCheckpoint(seal, BASE, HEAD, place),
    keys: (keyId) => (keyId === signer.keyId ? key : undefined),
  };
};

beforeAll(async () => {
  const own = await sealed();
  genuine = own.checkpoint;
  keys = own.keys;
  strangers = (await sealed()).checkpoint;
});

it('a checkpoint covers the head that it was made of', async () => {
  expect(await coversHead(genuine, HEAD, keys)).toBe(true);
});

it.each<[string, ChainHead]>([
  ['at another position', { ...HEAD, position: 8 }],
  ['with another hash', { ...HEAD, hash: new Uint8Array(32).fill(8) }],
  ['of another chain', { ...HEAD, chainKey: '0190f2f0-0000-7000-8000-000000000003' }],
])('not a head %s, whatever its row says', async (_what, head) => {
  expect(await coversHead(genuine, head, keys)).toBe(false);
  const row = { ...genuine, position: head.position, headHash: head.hash, chainKey: head.chainKey };
  expect(await coversHead(row, head, keys)).toBe(false);
});

it.each<[string, () => Checkpoint]>([
  ['of another log index', () => ({ ...genuine, logIndex: 4 })],
  ['of another time', () => ({ ...genuine, createdAt: '2026-01-02T03:04:06.678Z' })],
  ['of another kind', () => ({ ...genuine, chainKind: 'schema' })],
  [
    'said to be signed by another key',
    () => ({ ...genuine, signingKeyId: strangers.signingKeyId }),
  ],
  ['signed by a key that is not of this hub', () => strangers],
  [
    'with a byte of its signature changed',
    () => ({
      ...genuine,
      coseSign1: genuine.coseSign1.map((byte, at, all) =>
        at === all.length - 1 ? byte ^ 1 : byte,
      ),
    }),
  ],
  ['that cannot be read', () => ({ ...genuine, coseSign1: new Uint8Array([1, 2, 3]) })],
])('not where a row is %s', async (_what, row) => {
  expect(await coversHead(row(), HEAD, keys)).toBe(false);
});
