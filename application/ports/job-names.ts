/**
 * Every job that is done without anybody asking for it. Rows of other names are leases, or were written by somebody else:
 * they are shown to nobody, so whoever writes the database makes no series of metrics.
 */
export const JOB_NAMES = [
  'anchor-sweep',
  'checkpoint-round',
  'compliance-exports',
  'detach-revoked-peers',
  'finish-evaluations',
  'forget-deliveries',
  'forget-events',
  'forget-kept-answers',
  'forget-peer-nonces',
  'forget-push-configurations',
  'forget-spent-tokens',
  'greet-peers',
  'integrate-entries',
  'move-row-keys',
  'org-reads-checkpoints',
  'rejoin-lanes',
  'settle-deadlines',
  'siem-file-sink',
  'siem-http-sink',
  'stamp-rounds',
  'tell-sums',
  'vault-scan',
] as const;

export type JobName = (typeof JOB_NAMES)[number];
