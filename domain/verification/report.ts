import { FAILURE_CLASSES, type Failure, type FailureClass } from './failure.ts';

/** What a verification looks at, in the order of a report. `document` is the shape of the file itself. */
export const CHECKS = [
  'document',
  'positions',
  'genesis',
  'links',
  'hashes',
  'signatures',
  'headerBinding',
  'payloadBinding',
  'lifecycle',
  'actor',
  'keyWindows',
  'keySuccession',
  'checkpoints',
  'completeness',
  'evidenceBinding',
  'coSignatures',
  'receipts',
  'timeStamps',
  'orgReads',
] as const;
export type CheckName = (typeof CHECKS)[number];

export interface CheckResult {
  /** `skipped_no_input`: nothing of the kind was there to look at, or not enough to judge it. */
  readonly result: 'passed' | 'failed' | 'skipped_no_input';
  /** How many things were looked at. */
  readonly count: number;
}

export type Verdict = 'valid' | 'invalid' | 'cannot_tell';
export const EXIT_CODES = { valid: 0, invalid: 1, cannot_tell: 2 } as const satisfies Record<
  Verdict,
  number
>;

export interface VerificationSubject {
  readonly chainKey: string | null;
  readonly entries: number;
  readonly head: { readonly position: number; readonly hash: string } | null;
  /** Every key that signs an entry or the closing checkpoint, in order of appearance. */
  readonly keyIds: readonly string[];
  readonly hubId: string | null;
}

export interface VerificationReport {
  readonly verdict: Verdict;
  readonly exitCode: 0 | 1 | 2;
  /** Why it cannot be told; empty unless the verdict is `cannot_tell` or would be without the failures. */
  readonly reasons: readonly string[];
  /** What the answer rests on. */
  readonly trust: 'out_of_band' | 'embedded' | 'none';
  readonly checks: Readonly<Record<CheckName, CheckResult>>;
  /** All of them: of the file, of the keys, of the entries by position, of the checkpoints. */
  readonly failures: readonly Failure[];
  readonly brokenAt: Failure | null;
  readonly subject: VerificationSubject;
}

/** Where a failure stands in the report: what it is about, then its position. */
export type Area = 'document' | 'keys' | 'chain' | 'checkpoints';
const AREAS: readonly Area[] = ['document', 'keys', 'chain', 'checkpoints'];
const LAST = Number.MAX_SAFE_INTEGER;

/** Collects what the checks find. One instance a verification; checks that run at the same time may share it. */
export class Findings {
  private readonly found: { readonly area: number; readonly failure: Failure }[] = [];
  private readonly counts = new Map<CheckName, number>();
  private readonly failed = new Set<CheckName>();
  private readonly unsettled = new Set<CheckName>();
  private readonly reasons = new Set<string>();

  looked(check: CheckName, times = 1): void {
    this.counts.set(check, (this.counts.get(check) ?? 0) + times);
  }

  fail(
    check: CheckName,
    area: Area,
    failureClass: FailureClass,
    place: { readonly chainKey: string | null; readonly position: number | null },
    detail: string,
  ): void {
    this.failed.add(check);
    this.found.push({
      area: AREAS.indexOf(area),
      failure: {
        class: failureClass,
        chainKey: place.chainKey === null ? null : printable(place.chainKey),
        position: place.position,
        detail: printable(detail),
      },
    });
  }

  /** The input does not suffice to judge this; the answer can no longer be `valid`. */
  cannotTell(check: CheckName | null, reason: string): void {
    if (check) this.unsettled.add(check);
    this.reasons.add(printable(reason));
  }

  get isClean(): boolean {
    return this.found.length === 0 && this.reasons.size === 0;
  }

  /** Takes over what another instance found, in a part that was looked at on its own. */
  absorb(other: Findings): void {
    for (const [check, times] of other.counts) this.looked(check, times);
    for (const check of other.failed) this.failed.add(check);
    for (const check of other.unsettled) this.unsettled.add(check);
    for (const reason of other.reasons) this.reasons.add(reason);
    this.found.push(...other.found);
  }

  report(subject: VerificationSubject, trust: VerificationReport['trust']): VerificationReport {
    const failures = this.found
      .toSorted(
        (a, b) => a.area - b.area || (a.failure.position ?? LAST) - (b.failure.position ?? LAST),
      )
      .map(({ failure }) => failure);
    const gaps = failures.filter(
      (failure) => FAILURE_CLASSES[failure.class].weight === 'capability',
    );
    const reasons = [
      ...this.reasons,
      ...(gaps.length > 0
        ? ['cannot tell: this verifier does not know every algorithm that was used']
        : []),
    ];
    const verdict: Verdict =
      failures.length > gaps.length ? 'invalid' : reasons.length > 0 ? 'cannot_tell' : 'valid';
    const checks = Object.fromEntries(
      CHECKS.map((check) => [check, this.resultOf(check)]),
    ) as Record<CheckName, CheckResult>;
    return {
      verdict,
      exitCode: EXIT_CODES[verdict],
      reasons,
      trust,
      checks,
      failures,
      brokenAt: failures[0] ?? null,
      subject,
    };
  }

  private resultOf(check: CheckName): CheckResult {
    const count = this.counts.get(check) ?? 0;
    if (this.failed.has(check)) return { result: 'failed', count };
    return {
      result: count > 0 && !this.unsettled.has(check) ? 'passed' : 'skipped_no_input',
      count,
    };
  }
}

/** Text of hostile origin, fit for a terminal: cut, and without control or direction characters. */
export const printable = (text: string): string =>
  text
    .slice(0, 400)
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
      (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`,
    );
