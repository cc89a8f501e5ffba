import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { fromHex, sha256, toHex } from '../../../domain/kernel/digest.ts';
import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { sealEntry, signStatement, type ChainHead } from '../../../domain/vault/chain.ts';
import { sealCheckpoint } from '../../../domain/vault/checkpoint.ts';
import { decodeSign1 } from '../../../domain/vault/cose-sign1.ts';
import { readEntry } from '../../../domain/vault/open-entry.ts';
import type { Statement } from '../../../domain/vault/statement.ts';
import {
  auditVaultRow,
  checkpointRow,
  DUMP_FILES,
  type DumpFile,
} from '../../../domain/verification/dump/rows/dump-rows.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import type { FailureClass } from '../../../domain/verification/report/failure.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { rowsOf, sourceOf, type DumpTexts } from '../../support/attackers/dump-files.ts';
import {
  altered,
  undecoded,
  withByte,
  withBytes,
  withoutRow,
  withRow,
  withRows,
  withRowsSwapped,
  withRowTwice,
  type Mutation,
} from '../../support/attackers/dump-mutations.ts';
import { makeGenuineDump, type GenuineDump } from '../../support/attackers/genuine-dump.ts';
import { es256Twin } from '../../support/attackers/make-export.ts';
import { partOf } from '../../support/runner/part-of.ts';

let genuine: GenuineDump;
let entries: JsonObject[];
let leaves: JsonObject[];
/** The place of an entry in the file: in the middle of a record's chain of several entries. */
let middle: number;

const readGenuine = async (algorithm: VaultAlgorithm): Promise<void> => {
  genuine = await makeGenuineDump(12, algorithm);
  entries = rowsOf(genuine.texts.audit_vault);
  leaves = rowsOf(genuine.texts.vault_checkpoints);
  middle = entries.findIndex(
    (row, at) =>
      row['record_id'] !== null &&
      row['chain_position'] === 2 &&
      entries[at + 1]?.['chain_position'] === 3,
  );
};

const verify = (texts: Mutation['texts'], expectRoot?: string): Promise<VerificationReport> =>
  verifyDump(sourceOf(texts), { trust: genuine.trust, expectRoot: expectRoot ?? null });

/** The dump is INVALID, and one of these classes says why. */
const expectFound = async (
  name: string,
  texts: Mutation['texts'],
  ...classes: readonly FailureClass[]
): Promise<void> => {
  const report = await verify(texts);
  const found = new Set(report.failures.map((failure) => failure.class));
  expect(report.verdict, name).toBe('invalid');
  expect(
    classes.some((failureClass) => found.has(failureClass)),
    `${name}: ${[...found].join(', ')} instead of ${classes.join(' or ')}`,
  ).toBe(true);
};

/** A sample of so many places, from the first to the last. */
const sample = (length: number, count: number): readonly number[] =>
  length <= count
    ? Array.from({ length }, (_, at) => at)
    : Array.from({ length: count }, (_, at) => Math.floor((at * (length - 1)) / (count - 1)));

const isLastOfChain = (at: number): boolean =>
  entries[at + 1]?.['chain_key'] !== entries[at]!['chain_key'];

describe.each([
  // The algorithm changes nothing of what is missing, so less of it is tried again.
  { algorithm: 'Ed25519', share: 1, alg: 0x27, otherAlg: 0x32 },
  { algorithm: 'ES256', share: 1 / 5, alg: 0x26, otherAlg: 0x28 },
] as const)('the verifier on a dump by $algorithm that somebody changed', (vault) => {
  beforeAll(() => readGenuine(vault.algorithm));
  const some = (length: number, count: number): readonly number[] =>
    partOf(sample(length, count * vault.share));

  it('finds the genuine one valid, with nothing to say against it', async () => {
    expect(entries.length).toBeGreaterThan(100);
    expect(await verify(genuine.texts, genuine.root)).toMatchObject({
      verdict: 'valid',
      failures: [],
      reasons: [],
    });
    expect(middle).toBeGreaterThan(0);
  });

  it('misses every entry that is left out', async () => {
    for (const at of some(entries.length, 60)) {
      const { chain_key: chainKey, chain_position: position } = entries[at]!;
      await expectFound(
        `without entry ${position as number} of ${chainKey as string}`,
        withoutRow(genuine.texts, 'audit_vault', at),
        !isLastOfChain(at)
          ? 'CHAIN_POSITION_GAP'
          : position === 1
            ? 'CHECKPOINT_CHAIN_MISSING'
            : 'CHECKPOINT_HEAD_MISMATCH',
      );
    }
  });

  it('sees entries that stand twice, or in another order', async () => {
    for (const at of some(entries.length - 1, 25)) {
      await expectFound(
        `entry ${at} twice`,
        withRowTwice(genuine.texts, 'audit_vault', at),
        'CHAIN_POSITION_GAP',
      );
      await expectFound(
        `entries ${at} and ${at + 1} swapped`,
        withRowsSwapped(genuine.texts, 'audit_vault', at, at + 1),
        'CHAIN_POSITION_GAP',
      );
    }
  });

  it('misses every leaf of the log but the last, whose round then covers nothing', async () => {
    for (const at of some(leaves.length - 1, 40)) {
      await expectFound(
        `without leaf ${at}`,
        withoutRow(genuine.texts, 'vault_checkpoints', at),
        'CHECKPOINT_LOG_GAP',
      );
      await expectFound(
        `leaf ${at} twice`,
        withRowTwice(genuine.texts, 'vault_checkpoints', at),
        'CHECKPOINT_LOG_GAP',
      );
      await expectFound(
        `leaves ${at} and ${at + 1} swapped`,
        withRowsSwapped(genuine.texts, 'vault_checkpoints', at, at + 1),
        'CHECKPOINT_LOG_GAP',
      );
    }
    const last = await verify(withoutRow(genuine.texts, 'vault_checkpoints', leaves.length - 1));
    expect(last).toMatchObject({ exitCode: 2, failures: [] });
  });

  it.each([
    ['vault_signing_keys', 'CHAIN_SIGNATURE_MISSING_KEY', 'CHAIN_SIGNING_KEY_DRIFT'],
    ['vault_key_statements', 'CHAIN_KEY_POLICY_VIOLATION', 'CHAIN_KEY_POLICY_VIOLATION'],
  ] as const)(
    'misses every row of %s, and sees those twice or swapped',
    async (file, gone, twice) => {
      const { length } = rowsOf(genuine.texts[file]);
      for (let at = 0; at < length; at++) {
        await expectFound(`${file} without ${at}`, withoutRow(genuine.texts, file, at), gone);
        await expectFound(`${file} ${at} twice`, withRowTwice(genuine.texts, file, at), twice);
        if (at + 1 < length)
          await expectFound(
            `${file} ${at} and ${at + 1} swapped`,
            withRowsSwapped(genuine.texts, file, at, at + 1),
            'CHAIN_KEY_POLICY_VIOLATION',
          );
      }
    },
  );

  it.each(DUMP_FILES)(
    'refuses members of %s that are missing, unknown, doubled or moved',
    async (file) => {
      const rows = rowsOf(genuine.texts[file]);
      const at = Math.floor(rows.length / 2);
      const decode = undecoded(file);
      const names = Object.keys(rows[at]!);
      for (const [index, name] of partOf([...names.entries()])) {
        const { [name]: value, ...rest } = rows[at]!;
        const change = (row: JsonObject): DumpTexts => withRow(genuine.texts, file, at, () => row);
        await expectFound(`${file} without ${name}`, change(rest), decode);
        await expectFound(
          `${file} with ${name} renamed`,
          change({ ...rest, [`${name}x`]: value! }),
          decode,
        );
        const line = JSON.stringify(rows[at]);
        const doubled = `${line.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
        await expectFound(
          `${file} with ${name} twice`,
          { ...genuine.texts, [file]: genuine.texts[file].replace(line, doubled) },
          decode,
        );
        const order = names
          .toSpliced(index, 1)
          .toSpliced((index + 1) % (names.length - 1), 0, name);
        const moved = Object.fromEntries(order.map((member) => [member, rows[at]![member]!]));
        if (order.join() !== names.join())
          await expectFound(`${file} with ${name} moved`, change(moved), decode);
        await expectFound(
          `${file} with ${name} as an object`,
          change({ ...rows[at], [name]: {} }),
          decode,
        );
      }
    },
  );

  it('compares every column with what is sealed', async () => {
    const expected: Readonly<Record<DumpFile, Readonly<Record<string, readonly FailureClass[]>>>> =
      {
        audit_vault: {
          chain_key: ['CHAIN_COSE_HEADER_MISMATCH', 'CHAIN_POSITION_GAP'],
          chain_position: ['CHAIN_POSITION_GAP'],
          record_id: ['CHAIN_PAYLOAD_BINDING_MISMATCH'],
          entry_type: ['CHAIN_PAYLOAD_BINDING_MISMATCH'],
          signing_key_id: ['CHAIN_SIGNING_KEY_DRIFT'],
          previous_hash: ['CHAIN_LINK_BROKEN'],
          hash: ['CHAIN_HASH_MISMATCH'],
          oidc_iss: ['CHAIN_OIDC_ACTOR_MISMATCH'],
          oidc_sub: ['CHAIN_OIDC_ACTOR_MISMATCH'],
          created_at: ['CHAIN_PAYLOAD_BINDING_MISMATCH'],
        },
        vault_checkpoints: {
          log_index: ['CHECKPOINT_LOG_GAP'],
          chain_key: ['CHECKPOINT_HEAD_MISMATCH'],
          position: ['CHECKPOINT_HEAD_MISMATCH'],
        },
        vault_signing_keys: {
          key_id: ['CHAIN_SIGNATURE_MISSING_KEY'],
          algorithm: ['CHAIN_ALG_MISMATCH'],
          cose_algorithm: ['CHAIN_ALG_MISMATCH'],
          status: ['CHAIN_KEY_POLICY_VIOLATION'],
          activated_at: ['CHAIN_KEY_POLICY_VIOLATION'],
          retired_at: ['CHAIN_KEY_POLICY_VIOLATION'],
        },
        vault_key_statements: {
          key_id: ['CHAIN_PAYLOAD_BINDING_MISMATCH'],
          chain_position: ['CHAIN_PAYLOAD_BINDING_MISMATCH'],
          created_at: ['CHAIN_PAYLOAD_BINDING_MISMATCH'],
        },
        org_admin_reads: {
          // Before its own org it is out of order, after it the read of another one.
          org_id: ['TENANT_READ_PAYLOAD_BINDING_MISMATCH', 'TENANT_READ_POSITION_GAP'],
          leaf_index: ['TENANT_READ_POSITION_GAP'],
          signing_key_id: ['CHAIN_SIGNING_KEY_DRIFT'],
          leaf_hash: ['TENANT_READ_PAYLOAD_BINDING_MISMATCH'],
          created_at: ['TENANT_READ_PAYLOAD_BINDING_MISMATCH'],
        },
        org_admin_reads_checkpoints: {
          org_id: ['TENANT_CHECKPOINT_SIGNATURE_INVALID', 'TENANT_CHECKPOINT_SIZE_MISMATCH'],
          tree_size: ['TENANT_CHECKPOINT_SIZE_MISMATCH'],
          root_hash: ['TENANT_CHECKPOINT_ROOT_MISMATCH'],
          signing_key_id: ['CHAIN_SIGNING_KEY_DRIFT'],
          created_at: ['CHECKPOINT_HEAD_MISMATCH'],
        },
      };
    for (const file of DUMP_FILES)
      for (const at of file === 'audit_vault' ? [0, middle] : [1])
        for (const [name, classes] of Object.entries(expected[file])) {
          // The first entry of a chain has none before it.
          const isGenesis = at === 0 && name === 'previous_hash';
          await expectFound(
            `${name} of ${file} ${at}`,
            withRow(genuine.texts, file, at, (row) => ({ ...row, [name]: altered(row[name]!) })),
            ...(isGenesis ? (['CHAIN_GENESIS_INVALID'] as const) : classes),
          );
        }
    const other = rowsOf(genuine.texts.vault_signing_keys)[0]!['public_key']!;
    await expectFound(
      'another key under the same id',
      withRow(genuine.texts, 'vault_signing_keys', 1, (row) => ({ ...row, public_key: other })),
      'CHAIN_SIGNING_KEY_DRIFT',
    );
  });

  it('sees every byte that is another one', async () => {
    for (const file of DUMP_FILES) {
      const bytes = Buffer.from(genuine.texts[file]);
      for (const offset of some(bytes.length, 25)) {
        const changed = withByte(genuine.texts, file, offset, bytes[offset]! ^ 1);
        const report = await verify(changed);
        expect(report.verdict, `byte ${offset} of ${file}`).toBe('invalid');
      }
    }
  });

  it('misses a chain that is left out with its checkpoints', async () => {
    const gone = entries[middle]!['chain_key'];
    const without = (texts: DumpTexts): DumpTexts =>
      (['audit_vault', 'vault_checkpoints'] as const).reduce(
        (all, file) =>
          withRows(all, file, (rows) => rows.filter((row) => row['chain_key'] !== gone)),
        texts,
      );
    await expectFound('a chain', without(genuine.texts), 'CHECKPOINT_LOG_GAP');
    const renumbered = withRows(without(genuine.texts), 'vault_checkpoints', (rows) =>
      rows.map((row, index) => ({ ...row, log_index: index })),
    );
    await expectFound('a chain, renumbered', renumbered, 'CHECKPOINT_ROOT_MISMATCH');
    await expectFound('renumbered leaves', renumbered, 'CHECKPOINT_HEAD_MISMATCH');
    await expectFound(
      'the entries of a chain',
      withRows(genuine.texts, 'audit_vault', (rows) =>
        rows.filter((row) => row['chain_key'] !== gone),
      ),
      'CHECKPOINT_CHAIN_MISSING',
    );
  });

  it('misses files, and takes none for another', async () => {
    for (const file of DUMP_FILES) {
      const { [file]: _, ...others } = genuine.texts;
      await expectFound(`without ${file}`, others, undecoded(file));
      const turned = withRows(genuine.texts, file, (rows) => rows.toReversed());
      await expectFound(
        `${file} turned round`,
        turned,
        'CHAIN_POSITION_GAP',
        'CHECKPOINT_LOG_GAP',
        'CHAIN_KEY_POLICY_VIOLATION',
        'TENANT_READ_POSITION_GAP',
        'TENANT_CHECKPOINT_SIZE_MISMATCH',
      );
      await expectFound(
        `${file} cut`,
        { ...genuine.texts, [file]: genuine.texts[file].slice(0, -1) },
        undecoded(file),
      );
    }
    await expectFound(
      'two files under the name of the other',
      {
        ...genuine.texts,
        vault_key_statements: genuine.texts.vault_signing_keys,
        vault_signing_keys: genuine.texts.vault_key_statements,
      },
      'CHAIN_COSE_DECODE_FAILED',
    );
  });

  it('sees entries that stand elsewhere', async () => {
    const twin = entries.findIndex(
      (row, at) => at > middle + 3 && row['record_id'] !== null && row['chain_position'] === 2,
    );
    const { chain_key, record_id } = entries[twin]!;
    await expectFound(
      'an entry of another chain at the same position',
      withRow(genuine.texts, 'audit_vault', twin, () => ({
        ...entries[middle]!,
        chain_key: chain_key!,
        record_id: record_id!,
      })),
      'CHAIN_COSE_HEADER_MISMATCH',
    );
    await expectFound(
      'a chain in two places',
      withRows(genuine.texts, 'audit_vault', (rows) => [
        ...rows.toSpliced(middle, 1),
        rows[middle]!,
      ]),
      'CHAIN_POSITION_GAP',
    );
    await expectFound(
      'a checkpoint as an entry',
      withRow(genuine.texts, 'audit_vault', middle, (row) => ({
        ...row,
        cose_sign1: leaves[3]!['cose_sign1']!,
      })),
      'CHAIN_COSE_HEADER_MISMATCH',
    );
    await expectFound(
      'an entry as a checkpoint',
      withRow(genuine.texts, 'vault_checkpoints', 3, (row) => ({
        ...row,
        cose_sign1: entries[middle]!['cose_sign1']!,
      })),
      'CHECKPOINT_DECODE_FAILED',
    );
  });

  it('takes the bytes of an entry for what they are', async () => {
    const change = (edit: (bytes: Uint8Array) => Uint8Array): DumpTexts =>
      withRow(genuine.texts, 'audit_vault', middle, (row) => withBytes(row, edit));
    const flip = (bytes: Uint8Array): Uint8Array =>
      bytes.with(bytes.length - 20, bytes[bytes.length - 20]! ^ 1);
    await expectFound('a signature', change(flip), 'CHAIN_SIGNATURE_INVALID');
    await expectFound('a hash', change(flip), 'CHAIN_HASH_MISMATCH');
    // The unprotected header is the empty map, a0, behind the protected one (58 or 59, length in one or two bytes, bytes).
    const unprotected = (bytes: Uint8Array): Uint8Array => {
      const at = bytes[2] === 0x58 ? 4 + bytes[3]! : 5 + bytes[3]! * 256 + bytes[4]!;
      return Uint8Array.from([...bytes.slice(0, at), 0xa1, 0x01, 0x01, ...bytes.slice(at + 1)]);
    };
    await expectFound('an unprotected header', change(unprotected), 'CHAIN_COSE_HEADER_MISMATCH');
    // alg is the first member of the protected header: {1: -8} is 01 27, and -19 is 32; -7 is 26, and -9 is 28.
    const otherAlgorithm = (bytes: Uint8Array): Uint8Array => {
      const at = Buffer.from(bytes).indexOf(Uint8Array.of(0x01, vault.alg));
      return bytes.with(at + 1, vault.otherAlg);
    };
    await expectFound('another alg', change(otherAlgorithm), 'CHAIN_ALG_MISMATCH');
  });

  it.runIf(vault.algorithm === 'ES256')(
    'refuses the other signature that the curve allows for the same key and bytes',
    async () => {
      const signatureTurned = (bytes: Uint8Array): Uint8Array =>
        Uint8Array.of(...bytes.slice(0, -64), ...es256Twin(bytes.slice(-64)));
      const withTwin = (file: DumpFile, at: number): DumpTexts =>
        withRow(genuine.texts, file, at, (row) => {
          const turned = withBytes(row, signatureTurned);
          const bytes = Uint8Array.from(Buffer.from(turned['cose_sign1'] as string, 'base64'));
          return 'hash' in row ? { ...turned, hash: toHex(sha256(bytes)) } : turned;
        });
      const heads = entries.flatMap((_row, at) => (isLastOfChain(at) ? [at] : []));
      for (const at of some(heads.length, 25).map((index) => heads[index]!)) {
        const name = `the head ${at}`;
        await expectFound(name, withTwin('audit_vault', at), 'CHAIN_SIGNATURE_INVALID');
        await expectFound(name, withTwin('audit_vault', at), 'CHECKPOINT_HEAD_MISMATCH');
      }
      await expectFound('an entry', withTwin('audit_vault', middle), 'CHAIN_SIGNATURE_INVALID');
      for (const [file, failureClass] of [
        ['vault_checkpoints', 'CHECKPOINT_SIGNATURE_INVALID'],
        ['vault_key_statements', 'CHAIN_SIGNATURE_INVALID'],
        ['org_admin_reads', 'TENANT_READ_SIGNATURE_INVALID'],
        ['org_admin_reads_checkpoints', 'TENANT_CHECKPOINT_SIGNATURE_INVALID'],
      ] as const)
        for (const at of [0, rowsOf(genuine.texts[file]).length - 1])
          await expectFound(`${file} ${at}`, withTwin(file, at), failureClass);
    },
  );

  it('is told by a root that a dump is older, or lacks its last round', async () => {
    expect(await verify(genuine.older)).toMatchObject({ verdict: 'valid' });
    expect(await verify(genuine.older, genuine.root)).toMatchObject({
      verdict: 'invalid',
      failures: [{ class: 'CHECKPOINT_ROOT_MISMATCH' }],
    });
    const rounds = leaves.flatMap((row, at) => (row['chain_key'] === PLATFORM_CHAIN ? [at] : []));
    const cut = withRows(genuine.texts, 'vault_checkpoints', (rows) =>
      rows.slice(0, rounds.at(-2)! + 1),
    );
    // Its entries are still there, and nothing covers them.
    expect(await verify(cut)).toMatchObject({ exitCode: 2 });
    expect(await verify(cut, genuine.root)).toMatchObject({ verdict: 'invalid' });
  });

  describe('with the private key of a retired key', () => {
    const headOf = (row: JsonObject): ChainHead => ({
      chainKey: row['chain_key'] as string,
      position: row['chain_position'] as number,
      hash: fromHex(row['hash'] as string),
      at: row['created_at'] as string,
    });

    it('finds an entry that is dated back: no root covers it', async () => {
      const [old] = genuine.seals;
      const at = middle - 1;
      // One that the leaked key signed, so that the date lies within its window.
      const victim = entries.findIndex(
        (row, index) =>
          row['signing_key_id'] === old.signer.keyId &&
          row['record_id'] !== null &&
          isLastOfChain(index),
      );
      expect(at).toBeGreaterThan(0);
      const head = headOf(entries[victim]!);
      const bytes = Uint8Array.from(
        Buffer.from(entries[victim]!['cose_sign1'] as string, 'base64'),
      );
      const { predicate } = readEntry(bytes)!;
      const statement = JSON.parse(
        new TextDecoder().decode(decodeSign1(bytes).payload),
      ) as Statement;
      expect(statement.predicate).toEqual(predicate);
      const forged = await sealEntry(old, head.chainKey, head, statement, {
        entryType: entries[victim]!['entry_type'] as never,
        recordId: head.chainKey,
        orgId: null,
        at: head.at,
        oidcIss: null,
        oidcSub: null,
      });
      await expectFound(
        'an entry by a leaked key',
        withRows(genuine.texts, 'audit_vault', (rows) =>
          rows.toSpliced(victim + 1, 0, auditVaultRow(forged)),
        ),
        'CHAIN_KEY_POLICY_VIOLATION',
      );
    });

    it('finds a checkpoint that is dated back: the root of its retirement has it not', async () => {
      const [old] = genuine.seals;
      const head = headOf(entries[middle]!);
      const forged = await sealCheckpoint(old, genuine.predicateBase, head, {
        id: '0190a000-0000-7000-8000-000000000001',
        logIndex: leaves.length,
        at: head.at,
      });
      await expectFound(
        'a checkpoint by a leaked key',
        withRows(genuine.texts, 'vault_checkpoints', (rows) => [...rows, checkpointRow(forged)]),
        'CHECKPOINT_ROOT_MISMATCH',
      );
    });

    it('finds a platform act that is signed after its retirement', async () => {
      const [old] = genuine.seals;
      const last = entries.findLastIndex((row) => row['chain_key'] === PLATFORM_CHAIN);
      const head = headOf(entries[last]!);
      const bytes = Uint8Array.from(Buffer.from(entries[last]!['cose_sign1'] as string, 'base64'));
      const statement = JSON.parse(
        new TextDecoder().decode(decodeSign1(bytes).payload),
      ) as Statement;
      const coseSign1 = await signStatement(
        old,
        'chain-entry',
        PLATFORM_CHAIN,
        statement,
        head.at,
        {
          chainKey: PLATFORM_CHAIN,
          position: head.position,
          previousHash: fromHex(entries[last]!['previous_hash'] as string),
        },
      );
      await expectFound(
        'an act by a leaked key',
        withRow(genuine.texts, 'audit_vault', last, (row) => ({
          ...row,
          signing_key_id: old.signer.keyId,
          hash: toHex(sha256(coseSign1)),
          cose_sign1: Buffer.from(coseSign1).toString('base64'),
        })),
        'CHAIN_KEY_EXPIRED',
      );
    });
  });
});
