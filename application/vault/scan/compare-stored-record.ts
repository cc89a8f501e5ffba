import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../../domain/kernel/digest.ts';
import type { Dispute } from '../../../domain/dispute/dispute.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import { differingFacts } from '../../../domain/record/record-facts.ts';
import { disputeDrift } from '../../dispute/verified-dispute.ts';
import type { StoredRecord, StoredRow } from './scan-snapshot.port.ts';
import type { ScannedChain, SealedCompletion } from './scanned-chain.ts';
import type { ScannedTypes } from './scanned-types.ts';

/** Holds a record, and every row that hangs on it, against what its chain says. */
export const compareStoredRecord = (
  stored: StoredRecord,
  chain: ScannedChain,
  types: ScannedTypes,
): void => {
  const { record } = stored;
  const { faults, outcome } = chain;
  const position = outcome?.newest?.position ?? null;
  // Without facts not every entry could be read, and that was said.
  const names: string[] = outcome?.facts ? [...differingFacts(record, outcome.facts)] : [];
  if (!isOfHash(record.criteria, record.criteriaHash)) names.push('criteria');
  const counter = record.counterProposal;
  if (counter && !isOfHash(counter.criteria, counter.criteriaHash)) names.push('counterProposal');
  if (names.length > 0) faults.drift(`records: ${names.join(', ')}`, position);
  const type = types.faultOf(record, stored.keptManifest);
  if (type !== null) faults.drift(`records: ${type}`, position);
  compareCompletions(stored.completions, chain);
  compareDisputes(stored.disputes, chain);
  compareChildren(stored.children, chain);
};

const isOfHash = (content: JsonObject, hash: string): boolean => hashJson(content) === hash;

const compareCompletions = (
  rows: readonly StoredRow<Completion>[],
  { completions, faults }: ScannedChain,
): void => {
  const stored = new Set<unknown>();
  for (const { key, value } of rows) {
    stored.add(key);
    const sealed = completions.get(key);
    if (!sealed) faults.drift(`completions ${key}: no entry submits it`);
    else if (!value || !isAsSealed(value, sealed))
      faults.drift(`completions ${key}: it is not what was submitted`);
  }
  for (const id of completions.keys())
    if (!stored.has(id)) faults.drift(`completions ${String(id)}: the row is missing`);
};

const isAsSealed = (completion: Completion, sealed: SealedCompletion): boolean =>
  completion.evidenceHash === sealed.evidenceHash &&
  isOfHash(completion.evidence, completion.evidenceHash) &&
  completion.submittedAt === sealed.at &&
  completion.revision === sealed.revision;

const compareDisputes = (
  rows: readonly StoredRow<Dispute>[],
  { disputes, faults }: ScannedChain,
): void => {
  const stored = new Set<unknown>();
  for (const { key, value } of rows) {
    stored.add(key);
    const entries = disputes.get(key);
    const names = entries && value ? disputeDrift(value, entries) : ['opening'];
    if (names.length > 0) faults.drift(`disputes ${key}: ${names.join(', ')}`);
  }
  for (const id of disputes.keys())
    if (!stored.has(id)) faults.drift(`disputes ${String(id)}: the row is missing`);
};

/** Each child is one that the chain delegated, and its own chain begins with the entry that was named then. */
const compareChildren = (
  rows: StoredRecord['children'],
  { children, faults }: ScannedChain,
): void => {
  const stored = new Map<unknown, string | null>(rows.map(({ id, firstHash }) => [id, firstHash]));
  for (const [id, hash] of children)
    if (!stored.has(id)) faults.drift(`the child ${String(id)}: the row is missing`);
    else if (stored.get(id) !== hash)
      faults.drift(`the child ${String(id)}: its chain does not begin with the delegated entry`);
  for (const { id } of rows)
    if (!children.has(id)) faults.drift(`the child ${id}: no entry delegates it`);
};
