import type { Findings } from '../report/report.ts';
import type { KeyOutcome } from '../platform/verify-keys.ts';

/**
 * Judges a file whose newest key was retired after the file was made. Nothing in the file can show that the key signed it
 * before its retirement. A key that was retired on schedule is erased and was in nobody else's hands, so the file counts as
 * of its own date. If the key was retired as compromised, whoever has it may have made the file since; then only a time
 * stamp from before the retirement counts.
 *
 * @param stampedAt when an authority of time stamps saw all of the file, if one that is trusted did; ISO 8601.
 */
export const judgeRetiredSince = (
  { retiredSince }: Pick<KeyOutcome, 'retiredSince'>,
  stampedAt: string | null,
  findings: Findings,
): void => {
  if (!retiredSince) return;
  const { keyId, reason, at } = retiredSince;
  const since = at === null ? '' : ` at ${at}`;
  if (reason === 'scheduled')
    findings.note(
      `as of its own date: the key ${keyId} signed this file and was retired on schedule${since}; the file is older than that, and holds nothing of what came later`,
    );
  else if (at !== null && stampedAt !== null && Date.parse(stampedAt) <= Date.parse(at))
    findings.note(
      `as of its own date: the key ${keyId} signed this file and was retired${since}; a time stamp shows that the file existed at ${stampedAt}, before that`,
    );
  else
    findings.cannotTell(
      'keyWindows',
      reason === 'compromised'
        ? `cannot tell: the key ${keyId} signed this file and was retired as compromised${since}; whoever has the key may have made the file since. Fetch the file again, or verify it with --tsa-roots if it has a time stamp from before that`
        : `cannot tell: the key ${keyId} signed this file and is retired, and the listing that you trust does not say why. Fetch the file again, or give the whole answer of /v1/verification-keys`,
      reason === 'compromised' ? 'compromised_key' : 'retired_key',
    );
};
