import { decodeBase64Strict } from '../../kernel/base64.ts';
import type { JsonObject, JsonValue } from '../../kernel/canonical-json.ts';
import type {
  AuditExportAcknowledgement,
  AuditExportLog,
  AuditExportRetirement,
} from './audit-export.ts';
import {
  ACKNOWLEDGEMENT_SHAPE,
  INCLUSION_SHAPE,
  LEAF_SHAPE,
  LOG_SHAPE,
  RETIREMENT_SHAPE,
} from './audit-export-shapes.ts';
import type { Findings } from '../report/report.ts';
import * as form from '../report/shape.ts';

export interface InclusionRow {
  readonly leafIndex: number;
  readonly treeSize: number;
  /** Lowercase hex. */
  readonly path: readonly string[];
}

/** The newest checkpoint of the chain by a retired key, bytes decoded. */
export interface RetirementRow {
  readonly keyId: string;
  readonly logIndex: number;
  readonly coseSign1: Uint8Array;
  readonly inclusion: InclusionRow;
}

/** An entry of the platform chain, bytes decoded. */
export interface AcknowledgementRow {
  readonly position: number;
  readonly coseSign1: Uint8Array;
}

/** The platform checkpoint whose root covers the closing one. */
export interface LogRow {
  readonly coseSign1: Uint8Array;
  readonly inclusion: InclusionRow;
  /** RFC 3161, DER; null where it has none. */
  readonly timestampToken: Uint8Array | null;
}

export const readRetirement = (
  value: JsonValue,
  what: string,
  findings: Findings,
): RetirementRow[] => {
  const fault = faultIn(findings);
  if (!form.fits(value, RETIREMENT_SHAPE, what, fault)) return [];
  const leaf = value['checkpoint'] as JsonObject;
  const soundLeaf = form.fits(leaf, LEAF_SHAPE, `${what}.checkpoint`, fault);
  if (!form.fits(value['inclusion'], INCLUSION_SHAPE, `${what}.inclusion`, fault) || !soundLeaf)
    return [];
  const { keyId, checkpoint, inclusion } = value as unknown as AuditExportRetirement;
  const coseSign1 = decodeBase64Strict(checkpoint.coseSign1);
  if (coseSign1) return [{ keyId, logIndex: checkpoint.logIndex, coseSign1, inclusion }];
  fault(`${what}.checkpoint: coseSign1 is not canonical base64`);
  return [];
};

export const readAcknowledgement = (
  value: JsonValue,
  what: string,
  findings: Findings,
): AcknowledgementRow[] => {
  findings.looked('document');
  const fault = (detail: string): void =>
    findings.fail(
      'document',
      'keys',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: null, position: null },
      detail,
    );
  if (!form.fits(value, ACKNOWLEDGEMENT_SHAPE, what, fault)) return [];
  const { position, ...row } = value as unknown as AuditExportAcknowledgement;
  const coseSign1 = decodeBase64Strict(row.coseSign1);
  if (coseSign1) return [{ position, coseSign1 }];
  fault(`${what}: coseSign1 is not canonical base64`);
  return [];
};

export const readLog = (value: JsonValue, findings: Findings): LogRow | null => {
  const fault = faultIn(findings);
  if (!form.fits(value, LOG_SHAPE, 'log', fault)) return null;
  if (!form.fits(value['inclusion'], INCLUSION_SHAPE, 'log.inclusion', fault)) return null;
  const { inclusion, timestampToken: token, ...row } = value as unknown as AuditExportLog;
  const coseSign1 = decodeBase64Strict(row.coseSign1);
  const timestampToken = token === undefined ? null : decodeBase64Strict(token);
  if (token !== undefined && !timestampToken) fault('log: timestampToken is not canonical base64');
  if (coseSign1) return { coseSign1, inclusion, timestampToken };
  fault('log: coseSign1 is not canonical base64');
  return null;
};

const faultIn = (findings: Findings): ((detail: string) => void) => {
  findings.looked('document');
  return (detail) =>
    findings.fail(
      'document',
      'checkpoints',
      'CHECKPOINT_DECODE_FAILED',
      { chainKey: null, position: null },
      detail,
    );
};
