import { NotaryError } from '../../domain/kernel/errors.ts';
import { statementLog } from '../../domain/transparency/statement-log.port.ts';
import type { CallContext } from '../call/call-context.ts';
import type { LogPaths } from './log-paths.ts';
import type { OrgLogs } from './org-logs.ts';
import { ownLog } from './own-log.ts';

export interface LogConsistency {
  readonly logId: string;
  readonly from: number;
  readonly to: number;
  readonly fromRoot: Uint8Array;
  readonly toRoot: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** The proof that the log of the org grew and changed in nothing, for whoever kept two of its signed heads. */
export class GetConsistency {
  constructor(
    private readonly logs: OrgLogs,
    private readonly paths: LogPaths,
  ) {}

  /** @throws VALIDATION_ERROR for sizes that the log does not have, ORG_REQUIRED. */
  async execute(
    { caller }: CallContext,
    { from, to: asked }: { readonly from: number; readonly to?: number },
  ): Promise<LogConsistency> {
    const orgId = ownLog(caller);
    const { size } = await this.logs.forCaller(orgId);
    const to = asked ?? size;
    if (to > size) throw outside('to', `the log has ${size} leaves`);
    if (from > to) throw outside('from', `from is larger than to, which is ${to}`);
    const logId = statementLog(orgId);
    return { logId, from, to, ...(await this.paths.consistency(logId, from, to)) };
  }
}

const outside = (member: string, message: string): NotaryError =>
  new NotaryError('VALIDATION_ERROR', `The log has no such sizes: ${message}.`, {
    errors: [{ path: `/${member}`, keyword: 'maximum', message }],
    suggestion: 'Take two sizes of signed heads; GET /v1/scitt/checkpoint gives the newest.',
  });
