import { beforeAll, describe, expect, it } from 'vitest';
import {
  followPeerSuccession,
  peerVaultKeysOf,
  PeerSuccessionError,
  statementsIn,
} from '../../../domain/federation/peer-succession.ts';
import { useApi } from '../../support/service/api.ts';
import { ok, type Body } from '../../support/service/world.ts';

const api = useApi();
let listed: Body;
let peer: { hubId: string; vaultRoot: string };

beforeAll(async () => {
  const { hubId, vaultRoot } = await ok(api.world.anonymous.get('/federation/v1/identity'));
  peer = { hubId: String(hubId), vaultRoot: String(vaultRoot) };
  for (const reason of ['scheduled', 'compromised'])
    await ok(api.world.platform.post('/v1/admin/vault/signing-keys/rotate', { reason }));
  listed = await ok(api.world.anonymous.get('/v1/verification-keys'));
});

const follow = (statements: readonly Uint8Array[], of = peer) =>
  followPeerSuccession(of, statements);

describe("the succession of a peer's vault keys, as a real hub lists it", () => {
  it('is followed from the root that was registered, to the windows and ends of each key', async () => {
    const keys = [...peerVaultKeysOf(await follow(statementsIn(listed))).values()];
    expect(keys.map(({ retirement }) => retirement)).toEqual(['scheduled', 'compromised', null]);
    expect(
      keys.map(({ keyId, activatedAt, retiredAt }) => ({ keyId, activatedAt, retiredAt })),
    ).toEqual(
      (listed['data'] as Body[])
        .map(({ keyId, activatedAt, retiredAt }) => ({ keyId, activatedAt, retiredAt }))
        .reverse(),
    );
  });

  it('is none of another root, of another hub, cut short, with a gap, or with a byte changed', async () => {
    const statements = statementsIn(listed);
    expect(statements).toHaveLength(5);
    const bad: readonly (readonly Uint8Array[])[] = [
      [],
      statements.slice(1),
      statements.slice(0, 2),
      statements.filter((_, at) => at !== 2),
      [...statements].reverse(),
      [...statements, statements[4]!],
      statements.map((bytes, at) => {
        const edited = Uint8Array.from(bytes);
        if (at === 3) edited[edited.length - 1]! ^= 1;
        return edited;
      }),
    ];
    for (const each of bad) await expect(follow(each)).rejects.toThrow(PeerSuccessionError);
    await expect(follow(statements, { ...peer, vaultRoot: '0'.repeat(64) })).rejects.toThrow(
      'root',
    );
    const other = { ...peer, hubId: '019c1f00-0000-7000-8000-000000000001' };
    await expect(follow(statements, other)).rejects.toThrow('another hub');
  });

  it('is read from no other answer', () => {
    for (const answer of [
      null,
      [],
      {},
      { keyStatements: {} },
      { keyStatements: [null] },
      { keyStatements: [{ coseSign1: 'a' }] },
      { keyStatements: Array.from({ length: 2_049 }, () => ({ coseSign1: '' })) },
    ])
      expect(() => statementsIn(answer as never)).toThrow(PeerSuccessionError);
  });
});
