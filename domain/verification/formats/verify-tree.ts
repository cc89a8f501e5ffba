import { isObject, type JsonObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { sha256Hex } from '../../kernel/digest.ts';
import { decodeBase64Strict } from '../../kernel/base64.ts';
import { CoSignatureLedger } from '../co-signature/co-signature-ledger.ts';
import { HubKeys } from '../platform/hub-keys.ts';
import type { ReceiptsBeside } from './receipts-beside.ts';
import { NO_SUBJECT, type Findings, type VerificationSubject } from '../report/report.ts';
import type { Looked, VerifyOptions } from './reported.ts';
import * as form from '../report/shape.ts';
import { verifyExportDocument } from './verify-audit-export.ts';

const TREE_SHAPE: form.Shape = {
  formatVersion: form.anything,
  canonicalization: form.anything,
  exportedAt: form.anything,
  service: form.anything,
  omitted: form.count,
  records: form.list,
  keys: form.anything,
  keyStatements: form.anything,
  verificationGuide: form.anything,
};

/** As many as an export is made of. */
const MAX_RECORDS = 2_000;

export const isTree = (document: JsonObject): boolean => Object.hasOwn(document, 'records');

/**
 * Verifies an export of a record and those below it: each as an export of its own under the keys that stand once, and what
 * a chain seals of its children against their chains, where those are in the file.
 */
export const verifyTreeDocument = async (
  document: JsonObject,
  options: VerifyOptions & { readonly receiptsBeside?: ReceiptsBeside },
  findings: Findings,
): Promise<Looked> => {
  const fault = (detail: string): void =>
    findings.fail(
      'document',
      'document',
      'CHAIN_COSE_DECODE_FAILED',
      { chainKey: null, position: null },
      detail,
    );
  const subject = { ...NO_SUBJECT, kind: 'audit-export' } as const;
  if (!form.fits(document, TREE_SHAPE, 'the export', fault)) return { subject };
  const { omitted, records, ...frame } = document;
  const shown = records as readonly JsonValue[];
  if (shown.length === 0 || shown.length > MAX_RECORDS) {
    fault(`records has ${shown.length} items; there are 1 to ${MAX_RECORDS}`);
    return { subject };
  }
  if (options.kept?.length)
    findings.cannotTell(
      'keptStatements',
      'cannot tell: a kept statement is held against the export of its record alone',
    );
  const shared = {
    ...options,
    kept: [],
    keys: options.keys ?? new HubKeys(),
    coSignatures: new CoSignatureLedger(),
  };
  const looked: Looked[] = [];
  for (const [index, record] of shown.entries()) {
    if (!isObject(record)) fault(`records[${index}] is no object`);
    else {
      const hidden = Object.keys(record).find((member) => Object.hasOwn(frame, member));
      if (hidden !== undefined)
        fault(`records[${index}] holds ${hidden}, which stands once for all of them`);
      // The story is that of the first, which was asked for.
      const asked = index === 0 ? shared : { ...shared, story: null };
      looked.push(await verifyExportDocument({ ...record, ...frame }, asked, findings));
    }
  }
  compareChildren(shown.filter(isObject).map(chainIn), omitted as number, findings);
  const [first] = looked;
  return {
    subject: subjectOf(looked.map((one) => one.subject)),
    story: first?.story,
  };
};

const subjectOf = (subjects: readonly VerificationSubject[]): VerificationSubject => {
  const [first = NO_SUBJECT] = subjects;
  const times = subjects.map(({ completeAsOf }) => completeAsOf);
  return {
    ...first,
    records: subjects.length,
    entries: subjects.reduce((sum, { entries }) => sum + entries, 0),
    keyIds: [...new Set(subjects.flatMap(({ keyIds }) => keyIds))],
    // All of them together are known to be whole as of the oldest of their times.
    completeAsOf: times.every((time) => time !== null) ? (times.toSorted()[0] ?? null) : null,
    evidence: {
      sealed: subjects.reduce((sum, { evidence }) => sum + evidence.sealed, 0),
      present: subjects.reduce((sum, { evidence }) => sum + evidence.present, 0),
      missing: subjects.flatMap(({ evidence }) => evidence.missing),
    },
  };
};

/** A chain as far as others speak of it. Whether its statements are those that were signed is checked apart. */
interface ShownChain {
  readonly chainKey: string;
  /** By hash: its position, and the status that the record has from there on. */
  readonly states: ReadonlyMap<string, { readonly position: number; readonly status: string }>;
  readonly claims: readonly {
    readonly position: number;
    readonly entryType: string;
    readonly child: JsonObject;
  }[];
  readonly parentRecordId: JsonValue;
  readonly rootRecordId: JsonValue;
  readonly depth: number;
  /** Some of its entries are gone, as a platform key acknowledged. */
  readonly hasLost: boolean;
}

const chainIn = ({ chain, record, acknowledgements }: JsonObject): ShownChain => {
  const { chainKey, entries } = isObject(chain) ? chain : {};
  const states = new Map<string, { position: number; status: string }>();
  const claims: ShownChain['claims'][number][] = [];
  let status = '';
  for (const entry of Array.isArray(entries) ? (entries as readonly JsonValue[]) : []) {
    const { position, coseSign1, statement } = isObject(entry) ? entry : {};
    const predicate = isObject(statement) ? statement['predicate'] : undefined;
    const bytes = typeof coseSign1 === 'string' ? decodeBase64Strict(coseSign1) : null;
    if (!bytes || !isObject(predicate) || typeof position !== 'number') continue;
    const { transition, entryType, children } = predicate;
    const to = isObject(transition) ? transition['to'] : undefined;
    if (typeof to === 'string') status = to;
    states.set(sha256Hex(bytes), { position, status });
    if (entryType === 'CHILD_DELEGATED' || entryType === 'CASCADE_VERIFIED')
      for (const child of Array.isArray(children) ? (children as readonly JsonValue[]) : [])
        if (isObject(child)) claims.push({ position, entryType, child });
  }
  return {
    chainKey: typeof chainKey === 'string' ? chainKey : '',
    states,
    claims,
    parentRecordId: isObject(record) ? (record['parentRecordId'] ?? null) : null,
    rootRecordId: isObject(record) ? (record['rootRecordId'] ?? null) : null,
    depth: isObject(record) ? Number(record['depth']) : 0,
    hasLost: Array.isArray(acknowledgements) && acknowledgements.length > 0,
  };
};

const compareChildren = (
  chains: readonly ShownChain[],
  omitted: number,
  findings: Findings,
): void => {
  const byKey = new Map(chains.map((chain) => [chain.chainKey, chain]));
  const place = { chainKey: null, position: null };
  if (byKey.size !== chains.length)
    findings.fail(
      'document',
      'document',
      'CHAIN_COSE_DECODE_FAILED',
      place,
      'a record stands twice in the export',
    );
  for (const { chainKey, parentRecordId, rootRecordId, depth } of chains) {
    const parent = byKey.get(String(parentRecordId));
    // Of a file with one record nobody can tell whether its root is a mirror, whose children stand deeper than 1.
    if (parent && (depth !== parent.depth + 1 || rootRecordId !== parent.rootRecordId))
      findings.fail(
        'payloadBinding',
        'chain',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        { chainKey, position: 1 },
        'it does not stand right below its parent: their depths or their roots disagree',
      );
    // The tree is looked at first and its chains are read then, so a delegation is in the file with its child.
    if (parent && !parent.hasLost && !delegates(parent, chainKey))
      findings.fail(
        'payloadBinding',
        'chain',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        { chainKey, position: 1 },
        'it names a parent whose chain in this file never names it',
      );
  }
  const missing = new Set<string>();
  for (const parent of chains)
    for (const { position, entryType, child } of parent.claims) {
      const id = String(child['id']);
      const chain = byKey.get(id);
      if (!chain) {
        missing.add(id);
        continue;
      }
      findings.looked('payloadBinding');
      const detail = childFault(parent, entryType, child, chain);
      if (detail !== null)
        findings.fail(
          'payloadBinding',
          'chain',
          'CHAIN_PAYLOAD_BINDING_MISMATCH',
          { chainKey: parent.chainKey, position },
          `the child ${id.slice(0, 80)}: ${detail}`,
        );
    }
  if (missing.size > omitted)
    findings.cannotTell(
      'completeness',
      `cannot tell: ${missing.size} children are not in the file, and it says of ${omitted} records that they are left out`,
    );
  else if (omitted > 0)
    findings.note(
      `${omitted} records below are left out: who asked for the file may not read them`,
    );
};

const delegates = ({ claims }: ShownChain, id: string): boolean =>
  claims.some(({ entryType, child }) => entryType === 'CHILD_DELEGATED' && child['id'] === id);

/** What the chain of a child says otherwise than that of its parent; null where they agree. */
const childFault = (
  parent: ShownChain,
  entryType: string,
  { status, headHash }: JsonObject,
  child: ShownChain,
): string | null => {
  const state = child.states.get(String(headHash));
  if (!state) return 'its chain in this file has no entry of the sealed hash';
  if (entryType === 'CHILD_DELEGATED' && state.position !== 1)
    return `it is delegated with its entry ${state.position}, not with its first`;
  if (state.status !== status)
    return `it is sealed as ${JSON.stringify(status ?? null).slice(0, 40)}, its chain says ${state.status.slice(0, 40)}`;
  return child.parentRecordId === parent.chainKey ? null : 'it names another parent';
};
