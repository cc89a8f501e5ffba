import { verify } from '../../client/verify.ts';
import { NotaryProblem, NotaryUnreachable } from '../../client/notary-problem.ts';
import type { SealedRecord } from '../../client/shapes.ts';
import type { Session } from './session.ts';
import { EXIT } from './shell-error.ts';

/** Whether what a call sealed is really there, and signed by the key that is trusted: told without believing the service. */
export const verifiedLines = async (
  { id, signedStatement }: SealedRecord,
  { client, fingerprint }: Session,
): Promise<{ readonly lines: string[]; readonly exitCode: number }> => {
  if (fingerprint === null)
    return {
      lines: ['not verified: no signing key is trusted; a profile names one (notary init URL)'],
      exitCode: EXIT.done,
    };
  try {
    const exported = await client.export(id, { evidence: true });
    const report = await verify(exported, { fingerprint, kept: [JSON.stringify(signedStatement)] });
    const isHeld = report.kept.every(({ result }) => result === 'passed');
    return report.verdict === 'valid' && isHeld
      ? { lines: [`verified  signed by sha256:${fingerprint}`], exitCode: EXIT.done }
      : {
          lines: [
            `NOT VERIFIED under sha256:${fingerprint}: ${[...report.reasons, ...report.failures.map(({ class: name }) => name)].slice(0, 5).join('; ')}`,
          ],
          exitCode: EXIT.refused,
        };
  } catch (error) {
    // The record is sealed. Who may not read it, or not now, can verify it later.
    if (!(error instanceof NotaryProblem || error instanceof NotaryUnreachable)) throw error;
    return { lines: [`not verified: ${error.message}`], exitCode: EXIT.done };
  }
};
