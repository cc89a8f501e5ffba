import { canonicalJson, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import type { NotaryRecord } from '../client/shapes.ts';

/** What the page of a record shows of the service's word, and the export repeats under the verifier's eyes. */
const SHOWN = [
  ['type', 'the type'],
  ['contractVersion', 'the version of the type'],
  ['publisher', 'the publisher of the type'],
  ['awaiting', 'who is waited for'],
  ['disputed', 'whether it is disputed'],
  ['disputeCount', 'the number of disputes'],
  ['principalAgentId', 'the principal'],
  ['performerAgentId', 'the performer'],
  ['parentRecordId', 'what it is part of'],
  ['createdAt', 'when it was created'],
  ['expiresAt', 'when it expires'],
] as const satisfies readonly (readonly [keyof NotaryRecord, string])[];

/**
 * What the service answers beside the chain is not signed: it is held against what is. The verifier has held the record
 * that stands in the export against its chain, so member by member is enough here.
 *
 * @param exported the export that was verified
 */
export const differencesOf = (
  { subject, story }: VerificationReport,
  exported: Uint8Array,
  record: NotaryRecord,
): readonly string[] => {
  if (subject.kind !== null && subject.kind !== 'audit-export')
    return ['The service gave something else of ours in the place of the export of this record.'];
  if (subject.chainKey !== null && subject.chainKey !== record.id)
    return [`The service gave the chain of another record, ${subject.chainKey}.`];
  const sealed = recordIn(exported);
  // A file of which the verifier could make nothing either; the verdict says so.
  if (!sealed) return [];
  const found: string[] = [];
  const status = story?.outcome?.status ?? sealed['status'];
  if (status !== record.status)
    found.push(
      `The service says ${record.status}, and its signed chain says ${text(status)}. The chain counts.`,
    );
  for (const [member, words] of SHOWN)
    if (!isSame(record[member], sealed[member]))
      found.push(
        `Of ${words} the service says ${text(record[member])}, and its signed chain says ${text(sealed[member])}. The chain counts.`,
      );
  if (!isSame(record.criteria, sealed['criteria']))
    found.push(
      'The criteria that the service shows are not those of its signed chain. The chain counts.',
    );
  return found;
};

/** The record that an export shows beside its chain. */
const recordIn = (exported: Uint8Array): Readonly<Record<string, unknown>> | null => {
  try {
    const document = JSON.parse(new TextDecoder().decode(exported)) as Readonly<
      Record<string, unknown>
    >;
    const record = document['record'];
    return typeof record === 'object' ? (record as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
};

const isSame = (shown: unknown, sealed: unknown): boolean => {
  if ((shown ?? null) === (sealed ?? null)) return true;
  if (!isContent(shown) || !isContent(sealed)) return false;
  return canonicalJson(shown) === canonicalJson(sealed);
};

const isContent = (value: unknown): value is JsonValue => typeof value === 'object' && !!value;

const text = (value: unknown): string => {
  if (value === null || value === undefined) return 'nothing';
  return typeof value === 'string' ? value.slice(0, 200) : JSON.stringify(value).slice(0, 200);
};
