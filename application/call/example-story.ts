/** One invented story for every example of the contract: an org, two agents, a notarize-only and a gated type. */
export const AT = '2026-01-31T12:00:00.000Z';
export const LATER = '2026-01-31T12:05:00.000Z';
export const IDS = {
  org: '019c1f00-0000-7000-8000-000000000001',
  principal: '019c1f00-0000-7000-8000-000000000002',
  performer: '019c1f00-0000-7000-8000-000000000003',
  key: '019c1f00-0000-7000-8000-000000000004',
  newKey: '019c1f00-0000-7000-8000-000000000005',
  record: '019c1f00-0000-7000-8000-000000000006',
  completion: '019c1f00-0000-7000-8000-000000000007',
  hub: '019c1f00-0000-7000-8000-000000000008',
  checkpoint: '019c1f00-0000-7000-8000-000000000009',
  reference: '019c1f00-0000-7000-8000-00000000000f',
  dispute: '019c1f00-0000-7000-8000-000000000010',
  disputeEvidence: '019c1f00-0000-7000-8000-000000000011',
  child: '019c1f00-0000-7000-8000-000000000012',
} as const;
export const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
export const KEY_ID = '4f2a8c1e9b7d6035a1c4e8f20b9d7362';

export const SIGNED_STATEMENT = {
  chainKey: IDS.record,
  position: 1,
  entryType: 'RECORD_PROPOSED',
  hash: HASH,
  previousHash: '0'.repeat(64),
  signingKeyId: KEY_ID,
  algorithm: 'Ed25519',
  canonicalization: 'jcs',
  coseSign1: '0oRYTqYBJwM=',
} as const;

export const pageExample = (row: unknown): object => ({
  data: [row],
  total: 1,
  hasMore: false,
  nextCursor: null,
});
