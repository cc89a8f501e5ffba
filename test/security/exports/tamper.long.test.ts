import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCbor, type CborValue } from '../../../domain/kernel/deterministic-cbor.ts';
import { hashJson, sha256Hex } from '../../../domain/kernel/digest.ts';
import {
  decodeProtected,
  decodeSign1,
  encodeProtected,
  encodeSign1,
  sigStructure,
  type ProtectedHeader,
} from '../../../domain/vault/cose-sign1.ts';
import type { Signer } from '../../../domain/vault/signer.port.ts';
import { recordStatement } from '../../../domain/record/record-statement.ts';
import type { Statement } from '../../../domain/vault/statement.ts';
import type {
  AuditExport,
  AuditExportCheckpoint,
  AuditExportEntry,
  AuditExportKey,
  AuditExportKeyStatement,
} from '../../../domain/verification/read/audit-export.ts';
import type { FailureClass } from '../../../domain/verification/report/failure.ts';
import { HubKeys } from '../../../domain/verification/platform/hub-keys.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { decodeBase64Strict, encodeBase64 } from '../../../domain/kernel/base64.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import {
  BASE,
  es256Twin,
  TestHub,
  webCryptoSigner,
  type HubOptions,
  type TestChain,
} from '../../support/attackers/make-export.ts';
import { partOf } from '../../support/runner/part-of.ts';

type Loose<T> = { -readonly [K in keyof T]: T[K] };

/** An export that can be written to. */
interface Draft {
  service: Loose<AuditExport['service']>;
  record: Loose<AuditExport['record']>;
  chain: {
    chainKey: string;
    head: Loose<AuditExport['chain']['head']>;
    entries: Loose<AuditExportEntry>[];
  };
  keys: Loose<AuditExportKey>[];
  keyStatements: Loose<AuditExportKeyStatement>[];
  checkpoint: Loose<AuditExportCheckpoint> | null;
  checkpoints: Loose<AuditExportCheckpoint>[];
}

/**
 * What no signature covers: a change of these, and of nothing else, leaves an export valid. They tell the reader
 * about the export or the record; whoever needs one confirmed asks the service.
 */
const UNSIGNED: readonly { readonly path: RegExp; readonly why: string }[] = [
  { path: /^\/exportedAt$/, why: 'the time of the export; the closing checkpoint has its own' },
  { path: /^\/canonicalization$/, why: 'the form of new statements; each entry names its own' },
  { path: /^\/service\/(?:baseUrl|version)$/, why: 'where the service is reached' },
  { path: /^\/keys\/\d+\/minVerifierVersion$/, why: 'advice to the reader' },
  { path: /^\/checkpoints?(?:\/\d+)?\/id$/, why: 'the handle of a checkpoint in the service' },
  { path: /^\/verificationGuide\//, why: 'prose' },
  { path: /^\/parties\/\d+\/(?:name|orgName)$/, why: 'what the service calls them today' },
];

/** What may be left out besides: an export without it says less, and nothing wrong. */
const OPTIONAL: readonly { readonly path: RegExp; readonly why: string }[] = [
  {
    path: /^\/chain\/entries\/\d+\/evidence$/,
    why: 'evidence is inlined only where it was asked for',
  },
  {
    path: /^\/checkpoints\/\d+$/,
    why: 'only the closing checkpoint is needed; the log itself proves the others, in a dump',
  },
  {
    path: /^\/federation$/,
    why: 'exports of earlier versions have none; of a record of two hubs nothing is valid without it',
  },
  { path: /^\/verificationGuide\/(?:steps|commands)\/\d+$/, why: 'prose' },
];

const isListed = (path: string, table: typeof UNSIGNED): boolean =>
  table.some((row) => row.path.test(path));

const hubs = new HubKeys();
let hub: TestHub;
let chain: TestChain;
let genuine: AuditExport;

const verify = (document: unknown, by: TestHub = hub): Promise<VerificationReport> =>
  verifyAuditExport(typeof document === 'string' ? document : JSON.stringify(document), {
    trust: trustOf({ kind: 'keys', spki: [by.spki] }),
    keys: hubs,
  });

const tampered = (change: (draft: Draft) => void, from: AuditExport = genuine): Draft => {
  const draft = structuredClone(from) as unknown as Draft;
  change(draft);
  return draft;
};

/** Runs a tampered copy; it must be invalid, with this class at this position among its failures. */
const expectFailure = async (
  change: (draft: Draft) => void | Promise<void>,
  failureClass: FailureClass,
  position: number | null,
  from: AuditExport = genuine,
  by: TestHub = hub,
): Promise<VerificationReport> => {
  const draft = structuredClone(from) as unknown as Draft;
  await change(draft);
  const report = await verify(draft, by);
  expect(report.verdict, failureClass).toBe('invalid');
  expect(
    report.failures.map((failure) => ({ class: failure.class, position: failure.position })),
  ).toContainEqual({ class: failureClass, position });
  expect(report.brokenAt).toEqual(report.failures[0]);
  return report;
};

const bytesOf = (text: string): Uint8Array => decodeBase64Strict(text)!;

/** Puts other bytes into an entry and makes hash, links and head fit, as an attacker would. */
const putBytes = (draft: Draft, index: number, bytes: Uint8Array): void => {
  const { entries } = draft.chain;
  entries[index]!.coseSign1 = encodeBase64(bytes);
  entries[index]!.hash = sha256Hex(bytes);
  if (entries[index + 1]) entries[index + 1]!.previousHash = sha256Hex(bytes);
  else draft.chain.head.hash = sha256Hex(bytes);
};

/** An entry anew, with another header or payload, signed by whoever. */
const reseal = async (
  signer: Signer,
  bytes: Uint8Array,
  change: { header?: Partial<ProtectedHeader>; payload?: Uint8Array },
): Promise<Uint8Array> => {
  const sign1 = decodeSign1(bytes);
  const protectedBytes = encodeProtected({
    ...decodeProtected(sign1.protectedBytes),
    ...change.header,
  });
  const payload = change.payload ?? sign1.payload;
  return encodeSign1(
    protectedBytes,
    payload,
    await signer.sign(sigStructure(protectedBytes, payload)),
  );
};

beforeAll(async () => {
  hub = await TestHub.start();
  chain = await hub.gate();
  genuine = await hub.export(chain);
});

it('a genuine export is valid', async () => {
  expect(await verify(genuine)).toMatchObject({ verdict: 'valid', failures: [] });
});

/** The value of formatVersion. */
const FORMAT = '"1.0"';

describe('every single byte', () => {
  it.each([
    { algorithm: 'Ed25519', canonicalization: 'jcs' },
    { algorithm: 'ES256', canonicalization: 'cde' },
  ] as const satisfies readonly HubOptions[])(
    'of a $algorithm export ($canonicalization) is covered, or belongs to a member that the table names',
    { timeout: 300_000 },
    async (options) => {
      const small = await TestHub.start(options);
      const document = await small.export(await small.notarize({ a: 'b' }), { evidence: true });
      const text = JSON.stringify(document);
      expect((await verify(text, small)).verdict).toBe('valid');
      const bytes = new TextEncoder().encode(text);
      const format = text.indexOf(FORMAT);
      const uncovered = new Set<string>();
      for (let at = 0; at < bytes.length; at++) {
        // A neighbouring character; and for letters now and then the other case.
        const copy = bytes.slice();
        copy[at]! ^= at % 3 === 0 && /[A-Za-z]/.test(String.fromCharCode(bytes[at]!)) ? 0x20 : 0x01;
        const report = await verifyAuditExport(copy, {
          trust: trustOf({ kind: 'keys', spki: [small.spki] }),
          keys: hubs,
        });
        if (report.verdict === 'valid')
          for (const path of differences(document, JSON.parse(new TextDecoder().decode(copy))))
            uncovered.add(path);
        // Without its last brace it may as well have been cut off, and with another number it is of another format.
        else if (at === bytes.length - 1 || (at > format && at < format + FORMAT.length - 1))
          expect(report.verdict).toBe('cannot_tell');
        else expect(report.failures.length, `byte ${at}`).toBeGreaterThan(0);
      }
      expect([...uncovered].filter((path) => !isListed(path, UNSIGNED))).toEqual([]);
      // The table names nothing that is in fact covered.
      expect(
        UNSIGNED.filter(
          (row) =>
            row.why !== 'the form of new statements; each entry names its own' &&
            ![...uncovered].some((path) => row.path.test(path)),
        ),
      ).toEqual([]);
    },
  );
});

it('a file cut off anywhere says nothing about anybody: cannot be told, in a sentence', async () => {
  const text = JSON.stringify(genuine);
  for (let length = 1; length < text.length; length += 37)
    expect(await verify(text.slice(0, length)), `${length}`).toMatchObject({
      verdict: 'cannot_tell',
      failures: [],
      reasons: [expect.stringContaining('only a part of one')],
    });
});

const differences = (a: unknown, b: unknown, path = ''): string[] => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return a === b ? [] : [path];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    differences(
      (a as Record<string, unknown>)[name],
      (b as Record<string, unknown>)[name],
      `${path}/${name}`,
    ),
  );
};

describe('every member', () => {
  /** Each place of the document: the object or array that holds it, its name there, its path. */
  const places = (
    value: unknown,
    path = '',
  ): { path: string; holder: string; name: string; inArray: boolean }[] => {
    if (typeof value !== 'object' || value === null) return [];
    // What stands inside of a statement, the criteria, the evidence or the manifest is hashed as a whole.
    if (/\/(?:statement|criteria|evidence|manifest)$/.test(path)) return [];
    return Object.entries(value).flatMap(([name, item]) => [
      { path: `${path}/${name}`, holder: path, name, inArray: Array.isArray(value) },
      ...places(item, `${path}/${name}`),
    ]);
  };
  const holderIn = (document: unknown, path: string): Record<string, unknown> =>
    path
      .split('/')
      .slice(1)
      .reduce(
        (value, name) => value[name] as Record<string, unknown>,
        document as Record<string, unknown>,
      );

  it('that is missing is missed, but for those that an export may do without', async () => {
    for (const { path, holder, name, inArray } of partOf(places(genuine))) {
      const draft = structuredClone(genuine);
      const within = holderIn(draft, holder);
      if (inArray) (within as unknown as unknown[]).splice(Number(name), 1);
      else delete within[name];
      const report = await verify(draft);
      expect({ path, valid: report.verdict === 'valid' }).toEqual({
        path,
        valid: isListed(path, OPTIONAL),
      });
    }
  });

  it('under another name is refused as unknown', async () => {
    for (const { path, holder, name, inArray } of partOf(places(genuine))) {
      if (inArray) continue;
      const draft = structuredClone(genuine);
      const within = holderIn(draft, holder);
      within[`${name}_`] = within[name];
      delete within[name];
      const report = await verify(draft);
      expect({ path, verdict: report.verdict }).toEqual({ path, verdict: 'invalid' });
      expect(
        report.failures.some((failure) => failure.detail.includes('unknown')),
        path,
      ).toBe(true);
    }
  });

  it('that stands twice makes the file unreadable, whichever of the two comes last', async () => {
    const MARK = 'twice';
    for (const { path, holder, name, inArray } of partOf(places(genuine))) {
      if (inArray) continue;
      const draft = structuredClone(genuine);
      const within = holderIn(draft, holder);
      const value = JSON.stringify(within[name]);
      within[MARK] = 0;
      const text = JSON.stringify(draft).replace(`"${MARK}":0`, `"${name}":${value}`);
      const report = await verify(text);
      expect({ path, verdict: report.verdict, class: report.brokenAt?.class }).toEqual({
        path,
        verdict: 'invalid',
        class: 'CHAIN_COSE_DECODE_FAILED',
      });
      expect(report.brokenAt?.detail).toContain('twice');
    }
  });

  it('of another type, or of a hostile one, is a typed failure and never an exception', async () => {
    const hostile = [
      null,
      0,
      -1,
      1.5,
      '',
      'x',
      true,
      [],
      {},
      [[]],
      { toString: 1, valueOf: 1, toJSON: 1, length: 'x' },
      'ÿ'.repeat(70_000),
      JSON.parse('{"__proto__":{"position":1}}'),
    ];
    for (const { path, holder, name } of partOf(places(genuine))) {
      for (const value of hostile) {
        const draft = structuredClone(genuine);
        holderIn(draft, holder)[name] = value;
        const report = await verify(draft);
        if (isListed(path, UNSIGNED)) continue;
        const unchanged = JSON.stringify(holderIn(genuine, holder)[name]) === JSON.stringify(value);
        if (path === '/checkpoint' && value === null) expect(report.verdict).toBe('cannot_tell');
        else if (path === '/checkpoints' && Array.isArray(value) && value.length === 0)
          expect(report.verdict).toBe('valid');
        else
          expect({ path, value, valid: report.verdict === 'valid' }).toEqual({
            path,
            value,
            valid: unchanged,
          });
      }
    }
  }, 300_000);
});

describe('entries', () => {
  it('cut off at the end: CHECKPOINT_HEAD_MISMATCH, even where the head is made to fit', async () => {
    const cut = (draft: Draft): void => {
      draft.chain.entries.length = 2;
      draft.chain.head = { position: 2, hash: draft.chain.entries[1]!.hash };
      draft.record.status = 'ACTIVE';
    };
    await expectFailure(cut, 'CHECKPOINT_HEAD_MISMATCH', 3);
    await expectFailure((draft) => void (draft.chain.entries.length = 2), 'CHAIN_POSITION_GAP', 3);
  });

  it('cut off together with the closing checkpoint: cannot be told, exit 2', async () => {
    const report = await verify(
      tampered((draft) => {
        draft.chain.entries.length = 2;
        draft.chain.head = { position: 2, hash: draft.chain.entries[1]!.hash };
        const { createdAt } = draft.chain.entries[1]!;
        Object.assign(draft.record, { status: 'ACTIVE', awaiting: 'principal' });
        Object.assign(draft.record, { terminalAt: null, updatedAt: createdAt });
        draft.checkpoint = null;
        draft.checkpoints.length = 1;
      }),
    );
    expect(report).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      failures: [],
      checks: { completeness: { result: 'skipped_no_input' } },
    });
  });

  it('beyond the closing checkpoint: cannot be told, exit 2', async () => {
    const report = await verify(
      tampered((draft) => {
        draft.checkpoint = draft.checkpoints[0]!;
      }),
    );
    expect(report).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      failures: [],
      reasons: [expect.stringContaining('covers 2 of 3')],
    });
  });

  it('deleted in the middle: CHAIN_POSITION_GAP and CHAIN_LINK_BROKEN', async () => {
    const report = await expectFailure(
      (draft) => void draft.chain.entries.splice(1, 1),
      'CHAIN_POSITION_GAP',
      3,
    );
    expect(report.failures.map((failure) => failure.class)).toContain('CHAIN_LINK_BROKEN');
  });

  it('deleted at the start: CHAIN_GENESIS_INVALID', async () => {
    await expectFailure(
      (draft) => void draft.chain.entries.splice(0, 1),
      'CHAIN_GENESIS_INVALID',
      2,
    );
    await expectFailure(
      (draft) => void (draft.chain.entries.length = 0),
      'CHAIN_GENESIS_INVALID',
      null,
    );
  });

  it('swapped or doubled: CHAIN_POSITION_GAP', async () => {
    await expectFailure((draft) => void draft.chain.entries.reverse(), 'CHAIN_POSITION_GAP', 3);
    await expectFailure(
      (draft) => void draft.chain.entries.splice(1, 0, structuredClone(draft.chain.entries[1]!)),
      'CHAIN_POSITION_GAP',
      2,
    );
  });

  it('swapped with positions and links made to fit: CHAIN_COSE_HEADER_MISMATCH', async () => {
    await expectFailure(
      (draft) => {
        const [first, second, third] = draft.chain.entries;
        draft.chain.entries = [
          first!,
          { ...third!, position: 2, previousHash: first!.hash },
          { ...second!, position: 3, previousHash: third!.hash },
        ];
        draft.chain.head.hash = second!.hash;
      },
      'CHAIN_COSE_HEADER_MISMATCH',
      2,
    );
  });

  it('moved from another chain to the same position: CHAIN_COSE_HEADER_MISMATCH', async () => {
    const other = await hub.export(await hub.gate());
    await expectFailure(
      (draft) => {
        Object.assign(draft.chain.entries[1]!, structuredClone(other.chain.entries[1]!), {
          previousHash: draft.chain.entries[0]!.hash,
        });
        draft.chain.entries[2]!.previousHash = other.chain.entries[1]!.hash;
      },
      'CHAIN_COSE_HEADER_MISMATCH',
      2,
    );
  });

  it('replaced by a checkpoint: CHAIN_COSE_HEADER_MISMATCH', async () => {
    await expectFailure(
      (draft) => putBytes(draft, 1, bytesOf(draft.checkpoint!.coseSign1)),
      'CHAIN_COSE_HEADER_MISMATCH',
      2,
    );
  });

  it('replaced by an entry of the platform chain: CHAIN_COSE_HEADER_MISMATCH', async () => {
    await expectFailure(
      (draft) => putBytes(draft, 0, bytesOf(draft.keyStatements[0]!.coseSign1)),
      'CHAIN_COSE_HEADER_MISMATCH',
      1,
    );
  });

  it('with another hash, previous hash, type, time or shown statement', async () => {
    await expectFailure(
      (draft) => void (draft.chain.entries[1]!.hash = 'a'.repeat(64)),
      'CHAIN_HASH_MISMATCH',
      2,
    );
    await expectFailure(
      (draft) => void (draft.chain.entries[1]!.previousHash = 'a'.repeat(64)),
      'CHAIN_LINK_BROKEN',
      2,
    );
    await expectFailure(
      (draft) => void (draft.chain.entries[0]!.previousHash = 'a'.repeat(64)),
      'CHAIN_GENESIS_INVALID',
      1,
    );
    await expectFailure(
      (draft) => void (draft.chain.entries[1]!.entryType = 'VERDICT_RENDERED'),
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      2,
    );
    await expectFailure(
      (draft) => void (draft.chain.entries[1]!.createdAt = '2026-11-20T10:00:09.000Z'),
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      2,
    );
    await expectFailure(
      (draft) =>
        void ((
          draft.chain.entries[2]!.statement as unknown as { predicate: { verdict: string } }
        ).predicate.verdict = 'reject'),
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      3,
    );
  });

  it('shown with another key or algorithm: CHAIN_SIGNING_KEY_DRIFT, CHAIN_ALG_MISMATCH', async () => {
    await expectFailure(
      (draft) => void (draft.chain.entries[1]!.signingKeyId = 'a'.repeat(32)),
      'CHAIN_SIGNING_KEY_DRIFT',
      2,
    );
    await expectFailure(
      (draft) => void (draft.chain.entries[1]!.algorithm = 'ES256'),
      'CHAIN_ALG_MISMATCH',
      2,
    );
  });

  it('whose bytes are no base64, or only nearly: CHAIN_COSE_DECODE_FAILED', async () => {
    const forms = [
      (text: string) => `${text.slice(0, -1)}*`,
      (text: string) => text.replace(/=*$/, ''),
      (text: string) => `${text}=`,
      (text: string) => ` ${text}`,
      (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/^.{4}/, '____'),
    ];
    // Bytes whose base64 is padded.
    const index = genuine.chain.entries.findIndex(({ coseSign1 }) => coseSign1.endsWith('='));
    for (const form of forms)
      await expectFailure(
        (draft) =>
          void (draft.chain.entries[index]!.coseSign1 = form(
            draft.chain.entries[index]!.coseSign1,
          )),
        'CHAIN_COSE_DECODE_FAILED',
        index + 1,
      );
  });

  it('with a signature of another message: CHAIN_SIGNATURE_INVALID', async () => {
    await expectFailure(
      (draft) => {
        const [one, two] = [
          decodeSign1(bytesOf(draft.chain.entries[0]!.coseSign1)),
          decodeSign1(bytesOf(draft.chain.entries[2]!.coseSign1)),
        ];
        putBytes(draft, 2, encodeSign1(two.protectedBytes, two.payload, one.signature));
      },
      'CHAIN_SIGNATURE_INVALID',
      3,
    );
  });
});

describe('the envelope', () => {
  it('with anything in the unprotected header: CHAIN_COSE_HEADER_MISMATCH, though its signature holds', async () => {
    const report = await expectFailure(
      (draft) => {
        const { protectedBytes, payload, signature } = decodeSign1(
          bytesOf(draft.chain.entries[2]!.coseSign1),
        );
        const array = encodeCbor([
          protectedBytes,
          new Map<number, CborValue>([[394, []]]),
          payload,
          signature,
        ]);
        putBytes(draft, 2, Uint8Array.of(0xd2, ...array));
      },
      'CHAIN_COSE_HEADER_MISMATCH',
      3,
    );
    expect(report.failures.map((failure) => failure.class)).not.toContain(
      'CHAIN_SIGNATURE_INVALID',
    );
  });

  it('without its tag, with bytes behind it, or in a longer form: CHAIN_COSE_DECODE_FAILED', async () => {
    const forms = [
      (bytes: Uint8Array) => bytes.subarray(1),
      (bytes: Uint8Array) => Uint8Array.of(...bytes, 0),
      (bytes: Uint8Array) => Uint8Array.of(0xd2, 0x98, 0x04, ...bytes.subarray(2)),
      (bytes: Uint8Array) => Uint8Array.of(0xd2, 0xd2, ...bytes.subarray(1)),
    ];
    for (const form of forms)
      await expectFailure(
        (draft) => putBytes(draft, 2, form(bytesOf(draft.chain.entries[2]!.coseSign1))),
        'CHAIN_COSE_DECODE_FAILED',
        3,
      );
  });

  it('with -8 turned into -19, even by the holder of the key: CHAIN_ALG_MISMATCH', async () => {
    await expectFailure(
      async (draft) =>
        putBytes(
          draft,
          2,
          await reseal(hub.signer, bytesOf(draft.chain.entries[2]!.coseSign1), {
            header: { alg: -19 },
          }),
        ),
      'CHAIN_ALG_MISMATCH',
      3,
    );
  });

  it('with the ES256 twin (r, n − s): CHAIN_SIGNATURE_INVALID', async () => {
    const p256 = await TestHub.start({ algorithm: 'ES256' });
    const document = await p256.export(await p256.gate());
    const twin = (draft: Draft): void => {
      const { protectedBytes, payload, signature } = decodeSign1(
        bytesOf(draft.chain.entries[2]!.coseSign1),
      );
      putBytes(draft, 2, encodeSign1(protectedBytes, payload, es256Twin(signature)));
    };
    const report = await expectFailure(twin, 'CHAIN_SIGNATURE_INVALID', 3, document, p256);
    // It is a twin: plain ECDSA accepts it.
    const { protectedBytes, payload, signature } = decodeSign1(
      bytesOf(tampered(twin, document).chain.entries[2]!.coseSign1),
    );
    const key = await crypto.subtle.importKey(
      'spki',
      p256.spki,
      { name: 'ECDSA', namedCurve: 'P-256' },
      false,
      ['verify'],
    );
    expect(
      await crypto.subtle.verify(
        { name: 'ECDSA', hash: 'SHA-256' },
        key,
        signature,
        sigStructure(protectedBytes, payload),
      ),
    ).toBe(true);
    expect(report.failures.map((failure) => failure.class)).toContain('CHECKPOINT_HEAD_MISMATCH');
  });

  it('with each member of the signed header turned, signed anew by the key holder: CHAIN_COSE_HEADER_MISMATCH', async () => {
    const place = { chainKey: chain.chainKey, position: 3, previousHash: chain.entries[1]!.hash };
    const headers: Partial<ProtectedHeader>[] = [
      { iss: 'urn:service:0190a000-0000-7000-8000-0000000000ff' },
      { sub: hub.orgId },
      { iat: 1 },
      { typ: 'application/vnd.notary.checkpoint+cose' },
      { chain: { ...place, position: 2 } },
      { chain: { ...place, chainKey: hub.orgId } },
      { chain: { ...place, previousHash: new Uint8Array(32) } },
    ];
    for (const header of headers)
      await expectFailure(
        async (draft) =>
          putBytes(
            draft,
            2,
            await reseal(hub.signer, bytesOf(draft.chain.entries[2]!.coseSign1), { header }),
          ),
        'CHAIN_COSE_HEADER_MISMATCH',
        3,
      );
  });

  it('with a payload in another form than its content type, or in no canonical one: CHAIN_COSE_DECODE_FAILED', async () => {
    const other = { header: { contentType: 'application/vnd.in-toto+cbor' } };
    await expectFailure(
      async (draft) =>
        putBytes(
          draft,
          2,
          await reseal(hub.signer, bytesOf(draft.chain.entries[2]!.coseSign1), other),
        ),
      'CHAIN_COSE_DECODE_FAILED',
      3,
    );
    const indented = new TextEncoder().encode(JSON.stringify(chain.statements[2], null, 1));
    await expectFailure(
      async (draft) =>
        putBytes(
          draft,
          2,
          await reseal(hub.signer, bytesOf(draft.chain.entries[2]!.coseSign1), {
            payload: indented,
          }),
        ),
      'CHAIN_COSE_DECODE_FAILED',
      3,
    );
  });
});

interface LooseStatement {
  subject: { name: string; digest: { sha256: string } }[];
  predicateType: string;
  predicate: Record<string, unknown>;
}

describe('what a key holder must not seal: CHAIN_PAYLOAD_BINDING_MISMATCH', () => {
  const predicate = { transition: { action: 'cancel', from: 'ACTIVE', to: 'CANCELLED' } };
  const cases: readonly [string, (statement: LooseStatement) => void][] = [
    [
      'a transition from another state',
      (statement) =>
        void (statement.predicate['transition'] = {
          ...predicate.transition,
          from: 'REVISION_REQUESTED',
        }),
    ],
    [
      'a transition that the lifecycle does not know',
      (statement) =>
        void (statement.predicate['transition'] = { ...predicate.transition, to: 'FULFILLED' }),
    ],
    ['no transition', (statement) => void delete statement.predicate['transition']],
    [
      'a time before the entry before',
      (statement) => void (statement.predicate['at'] = '2026-11-20T10:00:01.000Z'),
    ],
    [
      'another record',
      (statement) =>
        void (statement.predicate['recordId'] = '0190a000-0000-7000-8000-0000000000ff'),
    ],
    [
      'another org',
      (statement) => void (statement.predicate['orgId'] = '0190a000-0000-7000-8000-0000000000ff'),
    ],
    ['another subject', (statement) => void (statement.subject[0]!.name = 'record/x')],
    ['another digest', (statement) => void (statement.subject[0]!.digest.sha256 = '0'.repeat(64))],
    [
      'another kind of predicate',
      (statement) => void (statement.predicateType = `${BASE}/predicates/vault-checkpoint/v1`),
    ],
    [
      'another base',
      (statement) =>
        void (statement.predicateType = 'https://elsewhere.invalid/predicates/record-state/v1'),
    ],
    [
      'an entry type of another chain',
      (statement) => void (statement.predicate['entryType'] = 'ORG_CREATED'),
    ],
    ['no actor', (statement) => void (statement.predicate['actor'] = { kind: 'nobody' })],
    ['two subjects', (statement) => void statement.subject.push(statement.subject[0]!)],
  ];
  it.each(cases)('%s', async (_, change) => {
    const other = await TestHub.start();
    const opened = other.chain();
    await other.append(opened, 'RECORD_CREATED', { action: 'create', from: null, to: 'ACTIVE' });
    const at = other.now();
    const { record } = opened;
    const statement = structuredClone(
      recordStatement(BASE, {
        entryType: 'RECORD_CANCELLED',
        at,
        requestId: other.id(),
        actor: { kind: 'agent', agentId: other.principal },
        recordId: record.id,
        orgId: record.orgId,
        schema: {
          orgId: record.orgId,
          publisher: record.publisher,
          type: record.type,
          version: 1,
          manifestDigest: record.manifestDigest,
        },
        transition: { action: 'cancel', from: 'ACTIVE', to: 'CANCELLED' },
        principalAgentId: other.principal,
        performerAgentId: other.performer,
        performerOrgId: record.orgId,
        expiresAt: null,
        awaiting: null,
        criteriaHash: record.criteriaHash,
      }),
    ) as unknown as LooseStatement;
    change(statement);
    await other.appendStatement(
      opened,
      String(statement.predicate['entryType']) as 'RECORD_CANCELLED',
      statement as unknown as Statement,
      String(statement.predicate['at']),
    );
    Object.assign(record, { status: 'CANCELLED' });
    const report = await verify(await other.export(opened), other);
    expect(report.failures.map((failure) => failure.class)).toContain(
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
    );
    expect(report.failures.map((failure) => failure.class)).not.toContain(
      'CHAIN_SIGNATURE_INVALID',
    );
  });
});

describe('evidence and the record', () => {
  it('swapped evidence, or evidence at another entry: CHAIN_PAYLOAD_BINDING_MISMATCH', async () => {
    const report = await expectFailure(
      (draft) =>
        void Object.assign(draft.chain.entries[1]!, { evidence: { invoice: 'F-2026-119' } }),
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      2,
    );
    expect(report.checks.evidenceBinding.result).toBe('failed');
    await expectFailure(
      (draft) => void Object.assign(draft.chain.entries[2]!, { evidence: chain.evidence.get(2) }),
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      3,
    );
  });

  it('each sealed member of the record: CHAIN_PAYLOAD_BINDING_MISMATCH at the newest entry', async () => {
    const other = '0190a000-0000-7000-8000-0000000000ff';
    const changes: Partial<AuditExport['record']>[] = [
      { orgId: other },
      { type: 'x' },
      { publisher: 'x' },
      { contractVersion: 2 },
      { manifestDigest: '0'.repeat(64) },
      { status: 'FAILED' },
      { criteriaHash: '0'.repeat(64) },
      { criteria: { action: 'invoice.approve', amount: '999999.00' } },
      { criteria: { action: 'x' }, criteriaHash: hashJson({ action: 'x' }) },
      { principalAgentId: other },
      { performerAgentId: other },
      { performerAgentId: null },
      { parentRecordId: other },
      { latestCompletionId: null },
      { id: other },
    ];
    for (const change of changes)
      await expectFailure(
        (draft) => void Object.assign(draft.record, change),
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        3,
      );
  });

  it('another hub id than the platform chain says: CHAIN_PAYLOAD_BINDING_MISMATCH', async () => {
    await expectFailure(
      (draft) => void (draft.service.hubId = '0190a000-0000-7000-8000-0000000000ff'),
      'CHAIN_PAYLOAD_BINDING_MISMATCH',
      null,
    );
  });
});

describe('keys', () => {
  it('a key row edited: the class of what was edited', async () => {
    await expectFailure(
      (draft) => void (draft.keys[0]!.status = 'retired'),
      'CHAIN_KEY_POLICY_VIOLATION',
      null,
    );
    await expectFailure(
      (draft) => void (draft.keys[0]!.activatedAt = '2020-01-01T00:00:00.000Z'),
      'CHAIN_KEY_POLICY_VIOLATION',
      null,
    );
    await expectFailure(
      (draft) => void (draft.keys[0]!.algorithm = 'ES256'),
      'CHAIN_ALG_MISMATCH',
      null,
    );
    await expectFailure(
      (draft) => void (draft.keys[0]!.coseAlgorithm = -19),
      'CHAIN_ALG_MISMATCH',
      null,
    );
    await expectFailure(
      (draft) => void (draft.keys.length = 0),
      'CHAIN_SIGNATURE_MISSING_KEY',
      null,
    );
    await expectFailure(
      (draft) => void draft.keys.push(draft.keys[0]!),
      'CHAIN_SIGNING_KEY_DRIFT',
      null,
    );
  });

  it('the same key id with another public key: CHAIN_SIGNING_KEY_DRIFT', async () => {
    const other = await webCryptoSigner('Ed25519');
    await expectFailure(
      (draft) =>
        void Object.assign(draft.keys[0]!, {
          publicKey: encodeBase64(other.publicKey),
          publicKeyRaw: encodeBase64(other.publicKey.slice(12)),
        }),
      'CHAIN_SIGNING_KEY_DRIFT',
      null,
    );
  });

  it('no key statement: CHAIN_SIGNATURE_MISSING_KEY at every entry', async () => {
    const report = await expectFailure(
      (draft) => void (draft.keyStatements.length = 0),
      'CHAIN_SIGNATURE_MISSING_KEY',
      1,
    );
    expect(
      report.failures.filter(
        (failure) =>
          failure.class === 'CHAIN_SIGNATURE_MISSING_KEY' && failure.chainKey === chain.chainKey,
      ),
    ).toHaveLength(3);
  });

  it('an entry signed by a key that nobody vouches for: CHAIN_SIGNATURE_MISSING_KEY', async () => {
    const stranger = await webCryptoSigner('Ed25519');
    await expectFailure(
      async (draft) => {
        putBytes(
          draft,
          2,
          await reseal(stranger, bytesOf(draft.chain.entries[2]!.coseSign1), {
            header: { kid: stranger.keyId },
          }),
        );
        draft.chain.entries[2]!.signingKeyId = stranger.keyId;
      },
      'CHAIN_SIGNATURE_MISSING_KEY',
      3,
    );
  });

  it('the whole export made anew under another key: cannot be told, and valid only for who trusts that key', async () => {
    const forger = await TestHub.start();
    const forged = await forger.export(await forger.gate());
    const report = await verify(forged);
    expect(report).toMatchObject({
      verdict: 'cannot_tell',
      exitCode: 2,
      failures: [],
      checks: { keySuccession: { result: 'skipped_no_input' } },
    });
    expect(report.reasons.join()).toMatch(/signed with sha256:[0-9a-f]{64}; you trust sha256:/);
    expect(report.reasons.join()).toContain('nothing in this file leads from the key you trust');
    expect((await verify(forged, forger)).verdict).toBe('valid');
  });

  it('a key statement that its key did not sign: CHAIN_SIGNATURE_INVALID on the platform chain', async () => {
    await expectFailure(
      (draft) => {
        const bytes = bytesOf(draft.keyStatements[0]!.coseSign1);
        bytes[bytes.length - 1]! ^= 1;
        draft.keyStatements[0]!.coseSign1 = encodeBase64(bytes);
      },
      'CHAIN_SIGNATURE_INVALID',
      1,
    );
  });
});

describe('checkpoints', () => {
  it('a row that disagrees with its bytes: CHECKPOINT_HEAD_MISMATCH', async () => {
    await expectFailure(
      (draft) => void (draft.checkpoint!.headHash = '0'.repeat(64)),
      'CHECKPOINT_HEAD_MISMATCH',
      3,
    );
    await expectFailure(
      (draft) => void (draft.checkpoint!.position = 2),
      'CHECKPOINT_HEAD_MISMATCH',
      2,
    );
    await expectFailure(
      (draft) => void (draft.checkpoint!.logIndex = 7),
      'CHECKPOINT_HEAD_MISMATCH',
      3,
    );
    await expectFailure(
      (draft) => void (draft.checkpoint!.createdAt = '2026-11-20T11:00:00.000Z'),
      'CHECKPOINT_HEAD_MISMATCH',
      3,
    );
  });

  it('its signature broken, its bytes broken, its key unknown, its place in the log', async () => {
    const broken = (draft: Draft): void => {
      const bytes = bytesOf(draft.checkpoint!.coseSign1);
      bytes[bytes.length - 1]! ^= 1;
      draft.checkpoint!.coseSign1 = encodeBase64(bytes);
    };
    const report = await expectFailure(broken, 'CHECKPOINT_SIGNATURE_INVALID', 3);
    expect(report.checks.completeness.result).toBe('skipped_no_input');
    await expectFailure(
      (draft) => void (draft.checkpoint!.coseSign1 = 'AAAA'),
      'CHECKPOINT_DECODE_FAILED',
      3,
    );
    await expectFailure(
      (draft) => void (draft.checkpoint!.coseSign1 = 'A'),
      'CHECKPOINT_DECODE_FAILED',
      3,
    );
    await expectFailure(
      (draft) => void (draft.checkpoint!.coseSign1 = draft.chain.entries[2]!.coseSign1),
      'CHECKPOINT_DECODE_FAILED',
      3,
    );
    await expectFailure((draft) => void draft.checkpoints.reverse(), 'CHECKPOINT_LOG_GAP', 2);
    const stranger = await webCryptoSigner('Ed25519');
    await expectFailure(
      async (draft) => {
        draft.checkpoint!.coseSign1 = encodeBase64(
          await reseal(stranger, bytesOf(draft.checkpoint!.coseSign1), {
            header: { kid: stranger.keyId },
          }),
        );
        draft.checkpoint!.signingKeyId = stranger.keyId;
      },
      'CHECKPOINT_SIGNATURE_MISSING_KEY',
      3,
    );
  });

  it('that names another hash for an entry: CHECKPOINT_HEAD_MISMATCH (a rewritten chain, sealed by the key itself)', async () => {
    const rewriter = await TestHub.start();
    const before = await rewriter.gate();
    const closing = (await rewriter.export(before)).checkpoint;
    const after: TestChain = {
      ...before,
      entries: before.entries.slice(0, 2),
      statements: before.statements.slice(0, 2),
      checkpoints: [],
      record: { ...before.record },
    };
    const completion = before.statements[1]!.predicate as {
      completionId: string;
      evidenceHash: string;
    };
    await rewriter.append(
      after,
      'VERDICT_RENDERED',
      { action: 'render-verdict', from: 'ACTIVE', to: 'FAILED' },
      {
        completionId: completion.completionId,
        evidenceHash: completion.evidenceHash,
        verdict: 'reject',
      },
    );
    const rewritten = { ...(await rewriter.export(after)), checkpoint: closing, checkpoints: [] };
    const report = await verify(rewritten, rewriter);
    expect(report.failures.map(({ class: name, position }) => [name, position])).toEqual([
      ['CHECKPOINT_HEAD_MISMATCH', 3],
    ]);
  });

  it('of another chain: CHECKPOINT_CHAIN_MISSING', async () => {
    const other = await hub.export(await hub.gate());
    await expectFailure(
      (draft) => void (draft.checkpoint = { ...other.checkpoint! }),
      'CHECKPOINT_CHAIN_MISSING',
      3,
    );
  });
});
