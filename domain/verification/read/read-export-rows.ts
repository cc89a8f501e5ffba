import { decodeBase64Strict } from '../../kernel/base64.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import type {
  AuditExportCheckpoint,
  AuditExportEntry,
  AuditExportKey,
  AuditExportKeyStatement,
} from './audit-export.ts';
import {
  CHECKPOINT_SHAPE,
  ENTRY_SHAPE,
  KEY_SHAPE,
  KEY_STATEMENT_SHAPE,
} from './audit-export-shapes.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import type { KeyRow, KeyStatementRow } from '../keys/key-material.ts';
import type { Findings } from '../report/report.ts';
import * as form from '../report/shape.ts';
import type { CheckpointRow } from '../chain/verify-checkpoint.ts';

/** One entry of the chain; null where it cannot be read. */
export const readEntry = (
  value: JsonValue,
  index: number,
  chainKey: string,
  findings: Findings,
): ChainRow | null => {
  const position = positionIn(value, 'position');
  const place = { chainKey, position };
  const fault = (detail: string): void =>
    findings.fail('document', 'chain', 'CHAIN_COSE_DECODE_FAILED', place, detail);
  findings.looked('document');
  if (!form.fits(value, ENTRY_SHAPE, `entry ${position ?? `number ${index + 1}`}`, fault))
    return null;
  const entry = value as unknown as AuditExportEntry;
  const coseSign1 = decodeBase64Strict(entry.coseSign1);
  const request = entry.request === undefined ? undefined : decodeBase64Strict(entry.request);
  if (request === null) fault('request is not canonical base64');
  if (coseSign1) {
    // Member by member: whatever else the object holds has no form that anyone checked.
    const { entryType, hash, previousHash, signingKeyId, algorithm, createdAt } = entry;
    const { evidence, content } = entry;
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
      ...(content === undefined ? {} : { content }),
      ...(request ? { request } : {}),
    };
  }
  fault('coseSign1 is not canonical base64');
  return null;
};

export const readKey = (value: JsonValue, index: number, findings: Findings): KeyRow[] => {
  const fault = (detail: string): void =>
    findings.fail(
      'document',
      'keys',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: PLATFORM_CHAIN, position: null },
      detail,
    );
  findings.looked('document');
  if (!form.fits(value, KEY_SHAPE, `keys[${index}]`, fault)) return [];
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

export const readKeyStatement = (
  value: JsonValue,
  index: number,
  findings: Findings,
): KeyStatementRow[] => {
  const position = positionIn(value, 'position');
  const fault = (detail: string): void =>
    findings.fail(
      'document',
      'keys',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: PLATFORM_CHAIN, position },
      detail,
    );
  findings.looked('document');
  if (!form.fits(value, KEY_STATEMENT_SHAPE, `keyStatements[${index}]`, fault)) return [];
  const { keyId, statement, position: at, ...row } = value as unknown as AuditExportKeyStatement;
  const coseSign1 = decodeBase64Strict(row.coseSign1);
  if (coseSign1) return [{ keyId, statement, position: at, coseSign1 }];
  fault(`keyStatements[${index}]: coseSign1 is not canonical base64`);
  return [];
};

export const readCheckpoint = (
  value: JsonValue,
  what: string,
  findings: Findings,
): CheckpointRow[] => {
  const position = positionIn(value, 'position');
  const fault = (detail: string): void =>
    findings.fail(
      'document',
      'checkpoints',
      'CHECKPOINT_DECODE_FAILED',
      { chainKey: null, position },
      detail,
    );
  findings.looked('document');
  if (!form.fits(value, CHECKPOINT_SHAPE, what, fault)) return [];
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

/** Where the row says that it stands, for the report of a fault in it. */
const positionIn = (value: JsonValue, member: string): number | null =>
  isObject(value) && form.position.test(value[member] ?? null) ? (value[member] as number) : null;
