import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256, toHex } from '../../../domain/kernel/digest.ts';
import { cosignatureBytes } from '../../../domain/transparency/cosignature.ts';
import { sealOrgRead, type OrgRead } from '../../../domain/transparency/org-read.ts';
import {
  sealOrgReadsCheckpoint,
  type OrgReadsCheckpoint,
} from '../../../domain/transparency/org-reads-checkpoint.ts';
import { growingOrgReads, orgReadsRoot } from '../../../domain/transparency/org-reads-tree.ts';
import type { Seal } from '../../../domain/vault/chain.ts';
import { publicKeyFromSpki } from '../../../domain/vault/cose-key.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { SignatureChecks, VerifyingKeys } from '../../../domain/vault/signatures.ts';
import type { RingKey } from '../../../domain/verification/keys/key-ring.ts';
import type {
  OrgReadRow,
  OrgReadsCheckpointRow,
} from '../../../domain/verification/log/org-reads-rows.ts';
import { Findings, NO_SUBJECT } from '../../../domain/verification/report/report.ts';
import { OrgReadsCheck } from '../../../domain/verification/log/verify-org-reads.ts';
import { webCryptoSigner } from '../../support/attackers/make-export.ts';

const ORG = '019c1f00-0000-7000-8000-000000000001';
const OTHER = '019c1f00-0000-7000-8000-000000000002';
const HUB = '019c1f00-0000-7000-8000-000000000003';
const WITNESS = '019c1f00-0000-7000-8000-000000000004';
const BASE = 'https://service.invalid';
const T = (second: number): string => new Date(Date.UTC(2026, 0, 31, 12, 0, second)).toISOString();
const ROTATED = T(100);

const rowOf = (read: OrgRead): OrgReadRow => ({ ...read, leafHash: toHex(read.leafHash) });
const checkpointRow = ({ id: _, ...one }: OrgReadsCheckpoint): OrgReadsCheckpointRow => ({
  ...one,
  rootHash: toHex(one.rootHash),
});

describe('the verifier of a log of reads', () => {
  let old: Signer;
  let active: Signer;
  let stranger: Signer;
  let leaves: readonly OrgReadRow[];
  let checkpoints: readonly OrgReadsCheckpointRow[];
  const witness = generateKeyPairSync('ed25519');

  const sealOf = (signer: Signer): Seal => ({
    hubId: HUB,
    signer,
    canonicalization: 'jcs',
    keyActivatedAt: signer === active ? ROTATED : T(0),
  });

  const leaf = async (
    signer: Signer,
    before: OrgReadRow | null,
    at: number,
    orgId = ORG,
  ): Promise<OrgReadRow> =>
    rowOf(
      await sealOrgRead(
        sealOf(signer),
        BASE,
        orgId,
        before && { ...before, leafHash: Buffer.from(before.leafHash, 'hex') },
        {
          actor: { kind: 'system' },
          requestId: 'r',
          operation: 'getRecord',
          inputDigest: '0'.repeat(64),
          protocol: 'rest',
        },
        new Date(T(at)),
      ),
    );

  const checkpoint = async (
    signer: Signer,
    of: readonly OrgReadRow[],
    at: number,
  ): Promise<OrgReadsCheckpointRow> => {
    const tree = growingOrgReads(0, []);
    for (const { coseSign1 } of of) tree.append(sha256(coseSign1));
    return checkpointRow(
      await sealOrgReadsCheckpoint(
        sealOf(signer),
        BASE,
        ORG,
        {
          size: tree.size,
          root: orgReadsRoot(tree.size, tree.peakHashes),
          newest: sha256(of.at(-1)!.coseSign1),
        },
        { id: OTHER, at: T(at) },
      ),
    );
  };

  const ringKey = (signer: Signer, activatedAt: string, retiredAt: string | null): RingKey => {
    const verifying = new VerifyingKeys().of(publicKeyFromSpki(signer.publicKey));
    return {
      keyId: signer.keyId,
      alg: signer.algorithm === 'ES256' ? -7 : -8,
      verifying,
      activatedAt,
      retiredAt,
      retirement: null,
      reached: true,
      retiredSinceAt: null,
    };
  };

  const verify = async (
    rows: readonly OrgReadRow[],
    of: readonly OrgReadsCheckpointRow[],
  ): Promise<readonly string[]> => {
    const findings = new Findings();
    const signatures = new SignatureChecks();
    const ring = new Map([
      [old.keyId, ringKey(old, T(0), ROTATED)],
      [active.keyId, ringKey(active, ROTATED, null)],
    ]);
    const witnesses = new Map([
      [WITNESS, publicKeyFromSpki(witness.publicKey.export({ type: 'spki', format: 'der' }))],
    ]);
    const hub = { hubId: HUB, predicateBase: BASE };
    const byActive = of.filter(({ signingKeyId }) => signingKeyId === active.keyId);
    const cover = Math.max(0, ...byActive.map(({ treeSize }) => treeSize));
    const check = new OrgReadsCheck(ORG, cover, {
      ring,
      signatures,
      findings,
      hub,
      witnesses,
      sealed: new Map(),
    });
    const ofSize = (is: (size: number) => boolean): void => {
      const sizes = new Set(of.map(({ treeSize }) => treeSize).filter(is));
      for (const size of sizes) check.checkpoints(of.filter(({ treeSize }) => treeSize === size));
    };
    for (const row of rows) {
      check.leaf(row);
      ofSize((size) => size === check.size);
    }
    ofSize((size) => size > check.size);
    check.end();
    await signatures.settled();
    const { failures } = findings.report(NO_SUBJECT, 'out_of_band');
    return [...new Set(failures.map((failure) => failure.class))];
  };

  beforeAll(async () => {
    old = await webCryptoSigner('Ed25519');
    active = await webCryptoSigner('ES256');
    stranger = await webCryptoSigner('Ed25519');
    const log: OrgReadRow[] = [];
    for (let at = 1; at <= 5; at++) log.push(await leaf(old, log.at(-1) ?? null, at));
    const byOld = await checkpoint(old, log, 99);
    const byNew = await checkpoint(active, log, 101);
    for (let at = 110; at < 115; at++) log.push(await leaf(active, log.at(-1)!, at));
    leaves = log;
    checkpoints = [byOld, byNew, await checkpoint(active, log.slice(0, 9), 120)];
  });

  const changed = (at: number, row: Partial<OrgReadRow>): readonly OrgReadRow[] =>
    leaves.with(at, { ...leaves[at]!, ...row });
  const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
    bytes.map((byte, place) => (place === (at + bytes.length) % bytes.length ? byte ^ 1 : byte));

  it('finds a genuine log valid, across a rotation', async () => {
    expect(await verify(leaves, checkpoints)).toEqual([]);
    expect(await verify([], [])).toEqual([]);
  });

  it('TENANT_READ_POSITION_GAP: a leaf is missing, doubled or out of order', async () => {
    const last = leaves.at(-1)!;
    for (const rows of [
      leaves.toSpliced(3, 1),
      leaves.toSpliced(0, 1),
      [...leaves, last],
      leaves.with(2, leaves[3]!).with(3, leaves[2]!),
    ])
      expect(await verify(rows, checkpoints)).toEqual(['TENANT_READ_POSITION_GAP']);
  });

  it('the pairing of an odd node with itself hides no doubled last leaf', async () => {
    const odd = leaves.slice(0, 5);
    expect(await verify([...odd, odd[4]!], checkpoints.slice(0, 2))).toEqual([
      'TENANT_READ_POSITION_GAP',
    ]);
  });

  it('TENANT_READ_LINK_BROKEN: a leaf follows another one than the one before, and nothing else', async () => {
    const elsewhere = await leaf(active, { ...leaves[8]!, leafHash: '1'.repeat(64) }, 115);
    expect(await verify([...leaves.slice(0, 9), elsewhere], checkpoints)).toEqual([
      'TENANT_READ_LINK_BROKEN',
    ]);
  });

  it('TENANT_READ_SIGNATURE_INVALID: the signature of a leaf, or a key that vouches for nothing', async () => {
    const end = leaves.at(-1)!;
    const forged = flipped(end.coseSign1, -1);
    expect(
      await verify(changed(9, { coseSign1: forged, leafHash: toHex(sha256(forged)) }), checkpoints),
    ).toEqual(['TENANT_READ_SIGNATURE_INVALID']);
    expect(
      await verify(leaves.with(9, await leaf(stranger, leaves[8]!, 115)), checkpoints),
    ).toEqual(['TENANT_READ_SIGNATURE_INVALID']);
  });

  it('TENANT_READ_SIGNATURE_INVALID: a leaked retired key dates a leaf back, and no later key covers it', async () => {
    const short = leaves.slice(0, 4);
    const back = await leaf(old, short[3]!, 6);
    const later = await checkpoint(active, short, 101);
    expect(await verify(short, [later])).toEqual([]);
    expect(await verify([...short, back], [later])).toEqual(['TENANT_READ_SIGNATURE_INVALID']);
  });

  it('TENANT_READ_PAYLOAD_BINDING_MISMATCH: a row that says otherwise, or a read of another org', async () => {
    const class_ = ['TENANT_READ_PAYLOAD_BINDING_MISMATCH'];
    expect(await verify(changed(4, { createdAt: T(50) }), checkpoints)).toEqual(class_);
    expect(await verify(changed(4, { leafHash: '1'.repeat(64) }), checkpoints)).toEqual(class_);
    expect(await verify(changed(4, { orgId: OTHER }), checkpoints)).toEqual(class_);
    const foreign = await leaf(active, leaves[8]!, 115, OTHER);
    expect(await verify(leaves.with(9, { ...foreign, orgId: ORG }), checkpoints)).toEqual(class_);
    const spliced = checkpoints[2]!.coseSign1;
    expect(
      await verify(
        changed(9, { coseSign1: spliced, leafHash: toHex(sha256(spliced)) }),
        checkpoints,
      ),
    ).toEqual(expect.arrayContaining(class_));
  });

  it('TENANT_CHECKPOINT_SIGNATURE_INVALID: its bytes, or a retired key whose checkpoint no later one covers', async () => {
    const class_ = ['TENANT_CHECKPOINT_SIGNATURE_INVALID'];
    const forged = { ...checkpoints[2]!, coseSign1: flipped(checkpoints[2]!.coseSign1, -1) };
    expect(await verify(leaves, checkpoints.with(2, forged))).toEqual(class_);
    const back = await checkpoint(old, leaves, 99);
    expect(await verify(leaves, [...checkpoints, back])).toEqual(expect.arrayContaining(class_));
  });

  it('TENANT_CHECKPOINT_SIZE_MISMATCH: fewer leaves than a checkpoint saw, or another size beside it', async () => {
    const class_ = ['TENANT_CHECKPOINT_SIZE_MISMATCH'];
    expect(await verify(leaves.slice(0, 7), checkpoints)).toEqual(class_);
    expect(await verify(leaves, checkpoints.with(2, { ...checkpoints[2]!, treeSize: 8 }))).toEqual(
      class_,
    );
  });

  it('TENANT_CHECKPOINT_ROOT_MISMATCH: other leaves than a checkpoint saw', async () => {
    const class_ = ['TENANT_CHECKPOINT_ROOT_MISMATCH'];
    const rewritten = [...leaves.slice(0, 8)];
    rewritten.push(await leaf(active, leaves[7]!, 119));
    expect(await verify(rewritten, checkpoints)).toEqual(class_);
    expect(
      await verify(leaves, checkpoints.with(2, { ...checkpoints[2]!, rootHash: '1'.repeat(64) })),
    ).toEqual(class_);
  });

  it('TENANT_CHECKPOINT_FORK: two signed heads of one size', async () => {
    const other = [...leaves.slice(0, 8), await leaf(active, leaves[7]!, 119)];
    const fork = await checkpoint(active, other, 121);
    expect(await verify(leaves, [...checkpoints, fork])).toEqual(['TENANT_CHECKPOINT_FORK']);
  });

  it('TENANT_CHECKPOINT_COSIGNATURE_INVALID: a witness that signed something else, or that nobody named', async () => {
    const class_ = ['TENANT_CHECKPOINT_COSIGNATURE_INVALID'];
    const last = checkpoints[2]!;
    const by = (over: Uint8Array, witnessKeyId = WITNESS): readonly OrgReadsCheckpointRow[] =>
      checkpoints.with(2, {
        ...last,
        witnessKeyId,
        witnessSignature: sign(null, over, witness.privateKey),
      });
    const right = cosignatureBytes(last.coseSign1);
    expect(await verify(leaves, by(right))).toEqual([]);
    expect(await verify(leaves, by(cosignatureBytes(checkpoints[1]!.coseSign1)))).toEqual(class_);
    expect(await verify(leaves, by(right, OTHER))).toEqual(class_);
  });

  it('CHAIN_SIGNING_KEY_DRIFT: a row names another key', async () => {
    expect(await verify(changed(9, { signingKeyId: old.keyId }), checkpoints)).toEqual([
      'CHAIN_SIGNING_KEY_DRIFT',
    ]);
  });
});
