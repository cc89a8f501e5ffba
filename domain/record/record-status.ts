export const STATUSES = [
  'CREATED',
  'PROPOSED',
  'ACTIVE',
  'REVISION_REQUESTED',
  'RECORDED',
  'FULFILLED',
  'FAILED',
  'REMEDIATED',
  'EXPIRED',
  'CANCELLED',
  'REJECTED',
] as const;
export type RecordStatus = (typeof STATUSES)[number];

/** Final, except for what a dispute or an override may still change. */
export const TERMINAL: ReadonlySet<RecordStatus> = new Set<RecordStatus>([
  'RECORDED',
  'FULFILLED',
  'FAILED',
  'REMEDIATED',
  'EXPIRED',
  'CANCELLED',
  'REJECTED',
]);
