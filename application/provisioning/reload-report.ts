import type { Change, Generated } from './kind-applier.ts';
import { KINDS, type Kind } from '../ports/kinds.ts';
import type { FileFault } from './provisioning-files.port.ts';

export interface KindCounts {
  readonly created: number;
  readonly updated: number;
  readonly pruned: number;
}

/** What a reload did, or in a dry run would do. */
export interface ReloadReport {
  readonly dryRun: boolean;
  readonly counts: { readonly [K in Kind]: KindCounts };
  /** Keys that files name and that were minted before. */
  readonly skippedKeys: number;
  readonly generated: readonly (Generated & { readonly kind: Kind })[];
  readonly errors: readonly FileFault[];
}

/** Of a folder in which every file is broken, a caller is shown so many faults. */
const MAX_ERRORS = 1_000;

/** A report while it grows. */
export class ReportDraft {
  private readonly counts = new Map<Kind, { created: number; updated: number; pruned: number }>(
    KINDS.map((kind) => [kind, { created: 0, updated: 0, pruned: 0 }]),
  );
  private readonly generated: (Generated & { readonly kind: Kind })[] = [];
  private readonly errors: FileFault[] = [];
  private skippedKeys = 0;

  count(kind: Kind, outcome: Change['outcome'] | 'pruned'): void {
    this.counts.get(kind)![outcome]++;
  }

  skip(kind: Kind): void {
    if (kind === 'api-keys') this.skippedKeys++;
  }

  wrote(kind: Kind, generated: Generated | null): void {
    if (generated) this.generated.push({ ...generated, kind });
  }

  fail(faults: readonly FileFault[]): void {
    // As arguments, so many as thousands of files have would be too many.
    for (const fault of faults) this.errors.push(fault);
  }

  get hasChanges(): boolean {
    return [...this.counts.values()].some(
      ({ created, updated, pruned }) => created + updated + pruned > 0,
    );
  }

  report(dryRun: boolean): ReloadReport {
    const { skippedKeys } = this;
    const generated = this.generated.toSorted((a, b) => (a.file < b.file ? -1 : 1));
    const counts = Object.fromEntries(this.counts) as ReloadReport['counts'];
    const errors = this.errors
      .toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
      .slice(0, MAX_ERRORS);
    return { dryRun, counts, skippedKeys, generated, errors };
  }
}
