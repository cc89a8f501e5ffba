import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import type { AuditExport, AuditExportParty, AuditExportRecord } from './audit-export.ts';
import {
  CHAIN_SHAPE,
  EXPORT_SHAPE,
  FEDERATED_PARTY_SHAPE,
  GUIDE_SHAPE,
  HEAD_SHAPE,
  PARTY_SHAPE,
  RECORD_SHAPE,
  SERVICE_SHAPE,
} from './audit-export-shapes.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import type { KeyMaterial } from '../keys/key-material.ts';
import { readFederation, type ReadFederation } from './read-federation.ts';
import { readCheckpoint, readEntry, readKey, readKeyStatement } from './read-export-rows.ts';
import {
  readAcknowledgement,
  readLog,
  readRetirement,
  type AcknowledgementRow,
  type LogRow,
  type RetirementRow,
} from './read-proofs.ts';
import type { Findings } from '../report/report.ts';
import * as form from '../report/shape.ts';
import type { CheckpointRow } from '../chain/verify-checkpoint.ts';

/** An audit export with its bytes decoded. What could not be read is null or left out, and was reported. */
export interface ReadAuditExport {
  readonly service: AuditExport['service'] | null;
  readonly record: AuditExportRecord | null;
  readonly manifest: JsonObject | null;
  /** Null where one of them could not be read. */
  readonly parties: readonly AuditExportParty[] | null;
  readonly chainKey: string;
  readonly head: { readonly position: number; readonly hash: string } | null;
  readonly entries: readonly (ChainRow | null)[];
  readonly keyMaterial: KeyMaterial;
  readonly checkpoint: CheckpointRow | null;
  readonly checkpoints: readonly CheckpointRow[];
  readonly retirements: readonly RetirementRow[];
  readonly acknowledgements: readonly AcknowledgementRow[];
  readonly log: LogRow | null;
  readonly federation: ReadFederation | null;
}

/** Reads an audit export; null where it has no chain. Every fault goes into `findings`. */
export const readAuditExport = (
  document: JsonObject,
  findings: Findings,
): ReadAuditExport | null => {
  findings.looked('document');
  const fault = (detail: string): void =>
    findings.fail('document', 'document', 'CHAIN_COSE_DECODE_FAILED', NOWHERE, detail);
  form.fits(document, EXPORT_SHAPE, 'the export', fault);
  if (!isObject(document['chain'])) return null;
  const itemsOf = (holder: JsonObject, name: string): readonly JsonValue[] => {
    const value = holder[name];
    if (!Array.isArray(value)) return [];
    const items = value as readonly JsonValue[];
    if (items.length <= MAX_ITEMS) return items;
    fault(`${name} has more than ${MAX_ITEMS} items`);
    return [];
  };
  const service = form.fits(document['service'], SERVICE_SHAPE, 'service', fault)
    ? (document['service'] as unknown as AuditExport['service'])
    : null;
  const record = form.fits(document['record'], RECORD_SHAPE, 'record', fault)
    ? (document['record'] as unknown as AuditExportRecord)
    : null;
  form.fits(document['verificationGuide'], GUIDE_SHAPE, 'verificationGuide', fault);
  const chain = document['chain'];
  form.fits(chain, CHAIN_SHAPE, 'chain', fault);
  const chainKey = typeof chain['chainKey'] === 'string' ? chain['chainKey'] : (record?.id ?? '');
  const head = form.fits(chain['head'], HEAD_SHAPE, 'chain.head', fault)
    ? { position: chain['head']['position'] as number, hash: chain['head']['hash'] as string }
    : null;
  return {
    service,
    record,
    manifest: isObject(document['manifest']) ? document['manifest'] : null,
    parties: partiesIn(
      itemsOf(document, 'parties'),
      isObject(document['federation']) ? FEDERATED_PARTY_SHAPE : PARTY_SHAPE,
      fault,
    ),
    chainKey,
    head,
    entries: itemsOf(chain, 'entries').map((value, index) =>
      readEntry(value, index, chainKey, findings),
    ),
    keyMaterial: {
      keys: itemsOf(document, 'keys').flatMap((value, index) => readKey(value, index, findings)),
      keyStatements: itemsOf(document, 'keyStatements').flatMap((value, index) =>
        readKeyStatement(value, index, findings),
      ),
      text: JSON.stringify([document['keys'], document['keyStatements']]),
    },
    checkpoint:
      document['checkpoint'] === null || document['checkpoint'] === undefined
        ? null
        : (readCheckpoint(document['checkpoint'], 'checkpoint', findings)[0] ?? null),
    checkpoints: itemsOf(document, 'checkpoints').flatMap((value, index) =>
      readCheckpoint(value, `checkpoints[${index}]`, findings),
    ),
    retirements: itemsOf(document, 'retirements').flatMap((value, index) =>
      readRetirement(value, `retirements[${index}]`, findings),
    ),
    acknowledgements: itemsOf(document, 'acknowledgements').flatMap((value, index) =>
      readAcknowledgement(value, `acknowledgements[${index}]`, findings),
    ),
    log: isObject(document['log']) ? readLog(document['log'], findings) : null,
    federation: isObject(document['federation'])
      ? readFederation(document['federation'], findings)
      : null,
  };
};

const partiesIn = (
  items: readonly JsonValue[],
  shape: form.Shape,
  fault: (detail: string) => void,
): readonly AuditExportParty[] | null =>
  items.filter((item, index) => form.fits(item, shape, `parties[${index}]`, fault)).length ===
  items.length
    ? (items as unknown as readonly AuditExportParty[])
    : null;

const NOWHERE = { chainKey: null, position: null };

/** Of any list: many times what a record may have, and few enough to report a fault in each. */
const MAX_ITEMS = 100_000;
