import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { fromHex, sha256, toHex } from '../../../domain/kernel/digest.ts';
import { cosignatureBytes } from '../../../domain/transparency/cosignature.ts';
import { sealOrgRead, type OrgRead } from '../../../domain/transparency/org-read.ts';
import { sealOrgReadsCheckpoint } from '../../../domain/transparency/org-reads-checkpoint.ts';
import { growingOrgReads, orgReadsRoot } from '../../../domain/transparency/org-reads-tree.ts';
import type { Seal } from '../../../domain/vault/chain.ts';
import {
  orgReadRow,
  orgReadsCheckpointRow,
} from '../../../domain/verification/dump/rows/dump-rows.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../../domain/verification/report/failure.ts';
import { rowsOf, sourceOf, type DumpTexts } from '../../support/attackers/dump-files.ts';
import {
  withBytes,
  withoutRow,
  withRow,
  withRows,
  withRowsSwapped,
  withRowTwice,
} from '../../support/attackers/dump-mutations.ts';
import { makeGenuineDump, type GenuineDump } from '../../support/attackers/genuine-dump.ts';

const LEAVES = 'org_admin_reads';
const CHECKPOINTS = 'org_admin_reads_checkpoints';

let genuine: GenuineDump;
/** Of the org with the longest log, with the place of its first leaf in the file. */
let log: JsonObject[];
let begin: number;
/** The checkpoints of that log, with the place of the first one in the file. */
let checkpoints: JsonObject[];
let firstCheckpoint: number;
let orgId: string;

beforeAll(async () => {
  genuine = await makeGenuineDump(2);
  const all = rowsOf(genuine.texts[LEAVES]);
  const logs = [...new Set(all.map((row) => String(row['org_id'])))].map((id) =>
    all.filter((row) => row['org_id'] === id),
  );
  expect(logs).toHaveLength(2);
  log = logs.toSorted((a, b) => b.length - a.length)[0]!;
  orgId = String(log[0]!['org_id']);
  begin = all.indexOf(log[0]!);
  const heads = rowsOf(genuine.texts[CHECKPOINTS]);
  checkpoints = heads.filter((row) => row['org_id'] === orgId);
  firstCheckpoint = heads.indexOf(checkpoints[0]!);
});

const classesIn = async (texts: DumpTexts): Promise<readonly FailureClass[]> => {
  const report = await verifyDump(sourceOf(texts), { trust: genuine.trust });
  return [...new Set(report.failures.map((failure) => failure.class))].sort();
};

/** Classes that a test of this file showed, each by a dump in which nothing else is wrong. */
const shown = new Set<FailureClass>();
const expectOnly = async (failureClass: FailureClass, texts: DumpTexts): Promise<void> => {
  expect(await classesIn(texts)).toEqual([failureClass]);
  shown.add(failureClass);
};

const bytesOf = (row: JsonObject): Uint8Array =>
  Uint8Array.from(Buffer.from(String(row['cose_sign1']), 'base64'));
const leafOf = (row: JsonObject): OrgRead => ({
  orgId: String(row['org_id']),
  leafIndex: Number(row['leaf_index']),
  signingKeyId: String(row['signing_key_id']),
  leafHash: fromHex(String(row['leaf_hash'])),
  coseSign1: bytesOf(row),
  createdAt: String(row['created_at']),
});
const flipped = (bytes: Uint8Array): Uint8Array =>
  bytes.with(bytes.length - 20, bytes[bytes.length - 20]! ^ 1);

/** A leaf that somebody signs who has a key of the hub. */
const signed = (seal: Seal, before: OrgRead, requestId = 'r'): Promise<OrgRead> =>
  sealOrgRead(
    seal,
    genuine.predicateBase,
    before.orgId,
    before,
    {
      actor: { kind: 'system' },
      requestId,
      operation: 'getRecord',
      inputDigest: '0'.repeat(64),
      protocol: 'rest',
    },
    new Date(before.createdAt),
  );
const appended = (...leaves: readonly OrgRead[]): DumpTexts =>
  withRows(genuine.texts, LEAVES, (rows) =>
    rows.toSpliced(begin + log.length, 0, ...leaves.map(orgReadRow)),
  );
/** A checkpoint over these leaves, which somebody signs who has a key of the hub. */
const checkpointOver = async (seal: Seal, leaves: readonly OrgRead[]): Promise<JsonObject> => {
  const tree = growingOrgReads(0, []);
  for (const { coseSign1 } of leaves) tree.append(sha256(coseSign1));
  const { createdAt, coseSign1 } = leaves.at(-1)!;
  return orgReadsCheckpointRow({
    ...(await sealOrgReadsCheckpoint(
      seal,
      genuine.predicateBase,
      orgId,
      {
        size: tree.size,
        root: orgReadsRoot(tree.size, tree.peakHashes),
        newest: sha256(coseSign1),
      },
      {
        id: '0190a000-0000-7000-8000-000000000001',
        at: createdAt > seal.keyActivatedAt ? createdAt : seal.keyActivatedAt,
      },
    )),
    cosignature: null,
  });
};
const withCheckpoint = (texts: DumpTexts, row: JsonObject): DumpTexts =>
  withRows(texts, CHECKPOINTS, (rows) =>
    [...rows, row].toSorted(
      (a, b) =>
        String(a['org_id']).localeCompare(String(b['org_id'])) ||
        Number(a['tree_size']) - Number(b['tree_size']) ||
        (String(a['signing_key_id']) < String(b['signing_key_id']) ? -1 : 1),
    ),
  );
const changedCheckpoint = (at: number, change: (row: JsonObject) => JsonObject): DumpTexts =>
  withRow(genuine.texts, CHECKPOINTS, firstCheckpoint + at, change);

describe('the verifier on a dump whose logs of reads somebody changed', () => {
  it('finds the genuine one valid, with leaves by three keys, each covered by the active one', async () => {
    expect(await classesIn(genuine.texts)).toEqual([]);
    expect(new Set(log.map((row) => row['signing_key_id'])).size).toBe(3);
    const [, , active] = genuine.seals;
    expect(checkpoints.at(-1)).toMatchObject({
      signing_key_id: active.signer.keyId,
      tree_size: log.length,
    });
    expect(checkpoints.some((row) => 'witness_signature' in row)).toBe(true);
  });

  it('misses every leaf, and sees each that stands twice or elsewhere', async () => {
    for (const at of log.keys()) {
      await expectOnly(
        at === log.length - 1 ? 'TENANT_CHECKPOINT_SIZE_MISMATCH' : 'TENANT_READ_POSITION_GAP',
        withoutRow(genuine.texts, LEAVES, begin + at),
      );
      await expectOnly('TENANT_READ_POSITION_GAP', withRowTwice(genuine.texts, LEAVES, begin + at));
      if (at > 0)
        await expectOnly(
          'TENANT_READ_POSITION_GAP',
          withRowsSwapped(genuine.texts, LEAVES, begin + at - 1, begin + at),
        );
    }
  });

  it('the last leaf doubled under the next index is no read: the odd node of the tree hides nothing', async () => {
    const last = log.at(-1)!;
    const doubled = { ...last, leaf_index: log.length };
    expect(
      await classesIn(
        withRows(genuine.texts, LEAVES, (rows) => rows.toSpliced(begin + log.length, 0, doubled)),
      ),
    ).toEqual(['TENANT_READ_LINK_BROKEN', 'TENANT_READ_PAYLOAD_BINDING_MISMATCH']);
  });

  it('sees a leaf that says another one stood before it', async () => {
    const [, , active] = genuine.seals;
    const last = leafOf(log.at(-1)!);
    const elsewhere = { ...last, leafHash: leafOf(log[0]!).leafHash };
    await expectOnly('TENANT_READ_LINK_BROKEN', appended(await signed(active, elsewhere)));
  });

  it('sees a row that says something else than its bytes', async () => {
    const changes: readonly JsonObject[] = [
      { leaf_hash: '1'.repeat(64) },
      { created_at: '2020-01-01T00:00:00.000Z' },
    ];
    for (const change of changes)
      await expectOnly(
        'TENANT_READ_PAYLOAD_BINDING_MISMATCH',
        withRow(genuine.texts, LEAVES, begin, (row) => ({ ...row, ...change })),
      );
  });

  it('takes no entry and no checkpoint for a read, and no read for an entry or a checkpoint', async () => {
    const entry = rowsOf(genuine.texts.audit_vault).findIndex(
      (row) => row['record_id'] !== null && row['chain_position'] === 2,
    );
    const asEntry = withRow(genuine.texts, 'audit_vault', entry, (row) => ({
      ...row,
      cose_sign1: log[2]!['cose_sign1']!,
      hash: log[2]!['leaf_hash']!,
    }));
    expect(await classesIn(asEntry)).toContain('CHAIN_COSE_HEADER_MISMATCH');
    for (const other of [checkpoints[0]!, rowsOf(genuine.texts.audit_vault)[entry]!]) {
      const asLeaf = withRow(genuine.texts, LEAVES, begin + 2, (row) => ({
        ...row,
        cose_sign1: other['cose_sign1']!,
        leaf_hash: toHex(sha256(bytesOf(other))),
      }));
      expect(await classesIn(asLeaf)).toContain('TENANT_READ_PAYLOAD_BINDING_MISMATCH');
    }
    const asCheckpoint = changedCheckpoint(0, (row) => ({
      ...row,
      cose_sign1: log[2]!['cose_sign1']!,
    }));
    expect(await classesIn(asCheckpoint)).toContain('TENANT_CHECKPOINT_SIGNATURE_INVALID');
    const asLogLeaf = withRow(genuine.texts, 'vault_checkpoints', 1, (row) => ({
      ...row,
      cose_sign1: checkpoints[0]!['cose_sign1']!,
    }));
    expect(await classesIn(asLogLeaf)).not.toEqual([]);
  });

  it('sees a signature that is not one', async () => {
    const cut = withRow(genuine.texts, LEAVES, begin + 3, (row) => withBytes(row, flipped));
    expect(await classesIn(cut)).toEqual(expect.arrayContaining(['TENANT_READ_SIGNATURE_INVALID']));
    const next = await signed(genuine.seals[2], leafOf(log.at(-1)!));
    const coseSign1 = flipped(next.coseSign1);
    await expectOnly(
      'TENANT_READ_SIGNATURE_INVALID',
      appended({ ...next, coseSign1, leafHash: sha256(coseSign1) }),
    );
    await expectOnly(
      'TENANT_CHECKPOINT_SIGNATURE_INVALID',
      changedCheckpoint(0, (row) => withBytes(row, flipped)),
    );
  });

  it('finds a leaf and a checkpoint that a leaked retired key dates back: no later key covers them', async () => {
    const [, middle] = genuine.seals;
    const last = leafOf(log.findLast((row) => row['signing_key_id'] === middle.signer.keyId)!);
    // Within the window of the leaked key: the log is shown as it was at its retirement, and one more.
    const short = log.slice(0, last.leafIndex + 1).map(leafOf);
    const covered = { ...genuine.texts };
    const cut = [LEAVES, CHECKPOINTS].reduce<DumpTexts>(
      (texts, file) =>
        withRows(texts, file as typeof LEAVES, (rows) =>
          rows.filter(
            (row) =>
              row['org_id'] !== orgId ||
              Number(row['leaf_index'] ?? Number(row['tree_size']) - 1) <= last.leafIndex,
          ),
        ),
      covered,
    );
    // The platform chain says how long the log was.
    expect(await classesIn(cut)).toEqual(['TENANT_CHECKPOINT_SIZE_MISMATCH']);
    const forged = await signed(middle, last);
    const withForged = withRows(cut, LEAVES, (rows) =>
      rows.toSpliced(begin + short.length, 0, orgReadRow(forged)),
    );
    expect(await classesIn(withForged)).toEqual([
      'TENANT_CHECKPOINT_SIZE_MISMATCH',
      'TENANT_READ_SIGNATURE_INVALID',
    ]);
    const uncovered = await checkpointOver(middle, [...short, forged]);
    expect(await classesIn(withCheckpoint(withForged, uncovered))).toEqual([
      'TENANT_CHECKPOINT_SIGNATURE_INVALID',
      'TENANT_CHECKPOINT_SIZE_MISMATCH',
      'TENANT_READ_SIGNATURE_INVALID',
    ]);
  });

  it('finds a leaf that a leaked retired key puts in the place of a covered one', async () => {
    const [, middle] = genuine.seals;
    const at = log.findLastIndex((row) => row['signing_key_id'] === middle.signer.keyId);
    const forged = await signed(middle, leafOf(log[at - 1]!));
    const texts = withRow(genuine.texts, LEAVES, begin + at, () => orgReadRow(forged));
    expect(await classesIn(texts)).toEqual([
      'TENANT_CHECKPOINT_ROOT_MISMATCH',
      'TENANT_READ_LINK_BROKEN',
    ]);
  });

  it('compares a checkpoint with the reads that it saw', async () => {
    await expectOnly(
      'TENANT_CHECKPOINT_ROOT_MISMATCH',
      changedCheckpoint(1, (row) => ({ ...row, root_hash: '1'.repeat(64) })),
    );
    const [, , active] = genuine.seals;
    const last = leafOf(log.at(-1)!);
    // A lying operator: a head over one more read than there is, and one over another read.
    const [one, other] = [await signed(active, last), await signed(active, last, 'other')];
    const leaves = log.map(leafOf);
    await expectOnly(
      'TENANT_CHECKPOINT_SIZE_MISMATCH',
      withCheckpoint(genuine.texts, await checkpointOver(active, [...leaves, one])),
    );
    expect(toHex(one.leafHash)).not.toBe(toHex(other.leafHash));
    await expectOnly(
      'TENANT_CHECKPOINT_ROOT_MISMATCH',
      withCheckpoint(appended(one), await checkpointOver(active, [...leaves, other])),
    );
  });

  it('shows two heads of one log that fork', async () => {
    const [, middle, active] = genuine.seals;
    // A size that the active key has signed no head of: the operator signs another one now.
    const sizesBy = (seal: Seal): readonly number[] =>
      checkpoints
        .filter((row) => row['signing_key_id'] === seal.signer.keyId)
        .map((row) => Number(row['tree_size']));
    const size = sizesBy(middle).find((one) => one > 1 && !sizesBy(active).includes(one))!;
    const leaves = log.slice(0, size).map(leafOf);
    const other = await signed(middle, leaves.at(-2)!, 'other');
    const fork = await checkpointOver(active, [...leaves.slice(0, -1), other]);
    await expectOnly('TENANT_CHECKPOINT_FORK', withCheckpoint(genuine.texts, fork));
  });

  it('sees the signature of a witness that is forged, moved or cut', async () => {
    const at = checkpoints.findIndex((row) => 'witness_signature' in row);
    const invalid = 'TENANT_CHECKPOINT_COSIGNATURE_INVALID';
    const { privateKey } = generateKeyPairSync('ed25519');
    const forged = sign(null, cosignatureBytes(bytesOf(checkpoints[at]!)), privateKey);
    const changes: readonly ((row: JsonObject) => JsonObject)[] = [
      (row) => ({ ...row, witness_signature: forged.toString('base64') }),
      (row) => ({ ...row, witness_key_id: orgId }),
      ({ witness_signature: _, ...row }) => row,
      ({ witness_key_id: _, ...row }) => row,
    ];
    for (const change of changes) await expectOnly(invalid, changedCheckpoint(at, change));
    const { witness_key_id, witness_signature, ...bare } = checkpoints[at]!;
    const { created_at, ...target } = checkpoints[0]!;
    const moved = withRow(
      changedCheckpoint(at, () => bare),
      CHECKPOINTS,
      firstCheckpoint,
      () => ({
        ...target,
        witness_key_id: witness_key_id!,
        witness_signature: witness_signature!,
        created_at: created_at!,
      }),
    );
    await expectOnly(invalid, moved);
  });

  it('sees checkpoints and logs that stand twice or elsewhere', async () => {
    await expectOnly(
      'TENANT_CHECKPOINT_SIZE_MISMATCH',
      withRowTwice(genuine.texts, CHECKPOINTS, firstCheckpoint),
    );
    await expectOnly(
      'TENANT_CHECKPOINT_SIZE_MISMATCH',
      withRowsSwapped(genuine.texts, CHECKPOINTS, firstCheckpoint, firstCheckpoint + 1),
    );
    const turned = withRows(genuine.texts, LEAVES, (rows) => [
      ...rows.filter((row) => row['org_id'] === rows.at(-1)!['org_id']),
      ...rows.filter((row) => row['org_id'] !== rows.at(-1)!['org_id']),
    ]);
    expect(await classesIn(turned)).toContain('TENANT_READ_POSITION_GAP');
  });

  it('cannot tell what stands beyond the newest checkpoint, and says so', async () => {
    const texts = withRows(genuine.texts, CHECKPOINTS, (rows) =>
      rows.filter((row) => row['org_id'] !== orgId || row['tree_size'] !== log.length),
    );
    const report = await verifyDump(sourceOf(texts), { trust: genuine.trust });
    expect(report).toMatchObject({ exitCode: 2, failures: [] });
    expect(report.reasons.join()).toMatch(/read(s are| is) newer than the newest checkpoint/);
  });

  it('has shown every class of the log of reads, alone', () => {
    const classes = Object.keys(FAILURE_CLASSES).filter((name) => name.startsWith('TENANT_'));
    expect([...shown].sort()).toEqual(classes.sort());
  });
});

describe('a log of reads that is cut from a dump with all that is signed over it', () => {
  const cut = (kept: number): DumpTexts => {
    const isKept = (row: JsonObject, size: unknown): boolean =>
      row['org_id'] !== orgId || Number(size) <= kept;
    return withRows(
      withRows(genuine.texts, LEAVES, (rows) =>
        rows.filter((row) => isKept(row, Number(row['leaf_index']) + 1)),
      ),
      CHECKPOINTS,
      (rows) => rows.filter((row) => isKept(row, row['tree_size'])),
    );
  };

  it('is found, because the platform chain says how long it was', async () => {
    const sizes = checkpoints
      .map((row) => Number(row['tree_size']))
      .filter((size) => size < log.length);
    for (const kept of [0, ...new Set(sizes)])
      expect(await classesIn(cut(kept)), `${kept} of ${log.length}`).toContain(
        'TENANT_CHECKPOINT_SIZE_MISMATCH',
      );
  });

  it('is found with other leaves in the place of those that are cut', async () => {
    const forged = log.toSpliced(0, log.length, ...log.slice(0, -1));
    const [, , active] = genuine.seals;
    const last = await signed(active, leafOf(forged.at(-1)!), 'another');
    const leaves = [...forged, orgReadRow(last)];
    const texts = withRows(cut(log.length - 1), LEAVES, (rows) =>
      rows.toSpliced(begin + log.length - 1, 0, orgReadRow(last)),
    );
    const classes = await classesIn(
      withCheckpoint(texts, await checkpointOver(active, leaves.map(leafOf))),
    );
    expect(classes).toEqual(['TENANT_CHECKPOINT_ROOT_MISMATCH']);
  });
});
