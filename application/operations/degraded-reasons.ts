/**
 * Everything that makes the service degraded: the closed table. Metrics, alert rules, the dashboard and the documents name
 * what stands here, and tests hold them to it. What is found on one node alone is shown by that node.
 */
export const DEGRADED_REASONS = {
  database_away: {
    severity: 'critical',
    says: 'The database does not answer.',
    cure: 'Start it, or repair the network to it. Nothing acknowledged is lost.',
  },
  disk_full: {
    severity: 'critical',
    says: 'The disk of the database is full, so nothing is written. Agents can still read.',
    cure: 'Make room on that disk. Writes go on by themselves, and nothing acknowledged is lost.',
  },
  database_read_only: {
    severity: 'critical',
    says: 'The database accepts reads only, so nothing is written.',
    cure: 'Make it writable: mount its file system for writing, or turn read_only off or name the primary server. Writes go on by themselves.',
  },
  database_damaged: {
    severity: 'critical',
    says: 'The database is damaged, or its file was deleted, moved or replaced, so requests fail and nothing should be written; met on this node within the last hour.',
    cure: 'Read the log first: it names the file or the table, and what to do before the service is stopped. Keep the damaged files, and restore a backup with `notary restore`.',
  },
  migrations_pending: {
    severity: 'critical',
    says: 'Migrations are not applied, or cannot be read.',
    cure: 'Run `notary migrate` with this release.',
  },
  signer_away: {
    severity: 'critical',
    says: 'The signing key cannot sign, so nothing is written.',
    cure: 'Bring the device or the key service that SIGNER names back.',
  },
  row_tampered: {
    severity: 'critical',
    says: 'A stored row is not the one that the service wrote; met on this node within the last hour.',
    cure: 'Find who writes to the database. The log names the table and the row; POST /v1/admin/vault/scan finds the others.',
  },
  event_hole: {
    severity: 'critical',
    says: 'Numbered events are missing or changed; met on this node within the last hour.',
    cure: 'Find who writes to the database, and restore the events from a backup.',
  },
  chain_rewound: {
    severity: 'critical',
    says: 'A chain is not the one that a signed checkpoint shows: nothing more is signed on it.',
    cure: 'Restore a backup that holds the missing entries; GET /v1/admin/vault/rewind lists the chains.',
  },
  revocations_lost: {
    severity: 'critical',
    says: 'The database was put back, and keys, agents or others that were revoked since then can be used again.',
    cure: 'Revoke them again: `notary doctor` and POST /v1/admin/vault/rewind/acknowledge list them.',
  },
  anchors_unread: {
    severity: 'critical',
    says: 'The anchors could not be compared with the database, so nothing is signed.',
    cure: 'Make the store that ANCHOR names readable.',
  },
  anchor_late: {
    severity: 'warning',
    says: 'The last complete sweep of anchors is older than three intervals.',
    cure: 'Look at the failure of the job anchor-sweep, and at the store that ANCHOR names.',
  },
  anchor_missing: {
    severity: 'critical',
    says: 'The last comparison found anchors that are gone or differ from their checkpoints.',
    cure: 'Find who writes to the store of anchors; POST /v1/admin/vault/anchors/reconcile says which.',
  },
  sink_behind: {
    severity: 'warning',
    says: 'Events wait for a SIEM sink for more than a minute.',
    cure: 'See whether the collector keeps up; SIEM_PUSH_BATCH_SIZE sends more at once.',
  },
  sink_blocked: {
    severity: 'warning',
    says: 'A SIEM sink takes nothing.',
    cure: 'Bring the collector or the disk back. Events wait in the database, and none is lost.',
  },
  lane_behind: {
    severity: 'warning',
    says: 'Webhooks that are due, or messages to a peer, wait for more than five minutes.',
    cure: 'See whether workers run and keep up, and whether the peer answers.',
  },
  lane_blocked: {
    severity: 'warning',
    says: 'A lane to a peer stopped at a message that the peer refuses.',
    cure: 'GET /federation/v1/admin/dlq lists what waits and why.',
  },
  job_late: {
    severity: 'critical',
    says: 'No worker has looked after a job for three of its intervals.',
    cure: 'Start a process with ROLE=worker or ROLE=all, or see what holds the running one up.',
  },
  job_failing: {
    severity: 'warning',
    says: 'The last run of a job failed.',
    cure: 'The job names its failure; the log of the worker has the rest.',
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly severity: 'critical' | 'warning'; readonly says: string; readonly cure: string }
  >
>;

export type DegradedReason = keyof typeof DEGRADED_REASONS;

export const DEGRADED_REASON_CODES = Object.keys(DEGRADED_REASONS) as readonly DegradedReason[];
