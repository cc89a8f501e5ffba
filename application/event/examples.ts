import { AT, HASH, IDS, KEY_ID } from '../call/example-story.ts';

export const EVENT = {
  id: '019c1f00-0000-7000-8000-000000000013',
  sequence: 4711,
  type: 'record.recorded',
  orgId: IDS.org,
  recordId: IDS.record,
  recordType: 'report.weekly',
  agentId: IDS.principal,
  data: {
    recordId: IDS.record,
    type: 'report.weekly',
    status: 'RECORDED',
    previousStatus: null,
    principalAgentId: IDS.principal,
    performerAgentId: null,
    parentRecordId: null,
    platform: null,
    platformRef: null,
    criteriaHash: HASH,
    actor: { kind: 'agent', agentId: IDS.principal },
    entry: { position: 1, hash: HASH, signingKeyId: KEY_ID },
    requestId: '019c1f00-0000-7000-8000-000000000014',
  },
  createdAt: AT,
};
