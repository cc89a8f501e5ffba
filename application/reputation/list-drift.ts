import type { CallContext } from '../call/call-context.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import {
  DEFAULT_WINDOW_DAYS,
  driftOf,
  driftWindow,
  type Drift,
  type DriftWindow,
} from '../../domain/reputation/drift.ts';
import type { PerformanceReads } from '../../domain/reputation/performance-reads.port.ts';

export interface DriftList extends Slice<
  Drift & { readonly agentId: Uuid; readonly displayName: string }
> {
  readonly window: DriftWindow;
}

/** The drift of every agent of the caller's org, by agentId. */
export class ListDrift {
  constructor(
    private readonly performance: PerformanceReads,
    private readonly clock: Clock,
  ) {}

  /** Every page shows the window of the first page, whose end the cursor holds. */
  async execute(
    { caller }: CallContext,
    input: { readonly window?: number; readonly slice: SliceRequest },
  ): Promise<DriftList> {
    if (caller.orgId === null || caller.role === 'platform')
      throw new NotaryError(
        'ORG_REQUIRED',
        'The drift list is about one org; read it with an admin key of that org.',
        { suggestion: 'Use an admin key of the org.' },
      );
    const { limit, after } = input.slice;
    const window = driftWindow(
      input.window ?? DEFAULT_WINDOW_DAYS,
      after?.key ?? this.clock.now().toISOString(),
    );
    const { rows, total, hasMore } = await this.performance.driftOfOrg(caller.orgId, window, {
      limit,
      after: after?.id ?? null,
    });
    const last = rows.at(-1);
    return {
      window,
      rows: rows.map((row) => ({
        agentId: row.agentId,
        displayName: row.displayName,
        ...driftOf(window, row),
      })),
      total,
      totalIsCapped: false,
      next: hasMore && last ? { key: window.currentTo, id: last.agentId } : null,
    };
  }
}
