/**
 * What becomes of an edit that somebody makes behind the service, by column.
 *
 * `refused`: the next action that depends on the row is refused, and nothing is signed.
 * `start`: the service does not start again; while it runs, the edit changes nothing.
 * `found`: the export is refused, or `notary verify` finds it INVALID.
 * `shown`: it shows where the row is shown, and nothing that is signed, decided or exported depends on it.
 * `open`: it takes effect; `why` says what that means.
 */
export type EditOutcome = 'refused' | 'start' | 'found' | 'shown' | 'open';

export interface ColumnGuard {
  readonly outcome: EditOutcome;
  readonly columns: readonly string[];
  readonly why: string;
}

/** Every column of every table. A test edits each of them; SECURITY.md lists them from here. */
export const COLUMN_GUARDS: Readonly<Record<string, readonly ColumnGuard[]>> = {
  records: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'org_id',
        'performer_org_id',
        'schema_org_id',
        'publisher',
        'type',
        'type_version',
        'manifest_digest',
        'platform',
        'platform_ref',
        'gate_mode',
        'operating_mode',
        'status',
        'criteria',
        'criteria_hash',
        'message',
        'counter_proposal',
        'proposal_rounds',
        'on_behalf_of',
        'principal_agent_id',
        'performer_agent_id',
        'parent_record_id',
        'root_record_id',
        'depth',
        'child_count',
        'cascade_rule',
        'awaiting',
        'revision_count',
        'max_revisions',
        'latest_completion_id',
        'completion_pending',
        'latest_evidence_hash',
        'cancelled_by',
        'disputed',
        'open_dispute_id',
        'dispute_count',
        'max_disputes',
        'dispute_window_seconds',
        'dispute_deadline',
        'latest_signal_id',
        'verdict_window_seconds',
        'expires_at',
        'created_at',
        'activated_at',
        'terminal_at',
        'updated_at',
        'reference_count',
      ],
      why: 'the entries of its chain, or the manifest whose digest they seal, say it',
    },
    {
      outcome: 'open',
      columns: ['version'],
      why: 'it is the ETag alone: a conditional request fails, or passes where it should not',
    },
  ],
  record_contents: [
    {
      outcome: 'refused',
      columns: ['record_id', 'hash', 'content'],
      why: 'criteria are found under the hash that the entries seal, and must have it',
    },
  ],
  completions: [
    {
      outcome: 'refused',
      columns: ['id', 'record_id', 'revision', 'evidence', 'evidence_hash', 'submitted_at'],
      why: 'the gates and a verdict rely on what was sealed with the submission',
    },
    {
      outcome: 'shown',
      columns: [
        'submitted_by',
        'gate_state',
        'gate_evaluated_at',
        'gate_results',
        'verdict',
        'verdict_reason',
        'verdict_by',
        'verdict_at',
        'verdict_gate_results',
      ],
      why: 'the entries hold who submitted, what the gates gave and the verdict; an export shows those',
    },
    {
      outcome: 'shown',
      columns: ['entry_position'],
      why: 'an export then lacks the evidence, and its verification says how many pieces are missing',
    },
  ],
  record_references: [
    {
      outcome: 'refused',
      columns: [
        'record_id',
        'id',
        'kind',
        'uri',
        'digest_alg',
        'digest_value',
        'label',
        'added_by',
        'added_at',
      ],
      why: 'its entry says it',
    },
    {
      outcome: 'shown',
      columns: ['entry_position', 'target_hash'],
      why: 'they order the references, and keep the same one from being added twice',
    },
  ],
  disputes: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'record_id',
        'phase',
        'tier',
        'initiated_by',
        'initiator_role',
        'side',
        'grounds',
        'statement',
        'evidence_deadline',
        'phase_deadline',
        'outcome',
        'opened_at',
      ],
      why: 'the entries of the dispute say it',
    },
    {
      outcome: 'shown',
      columns: [
        'org_id',
        'performer_org_id',
        'principal_agent_id',
        'performer_agent_id',
        'resolution',
        'resolved_by',
        'resolved_at',
      ],
      why: 'listings of disputes go by the parties here; what is decided goes by the record',
    },
  ],
  dispute_evidence: [
    {
      outcome: 'refused',
      columns: [
        'dispute_id',
        'ordinal',
        'submitted_by',
        'side',
        'content',
        'content_hash',
        'submitted_at',
      ],
      why: 'the entries of the dispute say it',
    },
    { outcome: 'shown', columns: ['id'], why: 'it names a piece in answers, and nothing else' },
  ],
  chain_heads: [
    {
      outcome: 'refused',
      columns: ['chain_key', 'position', 'hash', 'at'],
      why: 'the newest entry is verified against it',
    },
  ],
  chain_entries: [
    {
      outcome: 'found',
      columns: [
        'chain_key',
        'position',
        'entry_type',
        'signing_key_id',
        'previous_hash',
        'hash',
        'cose_sign1',
        'at',
      ],
      why: 'the signed bytes say all of it, and each entry seals the hash of the one before',
    },
    {
      outcome: 'shown',
      columns: ['record_id', 'org_id', 'oidc_iss', 'oidc_sub'],
      why: 'they find entries in the database; exports show the signed bytes',
    },
  ],
};
