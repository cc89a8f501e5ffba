import { beforeAll, describe, expect, it } from 'vitest';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import { encodeCbor } from '../../../domain/kernel/deterministic-cbor.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import type { ChainEntry } from '../../../domain/vault/chain.ts';
import { coseKeyOf, publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import { followSuccession, type KeySuccession } from '../../../domain/vault/key-succession.ts';
import { keyActivatedMembers, possessionBytes } from '../../../domain/vault/key-statement.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import type { Canonicalization } from '../../../domain/vault/statement.ts';
import {
  platformEntry,
  sealRotation,
  type RotationOptions,
} from '../../support/service/key-rotation.ts';
import { es256Twin, webCryptoSigner } from '../../support/attackers/make-export.ts';

const HUB = '0190a000-0000-7000-8000-000000000001';
const OTHER_HUB = '0190a000-0000-7000-8000-000000000009';
const BASE = 'https://service.invalid';
const ROTATED: readonly VaultAlgorithm[] = ['ES256', 'Ed25519', 'ES256'];

/** A platform chain in the making: only its key statements are kept, with other entries between them. */
class Story {
  readonly signers: Signer[] = [];
  readonly statements: ChainEntry[] = [];
  private clock = Date.parse('2026-11-20T10:00:00.000Z');
  private head: ChainEntry | null = null;

  constructor(private readonly canonicalization: Canonicalization = 'jcs') {}

  static async of(
    algorithms: readonly VaultAlgorithm[],
    canonicalization?: Canonicalization,
  ): Promise<Story> {
    const story = new Story(canonicalization);
    await story.begin(algorithms[0]!);
    for (const algorithm of algorithms.slice(1)) await story.rotate(algorithm);
    return story;
  }

  get signer(): Signer {
    return this.signers.at(-1)!;
  }

  get bytes(): Uint8Array[] {
    return this.statements.map(({ coseSign1 }) => coseSign1);
  }

  async begin(
    algorithm: VaultAlgorithm,
    { members = {}, signer }: { members?: JsonObject; signer?: Signer } = {},
  ): Promise<void> {
    const own = await webCryptoSigner(algorithm);
    this.signers.push(own);
    this.head = await platformEntry(this.place(), signer ?? own, null, 'KEY_ACTIVATED', {
      ...keyActivatedMembers(HUB, publicKeyFromSpki(own.publicKey)),
      ...members,
    });
    this.statements.push(this.head);
    await this.act();
  }

  async rotate(algorithm: VaultAlgorithm, options: RotationOptions & { next?: Signer } = {}) {
    const { next = await webCryptoSigner(algorithm), ...rest } = options;
    const { activated, retired } = await sealRotation(
      {
        ...this.place(),
        head: this.head!,
        lastStatement: this.statements.at(-1)!.hash,
      },
      this.signer,
      next,
      rest,
    );
    this.signers.push(next);
    this.statements.push(activated, retired);
    this.head = retired;
    await this.act();
  }

  /** An administrative act between two rotations. */
  private async act(): Promise<void> {
    const entry = await platformEntry(this.place(), this.signer, this.head, 'ORG_CREATED', {
      orgId: HUB,
    });
    this.head = entry;
  }

  private place() {
    const { canonicalization } = this;
    return {
      hubId: HUB,
      predicateBase: BASE,
      canonicalization,
      at: new Date((this.clock += 1000)).toISOString(),
    };
  }
}

const faultOf = async (statements: readonly Uint8Array[]): Promise<unknown> =>
  (await followSuccession(statements)).faults;
const violation = (detail: string | RegExp, position: unknown = expect.anything()): unknown => [
  {
    failureClass: 'CHAIN_KEY_POLICY_VIOLATION',
    position,
    detail: expect.stringMatching(detail),
  },
];

describe.each(['jcs', 'cde'] as const)('a succession of four keys, %s', (canonicalization) => {
  let story: Story;
  let succession: KeySuccession;
  beforeAll(async () => {
    story = await Story.of(['Ed25519', ...ROTATED], canonicalization);
    succession = await followSuccession(story.bytes);
  });

  it('says which keys the hub had, from when to when, and why they ended', () => {
    expect(succession.faults).toEqual([]);
    expect(succession.hub).toEqual({ hubId: HUB, predicateBase: BASE });
    const { statements } = story;
    expect(
      succession.keys.map(({ keyId, activatedAt, retiredAt, retirement }) => ({
        keyId,
        activatedAt,
        retiredAt,
        reason: retirement?.reason ?? null,
      })),
    ).toEqual(
      [0, 1, 3, 5].map((index, n) => ({
        keyId: story.signers[n]!.keyId,
        activatedAt: statements[index]!.at,
        retiredAt: n < 3 ? statements[2 * n + 2]!.at : null,
        reason: n < 3 ? 'scheduled' : null,
      })),
    );
    expect(succession.statements.map(({ chainPosition }) => chainPosition)).toEqual([
      1, 3, 4, 6, 7, 9, 10,
    ]);
  });

  it('every shorter list ends in a rotation that is whole, or is broken', async () => {
    for (let length = 0; length <= story.bytes.length; length++) {
      const { faults, keys } = await followSuccession(story.bytes.slice(0, length));
      if (length % 2 === 1)
        expect({ length, faults, keys: keys.length }).toEqual({
          length,
          faults: [],
          keys: (length + 1) / 2,
        });
      else
        expect(faults, String(length)).toEqual(
          violation(/no key statement|nothing retires/, length ? expect.anything() : null),
        );
    }
  });

  it('no statement but those at the end can be left out, doubled or moved', async () => {
    const { bytes } = story;
    for (let index = 0; index < bytes.length; index++) {
      const without = bytes.toSpliced(index, 1);
      const twice = bytes.toSpliced(index, 0, bytes[index]!);
      const swapped =
        index > 0 ? bytes.toSpliced(index - 1, 2, bytes[index]!, bytes[index - 1]!) : twice;
      for (const changed of [without, twice, swapped])
        expect(await faultOf(changed), String(index)).toEqual([
          expect.objectContaining({ failureClass: 'CHAIN_KEY_POLICY_VIOLATION' }),
        ]);
    }
    for (const rotation of [1, 3])
      expect(await faultOf(bytes.toSpliced(rotation, 2))).toEqual(violation('previousStatement'));
  });

  it('no single bit of any statement can be changed', async () => {
    const { bytes } = story;
    for (const [index, statement] of bytes.entries())
      for (let at = 0; at < statement.length; at += 7) {
        const changed = Uint8Array.from(statement);
        changed[at] = changed[at]! ^ (1 << (at % 8));
        const { faults, keys } = await followSuccession(bytes.with(index, changed));
        expect({ index, at, faults: faults.length }).toEqual({ index, at, faults: 1 });
        expect(keys.length).toBeLessThanOrEqual(Math.ceil((index + 1) / 2));
      }
  });
});

describe('a rotation that breaks a rule', () => {
  const broken = async (
    options: RotationOptions | ((story: Story) => Promise<RotationOptions & { next?: Signer }>),
    algorithm: VaultAlgorithm = 'Ed25519',
  ): Promise<unknown> => {
    const story = await Story.of(['Ed25519', 'ES256']);
    await story.rotate(algorithm, typeof options === 'function' ? await options(story) : options);
    return faultOf(story.bytes);
  };
  const stranger = (): Promise<Signer> => webCryptoSigner('Ed25519');
  const hash = toHex(new Uint8Array(32).fill(7));

  it('an activation by another key than the active one, be it a retired one', async () => {
    expect(await broken(async () => ({ activatedBy: await stranger() }))).toEqual(
      violation('signed by the key', 6),
    );
    expect(await broken(async ({ signers }) => ({ activatedBy: signers[0]! }))).toEqual(
      violation('signed by the key', 6),
    );
  });

  it('a retirement by the key that retires, or by a stranger', async () => {
    expect(await broken(async ({ signer }) => ({ retiredBy: signer }))).toEqual(
      violation('signed by the key', 7),
    );
    expect(await broken(async () => ({ retiredBy: await stranger() }))).toEqual(
      violation('signed by the key', 7),
    );
  });

  it('another key in the place of the one that the header names', async () => {
    expect(
      await broken(async ({ signer }) => ({
        activatedBy: { ...(await webCryptoSigner('ES256')), keyId: signer.keyId },
      })),
    ).toMatchObject([{ failureClass: 'CHAIN_SIGNATURE_INVALID', position: 6 }]);
    expect(
      await broken(async ({ signer }) => ({
        activatedBy: { ...(await stranger()), keyId: signer.keyId },
      })),
    ).toMatchObject([{ failureClass: 'CHAIN_ALG_MISMATCH', position: 6 }]);
  });

  it('previousStatement missing, or another hash', async () => {
    expect(await broken({ activated: { previousStatement: hash } })).toEqual(
      violation('previousStatement', 6),
    );
  });

  it('a key that was activated before, the active one or an older one', async () => {
    expect(await broken(async ({ signer }) => ({ next: signer }))).toEqual(violation('twice', 6));
    expect(await broken(async ({ signers }) => ({ next: signers[0]! }))).toEqual(
      violation('twice', 6),
    );
  });

  it('no possession, one of another key, and one for another hub, another old key or in the form without a hub', async () => {
    const next = await webCryptoSigner('ES256');
    const coseKey = encodeCbor(coseKeyOf(publicKeyFromSpki(next.publicKey)));
    const signed = async (signer: Signer, bytes: Uint8Array): Promise<string> =>
      encodeBase64(await signer.sign(bytes));
    const preimage = (hubId: string, old: string): Uint8Array =>
      possessionBytes(hubId, old, next.keyId, coseKey);
    expect(new TextDecoder().decode(preimage(HUB, 'old'))).toMatch(
      new RegExp(`^service\\.key-possession\\.v1\\n${HUB}\\nold\\n${next.keyId}\\n[0-9a-f]{64}$`),
    );
    const possessions: ((story: Story) => Promise<string>)[] = [
      async () => '',
      async () => encodeBase64(new Uint8Array(64)),
      async () => 'no base64',
      async ({ signer }) => signed(signer, preimage(HUB, signer.keyId)),
      async ({ signer }) => signed(next, preimage(OTHER_HUB, signer.keyId)),
      async ({ signers }) => signed(next, preimage(HUB, signers[0]!.keyId)),
      async ({ signer }) => encodeBase64(es256Twin(await next.sign(preimage(HUB, signer.keyId)))),
    ];
    for (const possession of possessions)
      expect(
        await broken(async (story) => ({
          next,
          activated: { possession: await possession(story) },
        })),
      ).toMatchObject([{ failureClass: 'CHAIN_SIGNATURE_INVALID', position: 6 }]);
  });

  it('a retirement of another key, or an entry between activation and retirement', async () => {
    expect(
      await broken(async ({ signers }) => ({ retired: { keyId: signers[0]!.keyId } })),
    ).toEqual(violation('follows another key', 7));
    expect(await broken({ between: true })).toEqual(violation('right after', 8));
  });

  it('a member missing, unknown or of another form', async () => {
    const changes: RotationOptions[] = [
      { activated: { extra: 1 } },
      { activated: { hubId: OTHER_HUB } },
      { activated: { previousStatement: 'AB' } },
      { retired: { reason: 'lost' } },
      { retired: { treeSize: -1 } },
      { retired: { treeRoot: '00' } },
      { retired: { uncovered: 'none' } },
      { retired: { extra: 1 } },
    ];
    for (const change of changes)
      expect(await broken(change), JSON.stringify(change)).toMatchObject([
        { failureClass: 'CHAIN_PAYLOAD_BINDING_MISMATCH' },
      ]);
  });

  it('a key whose id is not its own', async () => {
    expect(await broken({ activated: { keyId: 'a'.repeat(32) } })).toMatchObject([
      { failureClass: 'CHAIN_SIGNING_KEY_DRIFT', position: 6 },
    ]);
  });
});

describe('the first key', () => {
  it('signs its own statement, and has no predecessor', async () => {
    const other = new Story();
    await other.begin('Ed25519', { signer: await webCryptoSigner('Ed25519') });
    expect(await faultOf(other.bytes)).toMatchObject([
      { failureClass: 'CHAIN_SIGNATURE_MISSING_KEY', position: 1 },
    ]);
    const heir = new Story();
    await heir.begin('Ed25519', {
      members: { possession: 'AAAA', previousStatement: '0'.repeat(64) },
    });
    expect(await faultOf(heir.bytes)).toEqual(violation('no predecessor', 1));
  });

  it('stands at position 1: a later one begins nothing', async () => {
    const story = await Story.of(['Ed25519', 'Ed25519']);
    expect(await faultOf(story.bytes.slice(1))).toEqual(violation('position 1'));
  });
});
