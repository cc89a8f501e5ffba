import { printable } from '../../kernel/printable.ts';
import { lossText, type AcknowledgedLoss } from './acknowledged-losses.ts';
import type { EvidenceKind, Story } from './story.ts';
import { FAILURE_CLASSES, type Failure, type FailureClass } from './failure.ts';
import type { DifferentKey, Situation } from './situation.ts';

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
  'gates',
  'peerSide',
  'keptStatements',
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
  /** Null where the file is no evidence of ours. */
  readonly kind: EvidenceKind | 'dump' | null;
  readonly chainKey: string | null;
  /** Of an export of several records: how many; `head` is that of the first. */
  readonly records?: number;
  readonly entries: number;
  readonly head: { readonly position: number; readonly hash: string } | null;
  /** Every key that signs an entry or the closing checkpoint, in order of appearance. */
  readonly keyIds: readonly string[];
  readonly hubId: string | null;
  /** The sealed time of the closing checkpoint, if it proves that the file holds the chain to its end. */
  readonly completeAsOf: string | null;
  readonly evidence: EvidenceCount;
  /** Of a dump: how many chains, checkpoints and reads in the logs of the orgs, and the root of the tree over all checkpoints, lowercase hex. */
  readonly dump?: {
    readonly chains: number;
    readonly checkpoints: number;
    readonly reads: number;
    readonly root: string;
  };
}

/** The pieces of evidence that the entries seal, and those of them that the file does not hold. */
export interface EvidenceCount {
  readonly sealed: number;
  readonly present: number;
  readonly missing: readonly MissingEvidence[];
}

export interface MissingEvidence {
  readonly position: number;
  readonly entryType: string;
  /** Lowercase hex SHA-256 of the RFC 8785 form. */
  readonly hash: string;
}

/** Of a file in which nothing could be looked at. */
export const NO_SUBJECT: VerificationSubject = {
  kind: null,
  chainKey: null,
  entries: 0,
  head: null,
  keyIds: [],
  hubId: null,
  completeAsOf: null,
  evidence: { sealed: 0, present: 0, missing: [] },
};

/** What became of a signed statement that somebody kept, held against an export. */
export interface KeptOutcome {
  readonly chainKey: string | null;
  readonly position: number | null;
  readonly result: CheckResult['result'];
  /** In plain words, for people. */
  readonly detail: string;
}

export interface VerificationReport {
  readonly verdict: Verdict;
  readonly exitCode: 0 | 1 | 2;
  /** Why it cannot be told; empty unless the verdict is `cannot_tell` or would be without the failures. */
  readonly reasons: readonly string[];
  /** The situation that each of `reasons` describes, in the same order. */
  readonly situations: readonly Situation[];
  /** Left out unless the file is signed by other keys than the trusted ones. */
  readonly differentKey?: DifferentKey;
  /** What the answer rests on. */
  readonly trust: 'out_of_band' | 'embedded' | 'none';
  readonly checks: Readonly<Record<CheckName, CheckResult>>;
  /** Of the file, of the keys, of the entries by position, of the checkpoints; the first 10,000 that were found. */
  readonly failures: readonly Failure[];
  /** How many were found. */
  readonly failureCount: number;
  readonly brokenAt: Failure | null;
  /** What a reader must know who takes the verdict for more than it is. */
  readonly notes: readonly string[];
  /** Ranges of entries that a platform key acknowledged to be lost, as far as they are shown; the first 1,000. */
  readonly losses: readonly AcknowledgedLoss[];
  /** Of the statements that were given beside the file, in their order. */
  readonly kept: readonly KeptOutcome[];
  readonly subject: VerificationSubject;
  /** Where it was asked for, and the file is one of ours. */
  readonly story?: Story;
}

/** Where a failure stands in the report: what it is about, then its position. */
export type Area = 'document' | 'keys' | 'chain' | 'checkpoints';
const AREAS: readonly Area[] = ['document', 'keys', 'chain', 'checkpoints'];
const LAST = Number.MAX_SAFE_INTEGER;

/** A hostile file can hold more faults than a report. Beyond these they are counted; the first is never lost. */
const MAX_FAILURES = 10_000;
const MAX_REASONS = 100;
const MAX_LOSSES = 1_000;

const UNKNOWN_ALGORITHM = 'cannot tell: this verifier does not know every algorithm that was used';

const OF_CHECK: Partial<Readonly<Record<CheckName, Situation>>> = {
  document: 'not_ours',
  keySuccession: 'different_key',
  keyWindows: 'retired_key',
  payloadBinding: 'too_large',
  receipts: 'receipts',
  peerSide: 'other_hub',
  keptStatements: 'kept_statement',
};

/** The situation if a check could not be decided and its call names no other one. */
const situationOf = (check: CheckName | null): Situation =>
  check === null ? 'unfinished' : (OF_CHECK[check] ?? 'incomplete');

const listed = (names: readonly string[]): string => names.join(', ') || 'no active key';

interface Found {
  readonly area: number;
  readonly position: number;
  readonly failure: Failure;
}

const inOrder = (
  a: Pick<Found, 'area' | 'position'>,
  b: Pick<Found, 'area' | 'position'>,
): number => a.area - b.area || a.position - b.position;

/** What was found in a part that was looked at on its own, perhaps in another thread. Plain data. */
export interface FoundParts {
  readonly found: readonly Found[];
  readonly first: Found | null;
  readonly total: number;
  readonly gaps: number;
  readonly notes: ReadonlySet<string>;
  readonly losses: readonly AcknowledgedLoss[];
  readonly counts: ReadonlyMap<CheckName, number>;
  readonly failed: ReadonlySet<CheckName>;
  readonly unsettled: ReadonlySet<CheckName>;
  readonly reasons: ReadonlyMap<string, Situation>;
  readonly differentKey: DifferentKey | null;
}

/** Collects what the checks find. One instance a verification; checks that run at the same time may share it. */
export class Findings {
  private found: Found[] = [];
  private first: Found | null = null;
  private total = 0;
  private gaps = 0;
  private notes = new Set<string>();
  private losses: AcknowledgedLoss[] = [];
  private counts = new Map<CheckName, number>();
  private failed = new Set<CheckName>();
  private unsettled = new Set<CheckName>();
  private reasons = new Map<string, Situation>();
  private otherKey: DifferentKey | null = null;

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
    this.total++;
    if (FAILURE_CLASSES[failureClass].weight === 'capability') this.gaps++;
    const order = { area: AREAS.indexOf(area), position: place.position ?? LAST };
    if (this.found.length >= MAX_FAILURES && this.first && inOrder(order, this.first) >= 0) return;
    this.keep({
      ...order,
      failure: {
        class: failureClass,
        chainKey: place.chainKey === null ? null : printable(place.chainKey),
        position: place.position,
        detail: printable(detail),
      },
    });
  }

  private keep(found: Found): void {
    if (!this.first || inOrder(found, this.first) < 0) this.first = found;
    if (this.found.length < MAX_FAILURES) this.found.push(found);
  }

  /** The input does not suffice to judge this; the answer can no longer be `valid`. */
  cannotTell(
    check: CheckName | null,
    reason: string,
    situation: Situation = situationOf(check),
  ): void {
    if (check) this.unsettled.add(check);
    const text = printable(reason);
    if (this.reasons.size < MAX_REASONS && !this.reasons.has(text))
      this.reasons.set(text, situation);
  }

  /** None of the keys that signed is a trusted one; the answer can no longer be `valid`. */
  differentKey(keys: DifferentKey): void {
    const { signedBy, trusted } = keys;
    this.otherKey ??= { signedBy: signedBy.map(printable), trusted: trusted.map(printable) };
    this.cannotTell(
      'keySuccession',
      `cannot tell: signed with ${listed(signedBy)}; you trust ${listed(trusted)}`,
    );
  }

  /** What the verdict does not say by itself. */
  note(text: string): void {
    this.notes.add(printable(text));
  }

  /** Entries that are gone, and of which the platform chain says so. */
  lost(loss: AcknowledgedLoss): void {
    if (this.losses.length >= MAX_LOSSES)
      return this.note(`there are more acknowledged losses than the ${MAX_LOSSES} listed`);
    this.losses.push(loss);
    this.note(lossText(loss));
  }

  /** Something was there to look at, and could not be judged; the verdict does not depend on it. */
  unsettle(check: CheckName): void {
    this.unsettled.add(check);
  }

  /** Whether anything was found to be wrong, or could not be checked for want of its algorithm. */
  get hasFailed(): boolean {
    return this.total > 0;
  }

  get isClean(): boolean {
    return this.total === 0 && this.reasons.size === 0;
  }

  /** Takes over what another instance found, in a part that was looked at on its own. */
  absorb(other: Findings): void {
    this.add(other.parts);
  }

  /** The same, of parts that were taken from another one. */
  add(other: FoundParts): void {
    for (const [check, times] of other.counts) this.looked(check, times);
    for (const check of other.failed) this.failed.add(check);
    for (const check of other.unsettled) this.unsettled.add(check);
    for (const [reason, situation] of other.reasons)
      if (this.reasons.size < MAX_REASONS) this.reasons.set(reason, situation);
    this.otherKey ??= other.differentKey;
    for (const note of other.notes) this.notes.add(note);
    for (const loss of other.losses) this.losses.push(loss);
    this.total += other.total;
    this.gaps += other.gaps;
    for (const found of other.found) this.keep(found);
    if (other.first && !other.found.includes(other.first)) this.keep(other.first);
  }

  /** Gives away what was found so far, and begins anew. */
  take(): FoundParts {
    const { parts } = this;
    this.found = [];
    this.first = null;
    this.total = 0;
    this.gaps = 0;
    this.notes = new Set();
    this.losses = [];
    this.counts = new Map();
    this.failed = new Set();
    this.unsettled = new Set();
    this.reasons = new Map();
    this.otherKey = null;
    return parts;
  }

  private get parts(): FoundParts {
    const { found, first, total, gaps, notes, losses } = this;
    const { counts, failed, unsettled, reasons, otherKey: differentKey } = this;
    return {
      ...{ found, first, total, gaps, notes, losses, counts, failed, unsettled, reasons },
      differentKey,
    };
  }

  report(subject: VerificationSubject, trust: VerificationReport['trust']): VerificationReport {
    const ordered = this.found.toSorted(inOrder);
    if (this.first && ordered[0] !== this.first) ordered.unshift(this.first);
    const failures = ordered.map(({ failure }) => failure);
    const why = new Map(this.reasons);
    if (this.gaps > 0) why.set(UNKNOWN_ALGORITHM, 'unknown_algorithm');
    const reasons = [...why.keys()];
    const verdict: Verdict =
      this.total > this.gaps ? 'invalid' : reasons.length > 0 ? 'cannot_tell' : 'valid';
    const checks = Object.fromEntries(
      CHECKS.map((check) => [check, this.resultOf(check)]),
    ) as Record<CheckName, CheckResult>;
    return {
      verdict,
      exitCode: EXIT_CODES[verdict],
      reasons,
      situations: [...why.values()],
      ...(this.otherKey ? { differentKey: this.otherKey } : {}),
      trust,
      checks,
      failures,
      failureCount: this.total,
      brokenAt: failures[0] ?? null,
      notes: [...this.notes],
      losses: this.losses.map((loss) => ({
        ...loss,
        chainKey: printable(loss.chainKey),
        reason: loss.reason && printable(loss.reason),
      })),
      kept: [],
      subject: {
        ...subject,
        chainKey: subject.chainKey === null ? null : printable(subject.chainKey),
        keyIds: subject.keyIds.map(printable),
      },
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
