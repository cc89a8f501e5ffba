import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../../domain/kernel/digest.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { verify } from '../../client/verify.ts';
import { NotaryProblem, NotaryUnreachable } from '../../client/notary-problem.ts';
import type { SealedRecord } from '../../client/shapes.ts';
import { otherThanAsked } from '../of-asked-record.ts';
import type { Session } from './session.ts';
import { EXIT } from './shell-error.ts';

/**
 * Whether what the caller sent is really sealed, and signed by the key that is trusted: told without believing the service,
 * which may have sealed something else, or show another record that is as true.
 */
export const verifiedLines = async (
  { id, signedStatement }: SealedRecord,
  sent: { readonly type: string; readonly criteria: JsonObject },
  { client, fingerprint }: Session,
): Promise<{ readonly lines: string[]; readonly exitCode: number }> => {
  if (fingerprint === null)
    return {
      lines: ['not verified: no signing key is trusted; a profile names one (notary init URL)'],
      exitCode: EXIT.done,
    };
  try {
    const exported = await client.export(id, { evidence: true });
    const report = await verify(exported, {
      fingerprint,
      kept: [JSON.stringify(signedStatement)],
      story: { maxSteps: 1 },
    });
    const isHeld = report.kept.length === 1 && report.kept[0]!.result === 'passed';
    const other = otherThanAsked(report, id) ?? otherThanSent(report, sent);
    return report.verdict === 'valid' && isHeld && other === null
      ? { lines: [`verified  signed by sha256:${fingerprint}`], exitCode: EXIT.done }
      : {
          lines: [
            `NOT VERIFIED under sha256:${fingerprint}: ${[...(other === null ? [] : [other]), ...report.reasons, ...report.failures.map(({ class: name }) => name)].slice(0, 5).join('; ')}`,
          ],
          exitCode: EXIT.refused,
        };
  } catch (error) {
    // The record is sealed. Who may not read it, or not now, can verify it later.
    if (!(error instanceof NotaryProblem || error instanceof NotaryUnreachable)) throw error;
    return { lines: [`not verified: ${error.message}`], exitCode: EXIT.done };
  }
};

/** The story has of the type what is sealed, cut where it is long; the hash of the criteria is sealed with it. */
const otherThanSent = (
  { story }: VerificationReport,
  { type, criteria }: { readonly type: string; readonly criteria: JsonObject },
): string | null => {
  const { record = null } = story ?? {};
  if (record?.criteriaHash !== hashJson(criteria))
    return 'what is sealed there is not what was sent';
  return record.type === type ? null : `what is sealed there is of the type ${record.type}`;
};
