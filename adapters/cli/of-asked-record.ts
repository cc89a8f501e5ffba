import { printable } from '../../domain/kernel/printable.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';

/**
 * Why the answer of a service to a question for one record is not taken; null where it is about that record. The export of
 * another record verifies as well, so the verdict alone does not show which record was judged.
 */
export const otherThanAsked = (
  { subject, verdict }: VerificationReport,
  record: string,
): string | null => {
  const { kind, chainKey, records } = subject;
  // What is no file of ours is told as such.
  if (kind === null && verdict !== 'valid') return null;
  const asked = record.toLowerCase();
  if (kind === 'audit-export' && records === undefined && chainKey === asked) return null;
  return `the service answered with ${records === undefined ? 'something' : 'an export of several records'} about ${chainKey === null ? 'no record' : printable(chainKey)}, and not with the export of ${asked}: nothing is known about that`;
};
