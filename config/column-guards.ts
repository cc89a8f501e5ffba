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
        'federation',
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
  completion_times: [
    {
      outcome: 'shown',
      columns: ['performer_agent_id', 'elapsed_ms', 'completion_id', 'type'],
      why: 'it is the median of a reputation alone; the entries hold when a record became active and when something was submitted',
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
      why: 'the newest entry is verified against it; rounds ask the entries where a chain ends, of all chains once a day',
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
  orgs: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'slug',
        'name',
        'created_at',
        'managed_by',
        'require_co_signature',
        'row_version',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the platform chain seals its version',
    },
  ],
  agents: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'org_id',
        'name',
        'display_name',
        'capabilities',
        'deactivated_at',
        'deactivation_reason',
        'absences',
        'managed_by',
        'created_at',
        'row_version',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the platform chain seals its version',
    },
  ],
  agent_keys: [
    {
      outcome: 'refused',
      columns: [
        'thumbprint',
        'curve',
        'public_key',
        'issuers',
        'entry_position',
        'started_at',
        'ended_at',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the platform chain says which keys ended',
    },
    {
      outcome: 'shown',
      columns: ['agent_id', 'purpose'],
      why: 'the row is found no longer: the key counts for nobody',
    },
  ],
  agent_references: [
    {
      outcome: 'refused',
      columns: [
        'entry_position',
        'id',
        'kind',
        'uri',
        'target_hash',
        'digest_alg',
        'digest_value',
        'label',
        'added_by',
        'added_at',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row',
    },
    {
      outcome: 'shown',
      columns: ['agent_id'],
      why: 'the row is found no longer',
    },
  ],
  api_keys: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'key_hash',
        'role',
        'owner_id',
        'org_id',
        'label',
        'environment',
        'scopes',
        'scope_profile',
        'allowed_ips',
        'is_active',
        'expires_at',
        'has_fixed_expiry',
        'created_at',
        'created_by_key_id',
        'rotated_from_key_id',
        'deactivates_at',
        'revoked_at',
        'revoked_by_key_id',
        'revocation_reason',
        'managed_by',
        'row_version',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the platform chain seals its version',
    },
    {
      outcome: 'shown',
      columns: ['last_used_at'],
      why: 'it tells when the key was last used, and selects unused keys for revocation',
    },
  ],
  trusted_issuers: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'org_id',
        'issuer_url',
        'jwks_uri',
        'expected_audience',
        'applies_to',
        'claim_mapping',
        'max_ttl_seconds',
        'enabled',
        'subject_allowlist',
        'require_proof',
        'require_co_signature',
        'managed_by',
        'created_at',
        'updated_at',
        'row_version',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the platform chain seals its version',
    },
  ],
  ephemeral_certs: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'issuer_id',
        'org_id',
        'agent_id',
        'oidc_iss',
        'oidc_sub',
        'public_key',
        'scopes',
        'issued_at',
        'expires_at',
        'revoked_at',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, the certificate says the same, and the platform chain says which were revoked',
    },
  ],
  cert_keys: [
    {
      outcome: 'refused',
      columns: ['oidc_iss', 'oidc_sub', 'agent_id', 'row_key', 'row_mac'],
      why: 'a MAC is over the row',
    },
    {
      outcome: 'open',
      columns: ['public_key'],
      why: 'the key is as if it had never been used: somebody else who has its private half can bind it; CERT_ISSUED tells of both',
    },
  ],
  spent_tokens: [
    {
      outcome: 'open',
      columns: ['token', 'expires_at'],
      why: 'a token that was exchanged can be exchanged again until it expires, by whoever has it and the key; CERT_ISSUED tells of it',
    },
  ],
  publishers: [
    {
      outcome: 'shown',
      columns: ['label'],
      why: 'it is locked while a label is claimed; the schema chains say whose it is',
    },
  ],
  record_types: [
    {
      outcome: 'refused',
      columns: ['org_id', 'publisher', 'type', 'version', 'manifest', 'manifest_digest'],
      why: 'the schema chain of the org says what was registered',
    },
    {
      outcome: 'shown',
      columns: ['id', 'status', 'registered_by', 'registered_at', 'entry_position'],
      why: 'the schema chain says whether a version is active; the others are only shown',
    },
  ],
  outbox: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'type',
        'org_id',
        'counterparty_org_id',
        'record_id',
        'record_type',
        'agent_id',
        'party_agent_id',
        'counterparty_agent_id',
        'data',
        'created_at',
        'position',
        'ordinal',
        'row_key',
        'row_mac',
        'sequence',
        'numbered_at',
        'number_key',
        'number_mac',
      ],
      why: 'one MAC is over all that will be sent and over who may get it, another over the number: such an event is given to nobody, with an alarm',
    },
    {
      outcome: 'shown',
      columns: ['traceparent'],
      why: 'a delivery is drawn in another trace; what is not of the form is left out',
    },
  ],
  event_counter: [
    {
      outcome: 'shown',
      columns: ['id', 'last', 'numbered_at', 'row_key', 'row_mac'],
      why: 'an alarm; the numbers go on after the greatest that an event has under its MAC',
    },
  ],
  event_sums: [
    {
      outcome: 'refused',
      columns: ['id', 'sums', 'created_at', 'row_key', 'row_mac'],
      why: 'a MAC is over the row: what was counted in it is lost, with an alarm, and nothing of it is told',
    },
  ],
  instance: [
    {
      outcome: 'start',
      columns: ['id', 'hub_id', 'predicate_base'],
      why: 'position 1 of the platform chain says it',
    },
  ],
  vault_signing_keys: [
    {
      outcome: 'start',
      columns: ['key_id', 'algorithm', 'public_key', 'status', 'activated_at', 'retired_at'],
      why: 'the key statements on the platform chain say it; a running service stores nothing more where the row of its key is not the active one',
    },
  ],
  vault_key_statements: [
    {
      outcome: 'start',
      columns: ['chain_position', 'key_id', 'statement', 'cose_sign1', 'created_at'],
      why: 'they are copies of entries of the platform chain',
    },
  ],
  sealed_keys: [
    {
      outcome: 'start',
      columns: ['key_id', 'public_key', 'encrypted_private_key'],
      why: 'the private key is sealed under SIGNER_KEK with its id',
    },
    {
      outcome: 'shown',
      columns: ['algorithm', 'created_at'],
      why: 'nothing depends on them',
    },
  ],
  secret_checks: [
    {
      outcome: 'start',
      columns: ['secret', 'salt', 'check_value'],
      why: 'only the right secret has this check value',
    },
    {
      outcome: 'shown',
      columns: ['generation', 'created_at'],
      why: 'they tell in which order secrets came',
    },
  ],
  scitt_leaves: [
    {
      outcome: 'refused',
      columns: ['log_key', 'leaf_index', 'hash', 'chain_key', 'position'],
      why: 'a leaf is compared with the signed bytes that it is the hash of, and the tree with the root that was signed last',
    },
  ],
  scitt_statements: [
    {
      outcome: 'refused',
      columns: ['org_id', 'hash', 'cose_sign1'],
      why: 'its bytes have the hash of its leaf, and its leaf stands in the tree that is signed',
    },
    {
      outcome: 'open',
      columns: ['identity'],
      why: 'the same statement could be registered once more, as a leaf of its own',
    },
    {
      outcome: 'shown',
      columns: ['agent_id', 'created_at'],
      why: 'until a signed head covers the leaf, the bytes have to verify under a key of this agent; nothing else depends on it',
    },
  ],
  vault_checkpoints: [
    {
      outcome: 'found',
      columns: ['log_index'],
      why: 'nothing is signed after a leaf that is not at its sealed place',
    },
    {
      outcome: 'shown',
      columns: [
        'id',
        'chain_key',
        'chain_kind',
        'position',
        'head_hash',
        'signing_key_id',
        'created_at',
        'cose_sign1',
      ],
      why: 'an export takes it again only where its signed bytes cover the head, and else makes a new one; a round signs nothing over a log with another leaf',
    },
  ],
  checkpoint_timestamps: [
    {
      outcome: 'shown',
      columns: ['log_index', 'token'],
      why: 'an export leaves out a token that is not one of its checkpoint, with an alarm; only --tsa-roots says whose it is',
    },
  ],
  vault_scans: [
    {
      outcome: 'shown',
      columns: [
        'id',
        'in_flight',
        'created_at',
        'attempts',
        'progress',
        'completed_at',
        'result',
        'failure',
      ],
      why: 'what a scan found is said to whoever asks, and nothing is decided by it; notary scan on the host finds it anew',
    },
  ],
  siem_sinks: [
    {
      outcome: 'refused',
      columns: ['name', 'sequence', 'event_id', 'numbered_at', 'row_key', 'row_mac'],
      why: 'a MAC is over the row: the sink stands still, with an alarm, and no event is passed over',
    },
    {
      outcome: 'open',
      columns: ['id'],
      why: 'the sink begins again with the oldest event: what it has comes twice, with the same ids',
    },
  ],
  compliance_exports: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'org_id',
        'in_flight',
        'format',
        'filters',
        'asked_by',
        'created_at',
        'expires_at',
        'attempts',
        'claim',
        'made',
        'failure',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, the hash of every piece among it; the platform chain seals the hash of the file',
    },
  ],
  compliance_export_pieces: [
    {
      outcome: 'refused',
      columns: ['export_id', 'claim', 'ordinal', 'content'],
      why: 'a piece is compared with its hash in the row of its export before it is sent',
    },
  ],
  log_nodes: [
    {
      outcome: 'found',
      columns: ['log_key', 'level', 'node_index', 'hash'],
      why: 'a proof or a root is made of nodes only where they lead to a root that was signed',
    },
  ],
  anchored_checkpoints: [
    {
      outcome: 'shown',
      columns: ['log_index', 'chain_key', 'position', 'object_key', 'anchored_at'],
      why: 'a checkpoint is then not compared with its anchor, or reported as one that does not match; chains are compared with the store itself',
    },
  ],
  anchor_sweeps: [
    {
      outcome: 'open',
      columns: ['id', 'last_sweep_at', 'last_success_at', 'failures', 'pending', 'last_verify'],
      why: 'a sweep runs sooner or later than it should; each start compares the newest anchor all the same',
    },
  ],
  rewind_findings: [
    {
      outcome: 'open',
      columns: [
        'chain_key',
        'checkpoint_hash',
        'finding',
        'local_position',
        'local_hash',
        'anchored_position',
        'anchored_hash',
        'key_lost',
        'detected_at',
        'acknowledged_at',
      ],
      why: 'a row that is added refuses writes; one that is removed or edited is found again at the next start or sweep, and what lifts a refusal is the entry on the platform chain, or the chain itself where it is whole again',
    },
  ],
  org_admin_reads: [
    {
      outcome: 'found',
      columns: ['org_id', 'leaf_index', 'signing_key_id', 'leaf_hash', 'cose_sign1', 'created_at'],
      why: 'the signed bytes say all of it, each leaf seals the hash of the one before, and checkpoints the tree; nothing is signed over a log that does not verify, and its org is not read until then',
    },
  ],
  org_admin_reads_checkpoints: [
    {
      outcome: 'found',
      columns: ['org_id', 'tree_size', 'root_hash', 'signing_key_id', 'cose_sign1', 'created_at'],
      why: 'the signed bytes say all of it; no proof is given that does not verify under them',
    },
    { outcome: 'shown', columns: ['id'], why: 'it names a checkpoint in answers' },
  ],
  org_reads_cosignatures: [
    {
      outcome: 'found',
      columns: ['witness_key_id', 'signature'],
      why: 'the signature verifies under the key of the witness, over the checkpoint, or it does not; a dump shows it',
    },
    {
      outcome: 'open',
      columns: ['checkpoint_id'],
      why: 'a signature that is taken away is missed by its witness alone, and its place is free again; beside another checkpoint it does not verify',
    },
    { outcome: 'shown', columns: ['created_at'], why: 'it tells when the signature came' },
  ],
  provisioned_rows: [
    {
      outcome: 'refused',
      columns: ['id', 'kind', 'org_slug', 'name', 'created_at', 'row_key', 'row_mac'],
      why: 'a MAC is over the row, and every reload and every look at the status reads all of them',
    },
  ],
  witnesses: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'name',
        'curve',
        'public_key',
        'created_at',
        'row_version',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the platform chain seals its version',
    },
  ],
  rate_limit_exemptions: [
    {
      outcome: 'refused',
      columns: ['owner_id', 'created_at', 'row_version', 'row_key', 'row_mac'],
      why: 'a MAC is over the row, and the platform chain seals its version: who is not believed to be exempt is limited as everybody is, and so is whose row is gone',
    },
  ],
  hub_keys: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'thumbprint',
        'public_key',
        'private_key',
        'created_at',
        'retired_at',
        'row_version',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the platform chain seals its version: nothing is signed for a peer; where the row is gone no other key is made',
    },
  ],
  federation_mirrors: [
    {
      outcome: 'refused',
      columns: ['record_id', 'peer_hub_id', 'home_record_id', 'manifest', 'row_key', 'row_mac'],
      why: 'a MAC is over the row, and the record seals whom it follows and the digest of its manifest; the record is found by its own row as well, so where this one is gone no second mirror is made',
    },
  ],
  federation_outgoing: [
    {
      outcome: 'refused',
      columns: [
        'message_id',
        'record_id',
        'peer_hub_id',
        'sequence',
        'route',
        'body',
        'statement_hash',
        'former',
        'position',
        'queued_at',
        'outcome',
        'attestation',
        'answered_at',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row; a message that is missing stops its lane, for the chain counts them',
    },
    {
      outcome: 'open',
      columns: ['in_lane'],
      why: 'a message is sent again, which its receiver answers as before, or seconds late: what has no answer under its MAC and is in no lane is put back, with an alarm; where its answer was edited as well, the row is refused when its record is next used',
    },
  ],
  federation_incoming: [
    {
      outcome: 'refused',
      columns: [
        'record_id',
        'sequence',
        'message_id',
        'peer_hub_id',
        'route',
        'statement',
        'statement_hash',
        'payload_hash',
        'entries',
        'outcome',
        'attestation',
        'refusal',
        'received_at',
        'equivocation',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the chain of the record counts what it attested, and seals the hashes of two statements of one sequence',
    },
  ],
  federation_peers: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'hub_id',
        'base_url',
        'public_key',
        'thumbprint',
        'vault_root',
        'status',
        'own_key',
        'greeted_at',
        'created_at',
        'updated_at',
        'generation',
        'row_version',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the platform chain seals its version: nothing goes to the peer or is taken from it',
    },
    {
      outcome: 'shown',
      columns: ['name'],
      why: 'what the peer calls itself, which nothing depends on',
    },
    {
      outcome: 'open',
      columns: ['handshake_due_at', 'handshake_attempts'],
      why: 'a handshake is sent again, sooner or later than it should, or not until the next change of the peer or the hub key',
    },
  ],
  pending_peers: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'hub_id',
        'base_url',
        'public_key',
        'thumbprint',
        'vault_root',
        'address',
        'created_at',
        'expires_at',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, which goes with an alarm, and its hub sends its handshake again; an operator approves a key and a root that were compared elsewhere',
    },
  ],
  peer_nonces: [
    {
      outcome: 'open',
      columns: ['id', 'expires_at'],
      why: 'a request of a peer is taken once more, within 300 seconds and by whoever has it; its message has a sequence and is applied once',
    },
  ],
  peer_key_statements: [
    {
      outcome: 'refused',
      columns: ['hub_id', 'vault_root', 'statements', 'fetched_at', 'row_key', 'row_mac'],
      why: 'a MAC is over the row, and each statement is verified from the root that was registered: an edited row is none, and the peer is asked again',
    },
  ],
  former_peer_keys: [
    {
      outcome: 'refused',
      columns: ['id', 'hub_id', 'vault_root', 'statements', 'fetched_at', 'row_key', 'row_mac'],
      why: 'a MAC is over the row, and each statement is verified from the root that the row names: an edited row is none, and what the peer signed under a root that it had before is shown without its keys',
    },
  ],
  federation_lanes: [
    {
      outcome: 'open',
      columns: [
        'record_id',
        'peer_hub_id',
        'attempts',
        'failing_since',
        'due_at',
        'stopped_reason',
        'stopped_at',
        'lease_token',
        'lease_until',
      ],
      why: 'messages of a record come to its peer late (by a day for each edit), twice, or not until an operator recovers them from the DLQ; what is sent stands under a MAC, and the peer knows it by its sequence',
    },
    {
      outcome: 'shown',
      columns: ['last_status', 'last_error'],
      why: 'the DLQ shows them, and nothing depends on them',
    },
  ],
  federation_breakers: [
    {
      outcome: 'open',
      columns: ['peer_hub_id', 'consecutive_failures', 'opened_at', 'probe_at'],
      why: 'messages to a peer wait for a probe that is not due, two minutes at most for each edit, or are tried where it is away',
    },
  ],
  webhook_subscriptions: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'org_id',
        'owner_type',
        'owner_id',
        'platform_agent_id',
        'url',
        'event_types',
        'record_types',
        'format',
        'scheme',
        'secret',
        'previous_secret',
        'previous_secret_until',
        'managed_by',
        'record_id',
        'push',
        'gaps',
        'is_inactive',
        'is_paused',
        'deleted_at',
        'created_at',
        'row_version',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the platform chain seals its version: nothing is sent, and it is shown to nobody',
    },
  ],
  webhook_readers: [
    {
      outcome: 'open',
      columns: [
        'subscription_id',
        'lease_token',
        'lease_until',
        'position',
        'event_sequence',
        'circuit_state',
        'consecutive_failures',
        'opened_at',
        'is_held',
        'failing_since',
        'last_successful_at',
        'due_at',
      ],
      why: 'events are delivered again, under another eventSequence, late or not at all; what is sent is still what was sealed, and to whom',
    },
  ],
  webhook_deliveries: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'subscription_id',
        'event_id',
        'event_type',
        'number',
        'event_sequence',
        'attempt',
        'created_at',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over which event it is of which subscription, and its place there: such a row is never sent',
    },
    {
      outcome: 'open',
      columns: ['status', 'next_retry_at', 'signature'],
      why: 'a delivery is made again, or not at all; its body is built from the event each time',
    },
    {
      outcome: 'shown',
      columns: ['reason', 'response_status', 'response_body', 'body_hash', 'delivered_at'],
      why: 'it tells what came of an attempt, and no more',
    },
  ],
  webhook_bodies: [
    {
      outcome: 'shown',
      columns: ['id', 'body', 'created_at'],
      why: 'it tells what was sent, and is never sent again',
    },
  ],
  webhook_dlq: [
    {
      outcome: 'refused',
      columns: [
        'id',
        'subscription_id',
        'org_id',
        'event_id',
        'event_type',
        'number',
        'event_sequence',
        'reason',
        'attempts',
        'last_status',
        'created_at',
        'expires_at',
        'row_key',
        'row_mac',
      ],
      why: 'a MAC is over the row, and the event is read from the outbox, where it has a MAC of its own',
    },
  ],
  co_signed_requests: [
    {
      outcome: 'shown',
      columns: ['id', 'body'],
      why: 'an export leaves a body out that is not the one that was signed, with an alarm',
    },
  ],
  co_signed_entries: [
    {
      outcome: 'shown',
      columns: ['chain_key', 'position', 'request_id'],
      why: 'an export leaves the body out; the entry holds the signature',
    },
  ],
  idempotency: [
    {
      outcome: 'refused',
      columns: ['body_hash', 'answer', 'is_provisional', 'created_at', 'row_key', 'row_mac'],
      why: 'a MAC is over the row: a repetition gets a refusal, and the call is not carried out',
    },
    {
      outcome: 'open',
      columns: ['scope'],
      why: 'the row is then no longer that of its call, as if it were deleted, and a repetition is carried out again; the scope is a MAC, so no row can be written for a call to come',
    },
  ],
  jobs: [
    {
      outcome: 'open',
      columns: [
        'name',
        'holder',
        'lease_until',
        'last_started_at',
        'last_duration_ms',
        'last_failure',
        'every_ms',
        'seen_at',
      ],
      why: 'a job runs later, or twice; it does nothing that a caller could not. Health says that it is late, or that it is not',
    },
  ],
  locks: [
    {
      outcome: 'shown',
      columns: ['name', 'value'],
      why: 'rows are locked; their values say nothing',
    },
  ],
  schema_migrations: [
    {
      outcome: 'open',
      columns: ['name', 'applied_at'],
      why: 'a start finds the tables otherwise than it expects, and fails',
    },
  ],
};
