import { isObject, type JsonObject, type JsonValue } from '../kernel/canonical-json.ts';
import { decodeUtf8Strict, parseStrictJson, StrictJsonError } from '../kernel/strict-json.ts';
import { PLATFORM_CHAIN } from '../vault/chain-key.ts';
import type {
  AuditExport,
  AuditExportCheckpoint,
  AuditExportEntry,
  AuditExportKey,
  AuditExportKeyStatement,
  AuditExportRecord,
} from './audit-export.ts';
import type { ChainRow } from './chain-entry.ts';
import type { KeyMaterial } from './hub-keys.ts';
import type { Findings } from './report.ts';
import * as form from './shape.ts';
import { decodeBase64Strict } from '../kernel/base64.ts';
import type { CheckpointRow } from './verify-checkpoint.ts';
import type { KeyRow, KeyStatementRow } from './verify-keys.ts';

/** An audit export with its bytes decoded. What could not be read is null or left out, and was reported. */
export interface ReadAuditExport {
  readonly service: AuditExport['service'] | null;
  readonly record: AuditExportRecord | null;
  readonly chainKey: string;
  readonly head: { readonly position: number; readonly hash: string } | null;
  readonly entries: readonly (ChainRow | null)[];
  readonly keyMaterial: KeyMaterial;
  readonly checkpoint: CheckpointRow | null;
  readonly checkpoints: readonly CheckpointRow[];
}

/** Reads the file strictly; null where it is no audit export at all. Every fault goes into `findings`. */
export const readAuditExport = (
  input: Uint8Array | string,
  findings: Findings,
): ReadAuditExport | null => {
  findings.looked('document');
  const fault = (detail: string): void =>
    findings.fail('document', 'document', 'CHAIN_COSE_DECODE_FAILED', NOWHERE, detail);
  const document = parse(input, fault);
  if (document === undefined) return null;
  form.fits(document, EXPORT, 'the export', fault);
  if (!isObject(document) || !isObject(document['chain'])) return null;
  const service = form.fits(document['service'], SERVICE, 'service', fault)
    ? (document['service'] as unknown as AuditExport['service'])
    : null;
  const record = form.fits(document['record'], RECORD, 'record', fault)
    ? (document['record'] as unknown as AuditExportRecord)
    : null;
  form.fits(document['verificationGuide'], GUIDE, 'verificationGuide', fault);
  const chain = document['chain'];
  form.fits(chain, CHAIN, 'chain', fault);
  const chainKey = typeof chain['chainKey'] === 'string' ? chain['chainKey'] : (record?.id ?? '');
  const head = form.fits(chain['head'], HEAD, 'chain.head', fault)
    ? { position: chain['head']['position'] as number, hash: chain['head']['hash'] as string }
    : null;
  return {
    service,
    record,
    chainKey,
    head,
    entries: itemsOf(chain['entries']).map((value, index) =>
      readEntry(value, index, chainKey, findings),
    ),
    keyMaterial: {
      keys: itemsOf(document['keys']).flatMap((value, index) => readKey(value, index, findings)),
      keyStatements: itemsOf(document['keyStatements']).flatMap((value, index) =>
        readKeyStatement(value, index, findings),
      ),
      text: JSON.stringify([document['keys'], document['keyStatements']]),
    },
    checkpoint:
      document['checkpoint'] === null || document['checkpoint'] === undefined
        ? null
        : (readCheckpoint(document['checkpoint'], 'checkpoint', findings)[0] ?? null),
    checkpoints: itemsOf(document['checkpoints']).flatMap((value, index) =>
      readCheckpoint(value, `checkpoints[${index}]`, findings),
    ),
  };
};

const NOWHERE = { chainKey: null, position: null };

/** Far beyond any record's chain, and short of what a runtime holds in one string. */
const MAX_LENGTH = 256 * 1024 * 1024;

const parse = (
  input: Uint8Array | string,
  fault: (detail: string) => void,
): JsonValue | undefined => {
  if (input.length > MAX_LENGTH) {
    fault(`the file is larger than ${MAX_LENGTH} bytes`);
    return undefined;
  }
  try {
    return parseStrictJson(typeof input === 'string' ? input : decodeUtf8Strict(input), {
      maxDepth: 128,
    });
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    fault(
      `the file cannot be read as strict JSON: ${error.message} (${error.pointer === '' ? 'at the top' : error.pointer}, line ${error.line}, column ${error.column})`,
    );
    return undefined;
  }
};

const itemsOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? value : [];

const readEntry = (
  value: JsonValue,
  index: number,
  chainKey: string,
  findings: Findings,
): ChainRow | null => {
  const position =
    isObject(value) && form.position.test(value['position'] ?? null)
      ? (value['position'] as number)
      : null;
  const place = { chainKey, position };
  const fault = (detail: string): void =>
    findings.fail('document', 'chain', 'CHAIN_COSE_DECODE_FAILED', place, detail);
  findings.looked('document');
  if (!form.fits(value, ENTRY, `entry ${position ?? `number ${index + 1}`}`, fault)) return null;
  const entry = value as unknown as AuditExportEntry;
  const coseSign1 = decodeBase64Strict(entry.coseSign1);
  if (coseSign1) {
    // Member by member: whatever else the object holds has no form that anyone checked.
    const { entryType, hash, previousHash, signingKeyId, algorithm, createdAt, evidence } = entry;
    const statement = entry.statement as unknown as JsonObject;
    return {
      position: entry.position,
      entryType,
      hash,
      previousHash,
      signingKeyId,
      algorithm,
      createdAt,
      coseSign1,
      statement,
      ...(evidence === undefined ? {} : { evidence }),
    };
  }
  fault('coseSign1 is not canonical base64');
  return null;
};

const readKey = (value: JsonValue, index: number, findings: Findings): KeyRow[] => {
  const fault = (detail: string): void =>
    findings.fail(
      'document',
      'keys',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: PLATFORM_CHAIN, position: null },
      detail,
    );
  findings.looked('document');
  if (!form.fits(value, KEY, `keys[${index}]`, fault)) return [];
  const { keyId, algorithm, coseAlgorithm, status, activatedAt, retiredAt, ...key } =
    value as unknown as AuditExportKey;
  const publicKey = decodeBase64Strict(key.publicKey);
  const publicKeyRaw = decodeBase64Strict(key.publicKeyRaw);
  if (publicKey && publicKeyRaw)
    return [
      { keyId, algorithm, coseAlgorithm, publicKey, publicKeyRaw, status, activatedAt, retiredAt },
    ];
  fault(`keys[${index}]: a public key is not canonical base64`);
  return [];
};

const readKeyStatement = (
  value: JsonValue,
  index: number,
  findings: Findings,
): KeyStatementRow[] => {
  const position =
    isObject(value) && form.position.test(value['chainPosition'] ?? null)
      ? (value['chainPosition'] as number)
      : null;
  const fault = (detail: string): void =>
    findings.fail(
      'document',
      'keys',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: PLATFORM_CHAIN, position },
      detail,
    );
  findings.looked('document');
  if (!form.fits(value, KEY_STATEMENT, `keyStatements[${index}]`, fault)) return [];
  const { keyId, statement, chainPosition, createdAt, ...row } =
    value as unknown as AuditExportKeyStatement;
  const coseSign1 = decodeBase64Strict(row.coseSign1);
  if (coseSign1) return [{ keyId, statement, chainPosition, createdAt, coseSign1 }];
  fault(`keyStatements[${index}]: coseSign1 is not canonical base64`);
  return [];
};

const readCheckpoint = (value: JsonValue, what: string, findings: Findings): CheckpointRow[] => {
  const position =
    isObject(value) && form.position.test(value['position'] ?? null)
      ? (value['position'] as number)
      : null;
  const fault = (detail: string): void =>
    findings.fail(
      'document',
      'checkpoints',
      'CHECKPOINT_DECODE_FAILED',
      { chainKey: null, position },
      detail,
    );
  findings.looked('document');
  if (!form.fits(value, CHECKPOINT, what, fault)) return [];
  const {
    logIndex,
    chainKind,
    chainKey,
    position: covered,
    headHash,
    signingKeyId,
    createdAt,
    ...row
  } = value as unknown as AuditExportCheckpoint;
  const coseSign1 = decodeBase64Strict(row.coseSign1);
  if (coseSign1)
    return [
      {
        logIndex,
        chainKind,
        chainKey,
        position: covered,
        headHash,
        signingKeyId,
        createdAt,
        coseSign1,
      },
    ];
  fault(`${what}: coseSign1 is not canonical base64`);
  return [];
};

const EXPORT: form.Shape = {
  formatVersion: form.oneOfTexts('1.0'),
  canonicalization: form.oneOfTexts('jcs', 'cde'),
  exportedAt: form.time,
  service: form.object,
  record: form.object,
  chain: form.object,
  keys: form.list,
  keyStatements: form.list,
  checkpoint: form.formOrNull(form.object),
  checkpoints: form.list,
  verificationGuide: form.object,
};
const SERVICE: form.Shape = { baseUrl: form.text, hubId: form.text, version: form.text };
const GUIDE: form.Shape = {
  summary: form.text,
  steps: form.texts,
  evidenceBinding: form.text,
  commands: form.texts,
};
const CHAIN: form.Shape = { chainKey: form.text, head: form.object, entries: form.list };
const HEAD: form.Shape = { position: form.position, hash: form.hash };
const RECORD: form.Shape = {
  id: form.text,
  orgId: form.text,
  type: form.text,
  publisher: form.text,
  contractVersion: form.integer,
  manifestDigest: form.hash,
  status: form.text,
  criteria: form.object,
  criteriaHash: form.hash,
  principalAgentId: form.text,
  performerAgentId: form.formOrNull(form.text),
  parentRecordId: form.formOrNull(form.text),
  latestCompletionId: form.formOrNull(form.text),
  createdAt: form.time,
  platform: form.optional(form.text),
  platformRef: form.optional(form.formOrNull(form.text)),
  gateMode: form.optional(form.text),
  operatingMode: form.optional(form.text),
  rootRecordId: form.optional(form.text),
  depth: form.optional(form.count),
  awaiting: form.optional(form.formOrNull(form.text)),
  revisionCount: form.optional(form.count),
  maxRevisions: form.optional(form.formOrNull(form.count)),
  disputed: form.optional(form.flag),
  openDisputeId: form.optional(form.formOrNull(form.text)),
  disputeCount: form.optional(form.count),
  counterProposal: form.optional(form.formOrNull(form.object)),
  references: form.optional(form.list),
  onBehalfOf: form.optional(form.formOrNull(form.object)),
  federation: form.optional(form.formOrNull(form.object)),
  expiresAt: form.optional(form.formOrNull(form.time)),
  activatedAt: form.optional(form.formOrNull(form.time)),
  terminalAt: form.optional(form.formOrNull(form.time)),
  updatedAt: form.optional(form.time),
  version: form.optional(form.count),
};
const ENTRY: form.Shape = {
  position: form.position,
  entryType: form.text,
  hash: form.hash,
  previousHash: form.hash,
  signingKeyId: form.keyId,
  algorithm: form.text,
  createdAt: form.time,
  coseSign1: form.text,
  statement: form.object,
  evidence: form.optional(form.anything),
};
const KEY: form.Shape = {
  keyId: form.keyId,
  algorithm: form.text,
  coseAlgorithm: form.integer,
  publicKey: form.text,
  publicKeyRaw: form.text,
  status: form.oneOfTexts('active', 'retired'),
  activatedAt: form.time,
  retiredAt: form.formOrNull(form.time),
  minVerifierVersion: form.version,
};
const KEY_STATEMENT: form.Shape = {
  keyId: form.keyId,
  statement: form.oneOfTexts('activated', 'retired'),
  chainPosition: form.position,
  createdAt: form.time,
  coseSign1: form.text,
};
const CHECKPOINT: form.Shape = {
  id: form.text,
  logIndex: form.count,
  chainKind: form.oneOfTexts('record', 'schema', 'admin'),
  chainKey: form.text,
  position: form.position,
  headHash: form.hash,
  signingKeyId: form.keyId,
  createdAt: form.time,
  coseSign1: form.text,
};
