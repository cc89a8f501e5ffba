import { isDamage } from '../../adapters/sql/database/damage.ts';

/** What `notary doctor` knows to find, and how bad it is. A note is told and is no reason to act. */
export const FINDINGS = {
  'setting-invalid': 'fault',
  'setting-doubtful': 'advice',
  'grpc-in-the-clear': 'advice',
  'public-url-in-the-clear': 'advice',
  'database-in-the-clear': 'advice',
  'certificate-unreadable': 'fault',
  'certificate-expired': 'fault',
  'certificate-not-yet-valid': 'fault',
  'certificate-expires-soon': 'advice',
  'certificate-of-another-key': 'fault',
  'proxies-too-many': 'advice',
  'egress-too-wide': 'advice',
  'sink-not-allowed': 'fault',
  'port-taken': 'fault',
  'service-running': 'note',
  'mode-too-open': 'fault',
  'place-not-writable': 'fault',
  'place-of-other-kind': 'fault',
  'place-missing': 'fault',
  'disk-nearly-full': 'fault',
  'open-files-too-few': 'advice',
  'secrets-made-by-itself': 'advice',
  'secret-wrong': 'fault',
  'anchors-none': 'advice',
  'anchors-beside-database': 'advice',
  'anchors-unusable': 'fault',
  'revocation-lost': 'fault',
  'database-absent': 'note',
  'vault-missing': 'fault',
  'database-unusable': 'fault',
  'database-newer': 'fault',
  'database-older': 'advice',
  'database-user-too-strong': 'advice',
  'database-not-durable': 'fault',
  'clock-skew': 'fault',
  'clock-behind': 'fault',
  fingerprint: 'note',
  'signer-unusable': 'fault',
  'signer-previous-spent': 'advice',
  'predicate-base-ignored': 'advice',
  'retired-key-not-erased': 'fault',
  'backup-due': 'advice',
  'old-secret-can-go': 'advice',
  'platform-key-none': 'fault',
  'platform-key-without-expiry': 'advice',
  'platform-key-from-anywhere': 'advice',
} as const satisfies Record<string, Severity>;

export type Severity = 'fault' | 'advice' | 'note';
export type FindingCode = keyof typeof FINDINGS;

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** A setting, a path, a key: what it is about. */
  readonly subject: string;
  /** What is the case, with what to do. */
  readonly message: string;
}

export const finding = (code: FindingCode, subject: string, message: string): Finding => ({
  code,
  severity: FINDINGS[code],
  subject,
  message,
});

/** One thing to look at. It rejects where it could not look. */
export interface Check {
  readonly name: string;
  look(): Promise<readonly Finding[]>;
}

export interface Examination {
  readonly findings: readonly Finding[];
  /** What could not be looked at, and why. */
  readonly skipped: readonly { readonly check: string; readonly reason: string }[];
}

/** Looks one after the other, so that what is found stands in the order of the checks. */
export const lookAtAll = async (checks: readonly Check[]): Promise<Examination> => {
  const findings: Finding[] = [];
  const skipped: { check: string; reason: string }[] = [];
  for (const { name, look } of checks)
    try {
      findings.push(...(await look()));
    } catch (error) {
      // Every other check would meet the damage as well, and the caller names the database.
      if (isDamage(error)) throw error;
      skipped.push({ check: name, reason: error instanceof Error ? error.message : String(error) });
    }
  return { findings, skipped };
};
