import { actorOf } from '../../domain/identity/caller.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { notFound, NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import {
  LIFETIME_MS,
  MAX_LIVE,
  type ComplianceExport,
  type ExportFilters,
  type ExportFormat,
} from '../ports/compliance-export.ts';

interface CreateInput extends ExportFilters {
  readonly format?: ExportFormat;
  readonly orgId?: Uuid;
}

/** Asks for an export. A node that runs jobs makes it. */
export class CreateComplianceExport {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  execute(
    context: CallContext,
    { format = 'ndjson', orgId: named, ...filters }: CreateInput,
  ): Promise<ComplianceExport> {
    const orgId = orgOf(context, named);
    if (filters.from >= filters.to) throw emptyRange();
    const now = this.clock.now();
    const wanted: ComplianceExport = {
      id: this.ids.next(),
      orgId,
      format,
      filters,
      askedBy: {
        actor: actorOf(context.caller),
        requestId: context.requestId,
        protocol: 'rest',
      },
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + LIFETIME_MS).toISOString(),
      attempts: 0,
      claim: null,
      made: null,
      failure: null,
    };
    return this.idempotent.run(context, async (stores) => {
      // Whoever asks for the same org at the same time waits here, and counts this one.
      if (!(await stores.orgs.lock(orgId))) throw notFound('org');
      const live = await stores.complianceExports.live(orgId, wanted.createdAt);
      if (live >= MAX_LIVE) throw tooMany();
      await stores.complianceExports.insert(wanted);
      return wanted;
    });
  }
}

const orgOf = ({ caller }: CallContext, named: Uuid | undefined): Uuid => {
  const orgId = caller.role === 'platform' ? named : (caller.orgId ?? undefined);
  if (orgId === undefined)
    throw new NotaryError(
      'ORG_REQUIRED',
      'An export is of one org; a platform key must name it with the query parameter orgId.',
    );
  if (named !== undefined && named !== orgId) throw notFound('org');
  return orgId;
};

const emptyRange = (): NotaryError =>
  new NotaryError('VALIDATION_ERROR', 'from has to be before to: no record is created between.', {
    errors: [{ path: '/to', keyword: 'range', message: 'must be after from' }],
  });

const tooMany = (): NotaryError =>
  new NotaryError('CONFLICT', `The org has ${MAX_LIVE} exports that have not expired.`, {
    suggestion: 'Download one of those that are there, or ask again when the oldest has expired.',
  });
