import { decodeBase64Strict } from '../../kernel/base64.ts';
import type { JsonObject, JsonValue } from '../../kernel/canonical-json.ts';
import type { AuditExportFederation, AuditExportMessage } from './audit-export.ts';
import { FEDERATION_SHAPE, MESSAGE_SHAPE } from './audit-export-shapes.ts';
import type { KeyStatementRow } from '../keys/key-material.ts';
import { readKeyStatement } from './read-export-rows.ts';
import type { Findings } from '../report/report.ts';
import * as form from '../report/shape.ts';

/** The member `federation` with its bytes decoded. What could not be read is left out, and was reported. */
export interface ReadFederation extends Omit<
  AuditExportFederation,
  'keyStatements' | 'statements'
> {
  readonly keyStatements: readonly KeyStatementRow[];
  readonly statements: readonly ReadMessage[];
}

export interface ReadMessage extends Pick<AuditExportMessage, 'direction' | 'sequence'> {
  readonly coseSign1: Uint8Array;
  readonly entries: readonly Uint8Array[];
  readonly attestation: Uint8Array | null;
}

/** Of the form of each list nothing is known yet. */
type Unread = Omit<AuditExportFederation, 'keyStatements' | 'statements'> &
  Readonly<Record<'keyStatements' | 'statements', readonly JsonValue[]>>;

/** More is not read: many times what one record has. */
const MAX_ITEMS = 100_000;

export const readFederation = (value: JsonObject, findings: Findings): ReadFederation | null => {
  findings.looked('document');
  const fault = (detail: string): null => {
    findings.fail(
      'document',
      'chain',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: null, position: null },
      detail,
    );
    return null;
  };
  if (!form.fits(value, FEDERATION_SHAPE, 'federation', fault)) return null;
  const { role, peerHubId, peerRecordId, vaultRoot, keyStatements, statements } =
    value as unknown as Unread;
  if (keyStatements.length > MAX_ITEMS || statements.length > MAX_ITEMS)
    return fault(`federation has more than ${MAX_ITEMS} items`);
  return {
    role,
    peerHubId,
    peerRecordId,
    vaultRoot,
    keyStatements: keyStatements.flatMap((row, index) => readKeyStatement(row, index, findings)),
    statements: statements.flatMap((row, index) =>
      readMessage(row, `federation.statements[${index}]`, fault),
    ),
  };
};

const readMessage = (
  value: JsonValue,
  what: string,
  fault: (detail: string) => null,
): readonly ReadMessage[] => {
  if (!form.fits(value, MESSAGE_SHAPE, what, fault)) return [];
  const { direction, sequence, ...texts } = value as unknown as AuditExportMessage;
  const coseSign1 = decodeBase64Strict(texts.coseSign1);
  const entries = texts.entries.map(decodeBase64Strict);
  const attestation = texts.attestation === null ? null : decodeBase64Strict(texts.attestation);
  if (coseSign1 && entries.every((entry) => entry !== null) && (attestation || !texts.attestation))
    return [{ direction, sequence, coseSign1, entries, attestation }];
  fault(`${what}: some bytes are not canonical base64`);
  return [];
};
