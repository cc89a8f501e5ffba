import type { EventViewer } from '../../domain/event/event-reads.port.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { readerIn } from '../call/own-org.ts';

/**
 * Whose events a caller gets. A platform key may narrow them to those that an admin of one org gets.
 *
 * @throws FORBIDDEN where another caller names another org.
 */
export const eventViewer = (caller: Caller, orgId?: Uuid): EventViewer => {
  const reader = readerIn(caller, orgId);
  if (reader === null) return { kind: 'platform' };
  return 'orgId' in reader
    ? { kind: 'org', orgId: reader.orgId }
    : { kind: 'agent', agentId: reader.agentId };
};
