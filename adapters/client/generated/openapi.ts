// Made by `npm run docs` from the OpenAPI document. Do not edit.

export interface paths {
  "/v1/records": {
    /**
    * List records, newest first
    * @description Takes a credential that holds records:read.
    */
    get: operations["listRecords"];
    /**
    * Create a record: notarize an action, or open a gated one
    * @description A notarize-only type (its completionSchema is {}) is sealed at once and ends RECORDED. A gated one opens CREATED, PROPOSED where a counterparty is named, or ACTIVE with autoActivate.
    *
    *     Takes a credential that holds records:write.
    */
    post: operations["createRecord"];
  };
  "/v1/records/bulk": {
    /**
    * Create up to 100 records, each on its own
    * @description The body is a bare array of creation bodies. Each item is a transaction of its own and counts as one request; one that fails harms no other, and the answer is 207 even where all fail.
    *
    *     Takes a credential that holds records:write.
    */
    post: operations["createRecordsBulk"];
  };
  "/v1/records/{id}": {
    /**
    * Read a record, with what to do next
    * @description Takes a credential that holds records:read.
    */
    get: operations["getRecord"];
  };
  "/v1/records/{recordId}/audit-export": {
    /**
    * Export the signed chain of a record for offline verification
    * @description Closes with a checkpoint of the head: one that exists, as long as the head has not moved, else a new one. Entries are sent as they are read, so no chain is too long. With evidence=true the evidence stands at its COMPLETION_SUBMITTED entry, and what proposals and disputes said at theirs. NDJSON holds the same, a part a line; CSV is a view of the entries and no evidence. With subtree=true the records below are in it too, as far as this key may read them. A key has at most two exports under way (RATE_LIMIT_EXPORTS).
    *
    *     Takes a credential that holds audit:read.
    */
    get: operations["exportAudit"];
  };
  "/v1/records/{recordId}/attestation": {
    /**
    * The signed structures of a record, and nothing beside them
    * @description The COSE_Sign1 of every entry in order, then the checkpoint of the head: a CBOR sequence (RFC 8742). It holds no key and no evidence. With receipts=true each entry has its receipt from the log of its org in its unprotected header, label 394 (RFC 9942); take it off before you hash.
    *
    *     Takes a credential that holds audit:read.
    */
    get: operations["exportAttestation"];
  };
  "/v1/records/{recordId}/attestation.bundle": {
    /**
    * The newest statement of a record as a Sigstore bundle
    * @description A DSSE envelope over the newest statement, in its RFC 8785 form, signed by the active key, which the hint names. Signed anew for each call.
    *
    *     Takes a credential that holds audit:read.
    */
    get: operations["exportBundle"];
  };
  "/v1/audit-vault/checkpoints": {
    /**
    * List the checkpoints of the chains of an org, newest first
    * @description Of records to which the org is a party, and of its record types; a platform key lists all. They are what the database holds: an export has the proofs, and anchors are the copies outside. total counts this page; a page may be short while there are more, so follow nextCursor to its end.
    *
    *     Takes a credential that holds compliance:read.
    */
    get: operations["listCheckpoints"];
  };
  "/v1/records/{id}/completions": {
    /**
    * Deliver the work with its evidence
    * @description Phase 1 checks the evidence against the completionSchema of the type; what fails it is refused and stored nowhere. Phase 2 evaluates the gates: in auto mode they decide, in principal mode they advise; in an encrypted type they are skipped.
    *
    *     Takes a credential that holds completions:write.
    */
    post: operations["submitCompletion"];
  };
  "/v1/records/{id}/completions/{completionId}": {
    /**
    * Read a completion
    * @description Takes a credential that holds completions:read.
    */
    get: operations["getCompletion"];
  };
  "/v1/records/{id}/verdict": {
    /**
    * Accept or reject the latest completion, or override a rejection
    * @description In an encrypted type the principal may add gateResults: what the gates gave by its own evaluation of the plaintext. They are stored and sealed in the clear, as claimed by the principal.
    *
    *     Takes a credential that holds records:write.
    */
    post: operations["renderVerdict"];
  };
  "/v1/records/{id}/gate-status": {
    /**
    * Read how the latest completion fares
    * @description Takes a credential that holds records:read.
    */
    get: operations["getGateStatus"];
  };
  "/v1/records/{id}/references": {
    /**
    * Attach an external reference
    * @description In any state, by either party or an admin; at most 32 on a record. The same kind and uri again adds nothing and answers what is there. What the URI leads to is neither fetched nor checked.
    *
    *     Takes a credential that holds records:write.
    */
    post: operations["addReference"];
  };
  "/v1/records/{id}/transition": {
    /**
    * Take an action of the lifecycle by its name
    * @description accept, accept-counter, counter-propose and reject by the performer need records:write or completions:write, every other action records:write.
    *
    *     Takes a credential that holds records:write or completions:write.
    */
    post: operations["transitionRecord"];
  };
  "/v1/records/{id}/accept": {
    /**
    * Accept a proposal
    * @description Takes a credential that holds records:write or completions:write.
    */
    post: operations["acceptProposal"];
  };
  "/v1/records/{id}/accept-counter": {
    /**
    * Accept a counter-proposal
    * @description Takes a credential that holds records:write or completions:write.
    */
    post: operations["acceptCounterProposal"];
  };
  "/v1/records/{id}/counter-propose": {
    /**
    * Answer a proposal with other criteria
    * @description Takes a credential that holds records:write or completions:write.
    */
    post: operations["counterPropose"];
  };
  "/v1/records/{id}/reject": {
    /**
    * Turn a proposal down
    * @description Takes a credential that holds records:write or completions:write.
    */
    post: operations["rejectProposal"];
  };
  "/v1/records/{id}/cancel": {
    /**
    * Withdraw a record
    * @description Takes a credential that holds records:write.
    */
    post: operations["cancelRecord"];
  };
  "/v1/records/{id}/revision": {
    /**
    * Ask for a better completion
    * @description Takes a credential that holds records:write.
    */
    post: operations["requestRevision"];
  };
  "/v1/records/{id}/dispute": {
    /**
    * Read the newest dispute of a record
    * @description Takes a credential that holds disputes:read.
    */
    get: operations["getRecordDispute"];
    /**
    * Dispute the outcome of a record
    * @description For the side that the outcome went against, within the dispute window of the type: the principal of a FULFILLED record; the performer of one that is FAILED, or, with a completion submitted, EXPIRED or CANCELLED by the principal. The settlement is put on HOLD.
    *
    *     Takes a credential that holds disputes:write.
    */
    post: operations["openDispute"];
  };
  "/v1/records/{id}/dispute/evidence": {
    /**
    * Submit evidence to the open dispute
    * @description By either party, in any phase; at most 32 pieces a dispute. Whoever speaks for both sides submits for the one that disputes. In auto mode the gates see it as dispute.evidence when the evidence window ends.
    *
    *     Takes a credential that holds disputes:write.
    */
    post: operations["submitDisputeEvidence"];
  };
  "/v1/records/{id}/dispute/escalate": {
    /**
    * Take the open dispute to the next tier
    * @description Takes a credential that holds disputes:write.
    */
    post: operations["escalateDispute"];
  };
  "/v1/records/{id}/dispute/resolve": {
    /**
    * Resolve the open dispute: concede, or decide
    * @description In any phase the other side may concede (OVERTURNED, with disputes:write). To decide takes disputes:manage: in the second tier an admin of the principal's org, in every tier the platform. Never the key that opened the dispute, nor its agent.
    *
    *     Takes a credential that holds disputes:manage or disputes:write.
    */
    post: operations["resolveDispute"];
  };
  "/v1/records/{id}/dispute/withdraw": {
    /**
    * Withdraw the open dispute
    * @description By whoever opened it, an admin of the org of its side, or the platform. A withdrawn dispute counts towards the most that the type allows.
    *
    *     Takes a credential that holds disputes:write.
    */
    post: operations["withdrawDispute"];
  };
  "/v1/disputes": {
    /**
    * List disputes, newest first
    * @description Takes a credential that holds disputes:read.
    */
    get: operations["listDisputes"];
  };
  "/v1/disputes/{disputeId}": {
    /**
    * Read a dispute
    * @description Takes a credential that holds disputes:read.
    */
    get: operations["getDispute"];
  };
  "/v1/events": {
    /**
    * List events, newest first
    * @description An agent gets those of the records that it is party to, and its own agent.*, key.* and cert.*; an admin those of records with a party in its org, and the operational ones of the org; a platform key all of them, or those of the org that orgId names. They come in the order of their numbers; an event has its number a moment after it happened. since (inclusive) and until (exclusive) apply to createdAt.
    *
    *     Takes a credential that holds events:read.
    */
    get: operations["listEvents"];
  };
  "/v1/webhooks": {
    /**
    * List webhooks, newest first
    * @description An agent key lists its own, an admin key those of its org, a platform key those that its agent created.
    *
    *     Takes a credential that holds webhooks:read.
    */
    get: operations["listWebhooks"];
    /**
    * Tell a receiver what happens
    * @description A webhook of an agent key gets what GET /v1/events gives that agent; one of an admin key what it gives the org. Deliveries come at least once, one at a time; tell them apart by X-Service-Idempotency-Key.
    *
    *     Takes a credential that holds webhooks:write.
    */
    post: operations["createWebhook"];
  };
  "/v1/webhooks/{id}": {
    /**
    * Read a webhook
    * @description Takes a credential that holds webhooks:read.
    */
    get: operations["getWebhook"];
    /**
    * Delete a webhook
    * @description What waits goes to its DLQ, which stays readable. A deleted webhook is never revived.
    *
    *     Takes a credential that holds webhooks:write.
    */
    delete: operations["deleteWebhook"];
    /**
    * Change a webhook
    * @description What waits goes to the new url in the new format. The scheme stays as it was created, whatever eventTypes are named.
    *
    *     Takes a credential that holds webhooks:write.
    */
    patch: operations["updateWebhook"];
  };
  "/v1/webhooks/{id}/ping": {
    /**
    * Send a test event
    * @description A real signed delivery of the type webhook.ping, sent at once; the answer says what came of it. It works while the webhook is paused or its circuit is open, and counts for no circuit.
    *
    *     Takes a credential that holds webhooks:write.
    */
    post: operations["pingWebhook"];
  };
  "/v1/webhooks/{id}/rotate": {
    /**
    * Give a webhook another secret
    * @description Until the grace ends both secrets sign each delivery, so that the receiver can change over. A second rotation drops the oldest.
    *
    *     Takes a credential that holds webhooks:write.
    */
    post: operations["rotateWebhookSecret"];
  };
  "/v1/webhooks/{id}/pause": {
    /**
    * Pause a webhook
    * @description What happened before waits; what happens until it is resumed is never delivered. A webhook that provisioning manages may be paused too.
    *
    *     Takes a credential that holds webhooks:write.
    */
    post: operations["pauseWebhook"];
  };
  "/v1/webhooks/{id}/resume": {
    /**
    * Resume a webhook
    * @description Takes a credential that holds webhooks:write.
    */
    post: operations["resumeWebhook"];
  };
  "/v1/webhooks/{id}/deliveries": {
    /**
    * Read the newest deliveries of a webhook
    * @description Each attempt is one; they are kept for 30 days.
    *
    *     Takes a credential that holds webhooks:read.
    */
    get: operations["listWebhookDeliveries"];
  };
  "/v1/webhooks/{id}/dlq": {
    /**
    * List what was not delivered to a webhook, newest first
    * @description The DLQ. An entry is kept for seven days; event is read from the events themselves.
    *
    *     Takes a credential that holds webhooks:read.
    */
    get: operations["listWebhookDeadLetters"];
  };
  "/v1/webhooks/{id}/dlq/retry-all": {
    /**
    * Send everything in the DLQ of a webhook again
    * @description The oldest 1,000 of a call. Entries of an inactive webhook stay.
    *
    *     Takes a credential that holds webhooks:write.
    */
    post: operations["retryAllWebhookDeadLetters"];
  };
  "/v1/webhooks/{id}/dlq/{dlqId}/retry": {
    /**
    * Send an event of the DLQ again
    * @description For the owner of the webhook, and for keys with webhooks:manage.
    *
    *     Takes a credential that holds webhooks:write.
    */
    post: operations["retryWebhookDeadLetter"];
  };
  "/v1/webhooks/{id}/dlq/{dlqId}": {
    /**
    * Discard an entry of the DLQ
    * @description Takes a credential that holds webhooks:write.
    */
    delete: operations["discardWebhookDeadLetter"];
  };
  "/v1/admin/webhooks/health": {
    /**
    * How the receivers do, newest webhook first
    * @description Takes a credential with the role admin or platform that holds admin:system.
    */
    get: operations["getWebhooksHealth"];
  };
  "/v1/admin/webhooks/{id}/circuit-breaker": {
    /**
    * Open or close the circuit of a webhook
    * @description What an operator opened stays open until it is closed here.
    *
    *     Takes a credential with the role admin or platform that holds admin:system.
    */
    patch: operations["setWebhookCircuit"];
  };
  "/v1/admin/webhook-dlq": {
    /**
    * List what was not delivered on the whole hub, newest first
    * @description Takes a credential with the role platform that holds admin:system.
    */
    get: operations["listAllWebhookDeadLetters"];
  };
  "/v1/admin/webhook-dlq/{dlqId}": {
    /**
    * Discard an entry of any DLQ
    * @description Takes a credential with the role platform that holds admin:system.
    */
    delete: operations["discardAnyWebhookDeadLetter"];
  };
  "/v1/siem/stream": {
    /**
    * Read events as lines for a SIEM
    * @description A walk along the numbers of events, a page a call: since begins it, the cursor of each answer continues it, and neither begins with the oldest event. An empty answer has the cursor that was sent: ask again later. An agent gets what it gets in GET /v1/events, an admin the same of its org, a platform key everything. Events keep their ids, so whoever reads a page twice can tell. 503 where events have waited for their numbers for more than a minute.
    *
    *     Takes a credential that holds audit:read.
    */
    get: operations["streamSiem"];
  };
  "/v1/compliance/exports": {
    /**
    * List compliance exports, newest first
    * @description Those of the org; for a platform key those of all orgs, or of the one it names.
    *
    *     Takes a credential that holds compliance:read.
    */
    get: operations["listComplianceExports"];
    /**
    * Ask for an export of the records of an org
    * @description Made in the background and kept for seven days: the newest 10,000 of the records with a party in the org that were created from one instant on and before another one. ndjson: a line is the audit export of a record, without evidence, as notary verify takes it; json: an array of the same; csv: a view of the entries. A record that somebody edited in the database is left out, counted and named. That it was taken is sealed as EXPORT_TAKEN, and entered in the log of reads of each org whose data it shows. An org has at most 10 that have not expired.
    *
    *     Takes a credential that holds compliance:write.
    */
    post: operations["createComplianceExport"];
  };
  "/v1/compliance/exports/{id}": {
    /**
    * How far a compliance export is
    * @description Takes a credential that holds compliance:read.
    */
    get: operations["getComplianceExport"];
  };
  "/v1/compliance/exports/{id}/download": {
    /**
    * Download a compliance export
    * @description From any node, in the format that it was asked for in. Its SHA-256 is the one that EXPORT_TAKEN seals.
    *
    *     Takes a credential that holds compliance:read.
    */
    get: operations["downloadComplianceExport"];
  };
  "/v1/records/{id}/chain": {
    /**
    * Read the delegation tree that a record belongs to
    * @description From the root, the nearest to it first, at most 2,000 records. Of records that this credential may not read it shows that they are there, how they stand, and the head of their chain.
    *
    *     Takes a credential that holds records:read.
    */
    get: operations["readDelegationChain"];
  };
  "/v1/scitt/entries": {
    /**
    * Register a signed statement and take its receipt
    * @description A COSE_Sign1 (SCITT, RFC 9943) that an agent of the org signed: CWT claims iss and sub, the payload attached, deterministic outer bytes. Its kid is the RFC 9679 thumbprint of a registered signing key, or the keyId; its iss is registered for that key. A statement outside its validity period (CWT claims exp and nbf) is refused. The same statement again, by its key and what is signed, gives the entry that stands there.
    *
    *     Takes a credential that holds records:write.
    */
    post: operations["registerStatement"];
  };
  "/v1/scitt/entries/{entryId}": {
    /**
    * A transparent statement: a registered one, or a chain entry of the org, with its receipt
    * @description Takes a credential that holds audit:read.
    */
    get: operations["getStatement"];
  };
  "/v1/scitt/checkpoint": {
    /**
    * The newest signed head of the log of the org
    * @description Signed in every round of checkpoints in which the log grew.
    *
    *     Takes a credential that holds audit:read.
    */
    get: operations["getLogHead"];
  };
  "/v1/scitt/consistency": {
    /**
    * The proof that the log of the org grew and changed in nothing
    * @description Between two sizes, which signed heads state (RFC 9162 section 2.1.4). Compare the roots with the signed ones.
    *
    *     Takes a credential that holds audit:read.
    */
    get: operations["getConsistency"];
  };
  "/v1/schemas": {
    /**
    * List record types, newest first
    * @description Takes a credential that holds schemas:read.
    */
    get: operations["listSchemas"];
    /**
    * Register a record type
    * @description The body is the manifest itself. The same manifest again answers 200 with the stored row and writes nothing.
    *
    *     Takes a credential that holds schemas:admin.
    */
    post: operations["registerSchema"];
  };
  "/v1/schemas/{type}": {
    /**
    * Read a record type: its newest active version, or the one that version names
    * @description Takes a credential that holds schemas:read.
    */
    get: operations["getSchema"];
    /**
    * Delete disabled versions of a record type that no record pins
    * @description Without the query version, all versions of the publisher. What was sealed about them stays on the schema chain. Where the type was disabled a moment ago, the answer waits until every process has heard of it: two seconds at most.
    *
    *     Takes a credential that holds schemas:admin.
    */
    delete: operations["deleteSchema"];
    /**
    * Disable versions of a record type, or enable them again
    * @description A disabled version takes no new records; those that pin it go on. Without the query version, all versions of the publisher. Every version that changes is an entry of the schema chain; one that has the status already is not.
    *
    *     Takes a credential that holds schemas:admin.
    */
    patch: operations["updateSchema"];
  };
  "/v1/schemas/{type}/versions": {
    /**
    * List every version of a record type, newest registration first
    * @description Takes a credential that holds schemas:read.
    */
    get: operations["listSchemaVersions"];
  };
  "/v1/schemas/{type}/validate": {
    /**
    * Say what criteria and evidence would meet, and store nothing
    * @description The gates are judged where both parts are given and fit; as on a first completion without delegated records, and without the cascade rule.
    *
    *     Takes a credential that holds schemas:read.
    */
    post: operations["validateContent"];
  };
  "/v1/schemas/export": {
    /**
    * Export record types as one signed document
    * @description At most 1000 manifests, disabled ones too; name a type or a publisher to export in parts.
    *
    *     Takes a credential that holds schemas:read.
    */
    get: operations["exportSchemas"];
  };
  "/v1/schemas/import": {
    /**
    * Import a bundle of record types, all or none
    * @description The manifests keep their publisher, byte for byte. Where one of them stands against another manifest of the same publisher, type and version, all are refused, and errors lists those that are in the way.
    *
    *     Takes a credential that holds schemas:admin.
    */
    post: operations["importSchemas"];
  };
  "/v1/agents/{agentId}": {
    /**
    * Read an agent
    * @description An agent of another org shows what is needed to name it and to verify it: id, orgId, name, displayName, capabilities, signingKeys, encryptionKeyJwk. The summary reputation is there for credentials that hold reputation:read.
    *
    *     Takes a credential that holds agents:read.
    */
    get: operations["getAgent"];
  };
  "/v1/agents/{agentId}/capabilities": {
    /**
    * Declare the record types that an agent performs
    * @description Replaces the whole list; an empty one means any type. Names are checked for their form, not looked up. For the agent itself, and for admins of its org. The same list again writes nothing.
    *
    *     Takes a credential that holds agents:write.
    */
    put: operations["declareCapabilities"];
  };
  "/v1/agents/{agentId}/encryption-key": {
    /**
    * Publish the key that content for an agent is encrypted to
    * @description A public JWK on X25519 or P-256. It takes the place of the key before; the same key again writes nothing. A key that was registered before, for whomever and whatever for, is refused. With proofOfPossession, which P-256 alone can give, the holder of the key confirms it: a signature over service.agent-key.v1, the agentId and the RFC 7638 thumbprint, with a line feed between them.
    *
    *     Takes a credential that holds agents:write.
    */
    put: operations["setEncryptionKey"];
  };
  "/v1/agents/{agentId}/signing-keys": {
    /**
    * Register a key that an agent signs statements with
    * @description Ed25519 or P-256, as a public JWK or as a COSE_Key, one of the two. proofOfPossession is a signature by the key over the UTF-8 bytes of service.agent-key.v1, the agentId and the RFC 9679 thumbprint in lowercase hex, with a line feed between them: 64 raw bytes in base64. A key that was registered before is refused.
    *
    *     Takes a credential that holds agents:write.
    */
    post: operations["addSigningKey"];
  };
  "/v1/agents/{agentId}/signing-keys/{thumbprint}": {
    /**
    * Revoke a signing key
    * @description The key stays with the agent, with the time of its end, and is never registered again. Revoking it twice writes nothing.
    *
    *     Takes a credential that holds agents:write.
    */
    delete: operations["revokeSigningKey"];
  };
  "/v1/agents/{agentId}/references": {
    /**
    * Attach an external reference to an agent
    * @description For the agent itself, and for admins of its org; at most 32 on an agent. The same kind and uri again adds nothing and answers what is there. What the URI leads to is neither fetched nor checked.
    *
    *     Takes a credential that holds agents:write.
    */
    post: operations["addAgentReference"];
  };
  "/v1/agents/drift": {
    /**
    * Compare the work of every agent of the org with the period before
    * @description The active agents of the org, and those with activity in the window, by agentId. Takes an admin key of the org: to a platform key it answers 403 ORG_REQUIRED. A cursor goes on with the window it was issued under, to the millisecond; with another window it is refused.
    *
    *     Takes a credential that holds drift:read.
    */
    get: operations["listDrift"];
  };
  "/v1/agents/{agentId}/drift": {
    /**
    * Compare an agent's work with the period before
    * @description An agent reads its own with agents:read; an admin reads those of its org with drift:read. Everything counts at its own moment: records at creation, completions at submission, verdicts when they land, disputes when they are resolved. In auto mode the outcome of the gates is the verdict. Records that never became ACTIVE do not count.
    *
    *     Takes a credential that holds agents:read or drift:read.
    */
    get: operations["getDrift"];
  };
  "/v1/agents/{agentId}/reputation": {
    /**
    * What stands of an agent's work for others
    * @description Records that an agent performed for itself do not count, nor do those that never became ACTIVE. accepted and rejected are what stands after overrides and disputes, one for each record. An agent, the admins of its org and the platform read all of it. Other agents of the org read the totals, and byType of the records that they are party to. To another org everything counts its own dealings with the agent alone.
    *
    *     Takes a credential that holds reputation:read.
    */
    get: operations["getReputation"];
  };
  "/v1/agents/{agentId}/history": {
    /**
    * List the records that an agent performed, newest first
    * @description As far as the caller may read them: all for the agent itself, for admins of its org and for the platform; for anyone else those to which they, or their org, are the other party. from (inclusive) and to (exclusive) apply to createdAt.
    *
    *     Takes a credential that holds agents:read.
    */
    get: operations["listHistory"];
  };
  "/v1/auth/me": {
    /**
    * Who this credential is, and what it may do
    * @description Takes any valid credential.
    */
    get: operations["getWhoami"];
  };
  "/v1/auth/keys/rotate": {
    /**
    * Replace the calling key by a new one that may do the same
    * @description The old key ends at once, or after gracePeriodSeconds.
    *
    *     Takes any valid credential.
    */
    post: operations["rotateKey"];
  };
  "/v1/admin/orgs": {
    /**
    * List orgs: all of them for a platform key, its own one for an admin key
    * @description Takes any valid credential with the role platform or admin.
    */
    get: operations["listOrgs"];
    /**
    * Open an org, with bootstrapAdmin also its first admin key
    * @description Takes any valid credential with the role platform.
    */
    post: operations["createOrg"];
  };
  "/v1/admin/orgs/{id}": {
    /**
    * Change the settings of an org
    * @description For an admin key that of its own org. It holds on every node within a second, and is sealed. An org that demands co-signatures stays open to whoever governs it, so that it can take its demand back.
    *
    *     Takes a credential with the role platform or admin that holds admin:keys.
    */
    patch: operations["updateOrg"];
  };
  "/v1/admin/agents": {
    /**
    * List agents, newest first
    * @description Takes a credential that holds admin:keys.
    */
    get: operations["listAgents"];
    /**
    * Create an agent of an org
    * @description Takes a credential that holds admin:keys.
    */
    post: operations["createAgent"];
  };
  "/v1/admin/agents/{id}/deactivate": {
    /**
    * Shut an agent out
    * @description Every credential of the agent is refused from now on (403 ACCOUNT_DEACTIVATED) and its keys are revoked; on other nodes within a second. It cannot be named as a party any more; on records that it is a party of, admins of its org act for it. Refused where nobody of the org could administer it afterwards. Doing it twice changes nothing.
    *
    *     Takes a credential that holds admin:keys.
    */
    post: operations["deactivateAgent"];
  };
  "/v1/admin/agents/{id}/reactivate": {
    /**
    * Let a deactivated agent in again
    * @description For platform keys. The keys that it had stay revoked. Doing it twice changes nothing.
    *
    *     Takes a credential with the role platform that holds admin:keys.
    */
    post: operations["reactivateAgent"];
  };
  "/v1/admin/api-keys": {
    /**
    * List keys, newest first
    * @description Takes a credential that holds admin:keys.
    */
    get: operations["listApiKeys"];
    /**
    * Mint a key for an agent
    * @description The key is in this answer and nowhere else. It never exceeds the key that mints it, in role, scopes or addresses.
    *
    *     Takes a credential that holds admin:keys.
    */
    post: operations["mintApiKey"];
  };
  "/v1/admin/api-keys/{keyId}": {
    /**
    * Revoke a key; a platform key may also bring one back
    * @description Takes a credential that holds admin:keys.
    */
    patch: operations["updateApiKey"];
  };
  "/v1/admin/api-keys/bulk-revoke": {
    /**
    * Revoke many keys
    * @description Either those that are named, all at once or none, or active ones that match every filter given, some at a time and at most 10,000 a call; an admin reaches the keys of its org alone. Filters spare the calling key, and keys that provisioning files manage. Refused, before anything is revoked, where an org would be left without an active admin key.
    *
    *     Takes a credential that holds admin:keys.
    */
    post: operations["bulkRevokeApiKeys"];
  };
  "/v1/admin/trusted-issuers": {
    /**
    * List trusted identity providers, newest first
    * @description Takes a credential with the role platform that holds admin:system.
    */
    get: operations["listTrustedIssuers"];
    /**
    * Trust an identity provider
    * @description Its key set is fetched when its first token comes. An issuer with an orgId vouches for the agents of that org and at most for its admins; the role platform comes only from an issuer whose orgId is null.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["createTrustedIssuer"];
  };
  "/v1/admin/trusted-issuers/{id}": {
    /**
    * Read a trusted identity provider
    * @description Takes a credential with the role platform that holds admin:system.
    */
    get: operations["getTrustedIssuer"];
    /**
    * Forget an identity provider that never gave a certificate
    * @description Takes a credential with the role platform that holds admin:system.
    */
    delete: operations["deleteTrustedIssuer"];
    /**
    * Change how far an identity provider is trusted
    * @description orgId, issuerUrl and appliesTo stay as they were registered. Certificates that were given before are as good as they were; revoke-certs ends them.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    patch: operations["updateTrustedIssuer"];
  };
  "/v1/admin/trusted-issuers/{id}/revoke-certs": {
    /**
    * Revoke every active certificate of an issuer
    * @description At once on this node, within a second on every other. Disable the issuer first where it shall give no new ones.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["revokeIssuerCerts"];
  };
  "/v1/admin/ephemeral-certs/{id}/revoke": {
    /**
    * Revoke a certificate
    * @description At once on this node, within a second on every other. Doing it twice changes nothing.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["revokeCert"];
  };
  "/v1/auth/oidc/cert": {
    /**
    * Exchange a token of an identity provider for a certificate of an agent
    * @description The certificate is the bearer for as long as the token is good, and no longer than the issuer allows; it carries exactly the scopes that the token asserts. proofOfPossession is an Ed25519 signature by publicKeyJwk over the UTF-8 bytes of service.oidc.cert.v1, a line feed and the sub of the token, in base64. It shows that the caller holds the key; being over a constant prefix it does not stop a stolen token, which requireProof dpop of the issuer does. A token is exchanged once, and a key belongs to one subject and agent for ever. A refusal carries a reason: malformed_token, proof_invalid, unknown_issuer, issuer_disabled, signature_invalid, token_expired, token_replayed, audience_mismatch, subject_not_allowlisted, agent_unknown, ttl_too_short, jwks_fetch_failed.
    *
    *     No credential is needed.
    */
    post: operations["exchangeToken"];
  };
  "/v1/verification-keys": {
    /**
    * The public keys that verify what the vault signed
    * @description Retired keys stay listed, so that older entries still verify. Find the key of an entry by its keyId and read its own algorithm. For an audit, obtain these keys, or their fingerprint, from somewhere other than the export.
    *
    *     No credential is needed.
    */
    get: operations["listVerificationKeys"];
  };
  "/v1/admin/provisioning/reload": {
    /**
    * Read the provisioning files again and apply them
    * @description Every document that differs from what there is goes through the operation that a caller would call, as the service itself, and is sealed as that. A file that is wrong is listed in errors and holds up no other. The same files again change nothing.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["reloadProvisioning"];
  };
  "/v1/admin/provisioning/status": {
    /**
    * What provisioning files manage, and what is wrong with them
    * @description Takes a credential with the role platform that holds admin:system.
    */
    get: operations["getProvisioningStatus"];
  };
  "/v1/admin/vault/signing-keys": {
    /**
    * The signing keys of the vault, newest first
    * @description As the key statements on the platform chain say, whatever the stored rows do.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    get: operations["listSigningKeys"];
  };
  "/v1/admin/vault/signing-keys/rotate": {
    /**
    * Retire the signing key and activate a new one
    * @description Safe while writes go on: what waits is signed by the new key. The new key has the algorithm of VAULT_ALGORITHM. A key that was stolen is retired as compromised: then a verifier takes nothing from it that no checkpoint covers.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["rotateSigningKey"];
  };
  "/v1/admin/vault/anchors": {
    /**
    * The copies of the checkpoints of one chain outside of the database
    * @description The zero UUID names the platform chain, whose newest checkpoint is anchored in every sweep.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    get: operations["listAnchors"];
  };
  "/v1/admin/vault/anchors/verify": {
    /**
    * Compare anchors with the checkpoints in the database
    * @description Of one chain, or 20 of all by chance. What was recorded as anchored and is missing in the store does not match.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["verifyAnchors"];
  };
  "/v1/admin/vault/anchors/reconcile": {
    /**
    * Compare every chain with its newest checkpoint and with every anchor, now
    * @description A chain that is shorter than a signed checkpoint says, or another, is refused to writers until the loss is acknowledged.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["reconcileAnchors"];
  };
  "/v1/admin/vault/rewind": {
    /**
    * Chains that were found to be rewound
    * @description The newest finding first, 1000 at most; acknowledged ones stay listed.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    get: operations["listRewinds"];
  };
  "/v1/admin/vault/rewind/acknowledge": {
    /**
    * Acknowledge that entries are lost, so that their chains are written again
    * @description Each loss is sealed on the platform chain with its range, and verifiers report it. Restore a backup that holds the entries instead, where there is one. A restore brings revoked keys back: the answer lists what the anchors know to be revoked and the database does not. Call it again to read the list again.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["acknowledgeRewind"];
  };
  "/v1/admin/vault/scan": {
    /**
    * Scan the vault: verify every chain, and compare the rows with what the chains say
    * @description It runs in the background, aside from the service, on one moment of the database. One at a time over all nodes: a second one is refused with reason VAULT_SCAN_IN_FLIGHT and the jobId of the first.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["startVaultScan"];
  };
  "/v1/admin/vault/scan/{jobId}": {
    /**
    * How far a scan is, and what it found
    * @description What is broken is listed as far as 1,000 faults; omitted counts the others. A scan that was given up is completed with a failure and no result.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    get: operations["getVaultScan"];
  };
  "/v1/admin/system-health": {
    /**
    * Whether the service is well, and what of it is not
    * @description Every reason is of one closed table, and is a metric and an alert rule as well. What somebody did to the database is shown by the node that met it, for an hour.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    get: operations["getSystemHealth"];
  };
  "/v1/admin/support-bundle": {
    /**
    * What somebody who helps an operator asks for first
    * @description No secret is in it, and nothing that an org has here.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    get: operations["getSupportBundle"];
  };
  "/v1/admin/ops-summary": {
    /**
    * The status of the service and the posture of its vault
    * @description Takes a credential with the role platform that holds admin:system.
    */
    get: operations["getOpsSummary"];
  };
  "/v1/audit/org-reads/checkpoints": {
    /**
    * Signed checkpoints of the log of reads of an org's data, newest first
    * @description Every read of what an org has here, by an administrator or an operator, is a signed leaf of its log. Empty until the first checkpoint. A platform key sees those of every org, or of the one that orgId names.
    *
    *     Takes a credential that holds audit:read.
    */
    get: operations["listOrgReadsCheckpoints"];
  };
  "/v1/audit/org-reads/checkpoints/{id}": {
    /**
    * Read a checkpoint of a log of reads
    * @description Takes a credential that holds audit:read.
    */
    get: operations["getOrgReadsCheckpoint"];
  };
  "/v1/audit/org-reads/checkpoints/{id}/proof": {
    /**
    * Prove that a read stands in the log under a checkpoint
    * @description Refused where the stored log does not lead to the root that was signed.
    *
    *     Takes a credential that holds audit:read.
    */
    get: operations["proveOrgRead"];
  };
  "/v1/audit/org-reads/checkpoints/{id}/cosign": {
    /**
    * Add the signature of a witness to a checkpoint
    * @description A checkpoint has place for one. The signature is over the UTF-8 bytes of service.org-reads.cosign.v1, a line feed, and the SHA-256 (lowercase hex) of the bytes of coseSign1.
    *
    *     Takes a credential that holds audit:write.
    */
    post: operations["cosignOrgReadsCheckpoint"];
  };
  "/v1/admin/witnesses": {
    /**
    * List the witnesses, newest first
    * @description Takes a credential with the role platform that holds admin:system.
    */
    get: operations["listWitnesses"];
    /**
    * Name a witness of the logs of reads
    * @description Somebody outside who signs checkpoints that they have seen, so that nobody can be shown another log later.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["addWitness"];
  };
  "/v1/admin/witnesses/{witnessKeyId}": {
    /**
    * Remove a witness
    * @description It signs nothing more from now on. What it signed stays, and verifies.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    delete: operations["removeWitness"];
  };
  "/v1/admin/rate-limit-exemptions/{ownerId}": {
    /**
    * Show whether rate limits count an agent
    * @description 404 where they do.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    get: operations["getRateLimitExemption"];
    /**
    * Exempt an agent from rate limits
    * @description Calls of every API key and certificate of the agent count in no window of calls a minute, neither its own nor that of its org, on every node within a second; answers to them have no rate-limit headers. What a key may have under way at once, failed authentication by address, the size of a bulk, and 503 of a node under load stay. Doing it twice changes nothing.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    put: operations["exemptFromRateLimits"];
    /**
    * Limit an exempt agent again
    * @description On every node within a second. What it called while it was exempt is not counted.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    delete: operations["restoreRateLimits"];
  };
  "/v1/admin/federation/peers": {
    /**
    * List peers and handshakes that wait, newest first
    * @description Takes a credential with the role platform that holds admin:system.
    */
    get: operations["listPeers"];
    /**
    * Register another hub as a peer
    * @description By what its administrator told over a channel that you trust: that is the approval of exactly this key and this root. Both sides register each other; each sends the other a handshake, and is ACTIVE there once that came.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["registerPeer"];
  };
  "/v1/admin/federation/peers/{hubId}": {
    /**
    * One peer, with the handshakes under its hubId that wait
    * @description Takes a credential with the role platform that holds admin:system.
    */
    get: operations["getPeer"];
    /**
    * Change where a peer is reached
    * @description Its key changes by a roll-over of its own alone, and its root never.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    patch: operations["updatePeer"];
  };
  "/v1/admin/federation/peers/{hubId}/approve": {
    /**
    * Approve a hub whose handshake waits
    * @description Registers it by exactly this key and this root. Compare both with its administrator over a channel that you trust first: a handshake proves nothing but that its sender has the key.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["approvePeer"];
  };
  "/v1/admin/federation/peers/{hubId}/suspend": {
    /**
    * Suspend a peer
    * @description Messages to it wait and its own are refused, until it is resumed. Records at home go on, and by the clock of home.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["suspendPeer"];
  };
  "/v1/admin/federation/peers/{hubId}/resume": {
    /**
    * Resume a suspended peer
    * @description Takes a credential with the role platform that holds admin:system.
    */
    post: operations["resumePeer"];
  };
  "/v1/admin/federation/peers/{hubId}/revoke": {
    /**
    * Revoke a peer
    * @description Ends the peering. What waits for it is not sent; mirrors of its records here end EXPIRED; records that are at home here go on without its steps. It can be registered again, and starts with new records only.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["revokePeer"];
  };
  "/v1/admin/federation/hub-key/rotate": {
    /**
    * Roll the hub key over
    * @description Makes a new hub key and tells every peer, by a handshake that the former key signs and that holds a signature of the new one. Until a peer answered, requests to it are signed by the former key. A key that was stolen must not vouch for its successor: revoke the peers and let both sides register anew.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["rollHubKey"];
  };
  "/federation/v1/admin/dlq": {
    /**
    * List messages that a peer did not take, newest first
    * @description The DLQ of federation. Messages of a record go in order, so where the first one is not taken all that follow wait here with it, until they are recovered. Nothing is dropped by age.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    get: operations["listFederationDlq"];
  };
  "/federation/v1/admin/dlq/recover": {
    /**
    * Send messages of the DLQ again
    * @description All of them, or those of one peer or one record. Each lane goes on from its lowest sequence. Those of a revoked peer stay.
    *
    *     Takes a credential with the role platform that holds admin:system.
    */
    post: operations["recoverFederationDlq"];
  };
  "/v1/scope-profiles": {
    /**
    * The named scope profiles
    * @description No credential is needed.
    */
    get: operations["listScopeProfiles"];
  };
  "/lifecycle": {
    /**
    * The states of a record and every transition among them
    * @description The one table that decides what is allowed: for each transition the states, who may, which guards refuse in which order, what is sealed and which event follows. An empty from means that the record comes into being. The same as a diagram: format=mermaid or format=svg, or by Accept; format goes before Accept.
    *
    *     Takes any valid credential.
    */
    get: operations["getLifecycle"];
  };
  "/v1/conformance": {
    /**
    * The versions of every contract that the service speaks
    * @description Takes any valid credential.
    */
    get: operations["getConformance"];
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description Who did it, as the chain says it */
    Actor: {
      /** @enum {string} */
      kind: "agent" | "admin" | "platform" | "system" | "peer";
      orgId?: components["schemas"]["Uuid"];
      agentId?: components["schemas"]["Uuid"];
      apiKeyId?: components["schemas"]["Uuid"];
      certId?: components["schemas"]["Uuid"];
      oidc?: {
        iss: string;
        sub: string;
      };
      peerHubId?: components["schemas"]["Uuid"];
    };
    Agent: {
      id: components["schemas"]["Uuid"];
      orgId: components["schemas"]["Uuid"];
      name: string;
      displayName: string;
      /** @description Names of record types; empty: any */
      capabilities: string[];
      /** @description Oldest first, revoked ones included */
      signingKeys: components["schemas"]["SigningKey"][];
      encryptionKeyJwk: components["schemas"]["EncryptionJwk"] | null;
      references?: components["schemas"]["AgentReference"][];
      deactivatedAt?: components["schemas"]["Timestamp"] | null;
      deactivationReason?: string | null;
      /** @enum {string|null} */
      managedBy?: "provisioning" | null;
      createdAt?: components["schemas"]["Timestamp"];
      reputation?: components["schemas"]["AgentStanding"];
    };
    AgentDrift: {
      agentId: components["schemas"]["Uuid"];
      window: {
        days: number;
        currentFrom: components["schemas"]["Timestamp"];
        currentTo: components["schemas"]["Timestamp"];
        baselineFrom: components["schemas"]["Timestamp"];
        baselineTo: components["schemas"]["Timestamp"];
      };
      overall: {
        current: {
          from: components["schemas"]["Timestamp"];
          to: components["schemas"]["Timestamp"];
          records: number;
          completions: number;
          verdicts: number;
          accepted: number;
          rejected: number;
          overturned: number;
          /** @description accepted over all verdicts; null without verdicts */
          acceptanceRate: number | null;
          /** @description From activation to submission; null without submissions */
          medianCompletionMs: number | null;
        };
        baseline: {
          from: components["schemas"]["Timestamp"];
          to: components["schemas"]["Timestamp"];
          records: number;
          completions: number;
          verdicts: number;
          accepted: number;
          rejected: number;
          overturned: number;
          /** @description accepted over all verdicts; null without verdicts */
          acceptanceRate: number | null;
          /** @description From activation to submission; null without submissions */
          medianCompletionMs: number | null;
        };
        /** @description current minus baseline; null where either side is */
        change: {
          records: number;
          completions: number;
          verdicts: number;
          accepted: number;
          rejected: number;
          overturned: number;
          acceptanceRate: number | null;
          medianCompletionMs: number | null;
        };
      };
      byType: {
        type: string;
        current: {
          from: components["schemas"]["Timestamp"];
          to: components["schemas"]["Timestamp"];
          records: number;
          completions: number;
          verdicts: number;
          accepted: number;
          rejected: number;
          overturned: number;
          /** @description accepted over all verdicts; null without verdicts */
          acceptanceRate: number | null;
          /** @description From activation to submission; null without submissions */
          medianCompletionMs: number | null;
        };
        baseline: {
          from: components["schemas"]["Timestamp"];
          to: components["schemas"]["Timestamp"];
          records: number;
          completions: number;
          verdicts: number;
          accepted: number;
          rejected: number;
          overturned: number;
          /** @description accepted over all verdicts; null without verdicts */
          acceptanceRate: number | null;
          /** @description From activation to submission; null without submissions */
          medianCompletionMs: number | null;
        };
        /** @description current minus baseline; null where either side is */
        change: {
          records: number;
          completions: number;
          verdicts: number;
          accepted: number;
          rejected: number;
          overturned: number;
          acceptanceRate: number | null;
          medianCompletionMs: number | null;
        };
      }[];
    };
    AgentReference: {
      id: components["schemas"]["Uuid"];
      agentId: components["schemas"]["Uuid"];
      /** @description What it is, in words of your own: invoice, ticket, artifact */
      kind: string;
      /** @description Absolute (RFC 3986), of any scheme but javascript, vbscript, about, view-source and blob; it is neither fetched nor checked */
      uri: string;
      digest: components["schemas"]["ReferenceDigest"] | null;
      label: string | null;
      addedBy: components["schemas"]["Actor"];
      addedAt: components["schemas"]["Timestamp"];
    };
    /** @description What GET /v1/agents/{agentId}/reputation tells in full */
    AgentStanding: {
      /** @description Lower bound of the 95 % Wilson interval of accepted over all verdicts; null without verdicts */
      score: number | null;
      /** @description Verdicts that the score rests on */
      sampleSize: number;
      /** @description accepted over all verdicts; null without verdicts */
      acceptanceRate: number | null;
    };
    ApiKey: {
      keyId: components["schemas"]["Uuid"];
      /** @enum {string} */
      ownerType: "agent";
      ownerId: components["schemas"]["Uuid"];
      orgId: components["schemas"]["Uuid"] | null;
      role: components["schemas"]["Role"];
      label: string | null;
      /** @description As granted; manage implies write, write implies read */
      scopes: components["schemas"]["Scope"][];
      scopeProfile: string | null;
      /** @enum {string} */
      environment: "live" | "test";
      /** @description CIDR list; null: from anywhere */
      allowedIps: string[] | null;
      expiresAt: components["schemas"]["Timestamp"] | null;
      createdAt: components["schemas"]["Timestamp"];
      /** @description The stored flag; expiry does not change it */
      isActive: boolean;
      /**
      * Format: date-time
      * @description End of the grace after a rotation
      */
      deactivatesAt: string | null;
      lastUsedAt: components["schemas"]["Timestamp"] | null;
      createdByKeyId: components["schemas"]["Uuid"] | null;
      rotatedFromKeyId: components["schemas"]["Uuid"] | null;
      revokedAt: components["schemas"]["Timestamp"] | null;
      revokedByKeyId: components["schemas"]["Uuid"] | null;
      revocationReason: string | null;
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
    };
    /** @description Everything that an offline check of one record needs, but for the trust in the keys, which must come from elsewhere */
    AuditExport: {
      /** @constant */
      formatVersion: "1.0";
      /** @enum {string} */
      canonicalization: "jcs" | "cde";
      exportedAt: components["schemas"]["Timestamp"];
      service: {
        baseUrl: string;
        hubId: components["schemas"]["Uuid"];
        version: string;
      };
      /** @description The record, as the chain has it */
      record: {
        id: components["schemas"]["Uuid"];
        orgId: components["schemas"]["Uuid"];
        type: string;
        publisher: string;
        contractVersion: number;
        manifestDigest: components["schemas"]["Sha256"];
        platform: string;
        platformRef: string | null;
        /** @enum {string} */
        gateMode: "auto" | "principal";
        /** @enum {string} */
        operatingMode: "cleartext" | "encrypted";
        status: components["schemas"]["RecordStatus"];
        criteria: components["schemas"]["JsonObject"];
        criteriaHash: components["schemas"]["Sha256"];
        principalAgentId: components["schemas"]["Uuid"];
        performerAgentId: components["schemas"]["Uuid"] | null;
        parentRecordId: components["schemas"]["Uuid"] | null;
        rootRecordId: components["schemas"]["Uuid"];
        depth: number;
        /** @enum {string|null} */
        awaiting: "performer" | "principal" | "gate" | "children" | null;
        revisionCount: number;
        maxRevisions: number;
        latestCompletionId: components["schemas"]["Uuid"] | null;
        disputed: boolean;
        openDisputeId: components["schemas"]["Uuid"] | null;
        disputeCount: number;
        counterProposal: {
          criteria: components["schemas"]["JsonObject"];
          criteriaHash: components["schemas"]["Sha256"];
          message: string | null;
          proposedBy: components["schemas"]["Actor"];
          proposedAt: components["schemas"]["Timestamp"];
        } | null;
        references: components["schemas"]["ShownReference"][];
        onBehalfOf: {
          subject: components["schemas"]["Subject"];
          /** @description A token that the service verified says so; otherwise it is the word of the caller */
          validated: boolean;
          /** @enum {string} */
          provenance: "token_exchange" | "asserted";
          act: components["schemas"]["Subject"][];
        } | null;
        federation: {
          /** @enum {string} */
          role: "home" | "mirror";
          peerHubId: components["schemas"]["Uuid"];
          detached: string | null;
        } | null;
        expiresAt: components["schemas"]["Timestamp"] | null;
        createdAt: components["schemas"]["Timestamp"];
        activatedAt: components["schemas"]["Timestamp"] | null;
        terminalAt: components["schemas"]["Timestamp"] | null;
        updatedAt: components["schemas"]["Timestamp"];
        /** @enum {string|null} */
        cancelledBy: "principal" | "performer" | null;
      };
      manifest: components["schemas"]["CompleteManifest"];
      /** @description The principal and, where there is another, the performer, by the names that the service knows them by at export time. The entries seal the ids; nothing seals the names. Of a party on another hub all but the id may be null */
      parties: {
        agentId: components["schemas"]["Uuid"];
        orgId: components["schemas"]["Uuid"] | null;
        name: string | null;
        orgName: string | null;
      }[];
      chain: {
        chainKey: components["schemas"]["Uuid"];
        head: {
          position: number;
          hash: components["schemas"]["Sha256"];
        };
        entries: {
          position: number;
          /** @enum {string} */
          entryType: "RECORD_RECORDED" | "RECORD_CREATED" | "RECORD_PROPOSED" | "RECORD_ACTIVATED" | "PROPOSAL_ACCEPTED" | "COUNTER_ACCEPTED" | "PROPOSAL_REJECTED" | "COUNTER_PROPOSED" | "COMPLETION_SUBMITTED" | "GATE_EVALUATED" | "VERDICT_RENDERED" | "REVISION_REQUESTED" | "CASCADE_VERIFIED" | "CHILD_DELEGATED" | "RECORD_CANCELLED" | "RECORD_EXPIRED" | "DISPUTE_OPENED" | "DISPUTE_EVIDENCE_SUBMITTED" | "DISPUTE_ESCALATED" | "DISPUTE_RESOLVED" | "DISPUTE_WITHDRAWN" | "REFERENCE_ADDED" | "SIGNAL_EMITTED" | "STEP_OFFERED" | "STEP_REFUSED" | "PEER_STATEMENT_ATTESTED" | "PEER_EQUIVOCATION" | "RECORD_DETACHED" | "SCHEMA_REGISTERED" | "SCHEMA_STATUS_CHANGED" | "SCHEMA_DELETED" | "SCHEMA_IMPORTED" | "KEY_ACTIVATED" | "KEY_RETIRED" | "ORG_CREATED" | "ORG_UPDATED" | "AGENT_CREATED" | "AGENT_DEACTIVATED" | "AGENT_REACTIVATED" | "AGENT_CAPABILITIES_CHANGED" | "ENCRYPTION_KEY_SET" | "SIGNING_KEY_ADDED" | "SIGNING_KEY_REVOKED" | "AGENT_REFERENCE_ADDED" | "API_KEY_MINTED" | "API_KEY_ROTATED" | "API_KEY_REVOKED" | "API_KEY_REENABLED" | "ISSUER_CREATED" | "ISSUER_UPDATED" | "ISSUER_DELETED" | "CERT_ISSUED" | "CERT_REVOKED" | "PUBLISHER_CLAIMED" | "DUMP_TAKEN" | "EXPORT_TAKEN" | "PROVISIONING_APPLIED" | "REWIND_ACKNOWLEDGED" | "HUB_KEY_CREATED" | "HUB_KEY_CHANGED" | "PEER_REGISTERED" | "PEER_APPROVED" | "PEER_UPDATED" | "PEER_SUSPENDED" | "PEER_RESUMED" | "PEER_REVOKED" | "PEER_KEY_CHANGED" | "WITNESS_ADDED" | "WITNESS_REMOVED" | "RATE_LIMIT_EXEMPTED" | "RATE_LIMIT_RESTORED" | "WEBHOOK_CREATED" | "WEBHOOK_UPDATED" | "WEBHOOK_DELETED" | "WEBHOOK_SECRET_ROTATED" | "ORG_READS_COVERED";
          hash: components["schemas"]["Sha256"];
          previousHash: components["schemas"]["Sha256"];
          signingKeyId: string;
          /** @enum {string} */
          algorithm: "Ed25519" | "ES256";
          createdAt: components["schemas"]["Timestamp"];
          coseSign1: components["schemas"]["Base64"];
          /** @description An in-toto Statement v1: the payload that was signed, decoded */
          statement: {
            /** @constant */
            _type: "https://in-toto.io/Statement/v1";
            subject: {
              name: string;
              digest: {
                sha256: components["schemas"]["Sha256"];
              };
            }[];
            /** @description Where its JSON Schema is */
            predicateType: string;
            /** @description Further members by predicateType and entryType */
            predicate: {
              /** @enum {string} */
              entryType: "RECORD_RECORDED" | "RECORD_CREATED" | "RECORD_PROPOSED" | "RECORD_ACTIVATED" | "PROPOSAL_ACCEPTED" | "COUNTER_ACCEPTED" | "PROPOSAL_REJECTED" | "COUNTER_PROPOSED" | "COMPLETION_SUBMITTED" | "GATE_EVALUATED" | "VERDICT_RENDERED" | "REVISION_REQUESTED" | "CASCADE_VERIFIED" | "CHILD_DELEGATED" | "RECORD_CANCELLED" | "RECORD_EXPIRED" | "DISPUTE_OPENED" | "DISPUTE_EVIDENCE_SUBMITTED" | "DISPUTE_ESCALATED" | "DISPUTE_RESOLVED" | "DISPUTE_WITHDRAWN" | "REFERENCE_ADDED" | "SIGNAL_EMITTED" | "STEP_OFFERED" | "STEP_REFUSED" | "PEER_STATEMENT_ATTESTED" | "PEER_EQUIVOCATION" | "RECORD_DETACHED" | "SCHEMA_REGISTERED" | "SCHEMA_STATUS_CHANGED" | "SCHEMA_DELETED" | "SCHEMA_IMPORTED" | "KEY_ACTIVATED" | "KEY_RETIRED" | "ORG_CREATED" | "ORG_UPDATED" | "AGENT_CREATED" | "AGENT_DEACTIVATED" | "AGENT_REACTIVATED" | "AGENT_CAPABILITIES_CHANGED" | "ENCRYPTION_KEY_SET" | "SIGNING_KEY_ADDED" | "SIGNING_KEY_REVOKED" | "AGENT_REFERENCE_ADDED" | "API_KEY_MINTED" | "API_KEY_ROTATED" | "API_KEY_REVOKED" | "API_KEY_REENABLED" | "ISSUER_CREATED" | "ISSUER_UPDATED" | "ISSUER_DELETED" | "CERT_ISSUED" | "CERT_REVOKED" | "PUBLISHER_CLAIMED" | "DUMP_TAKEN" | "EXPORT_TAKEN" | "PROVISIONING_APPLIED" | "REWIND_ACKNOWLEDGED" | "HUB_KEY_CREATED" | "HUB_KEY_CHANGED" | "PEER_REGISTERED" | "PEER_APPROVED" | "PEER_UPDATED" | "PEER_SUSPENDED" | "PEER_RESUMED" | "PEER_REVOKED" | "PEER_KEY_CHANGED" | "WITNESS_ADDED" | "WITNESS_REMOVED" | "RATE_LIMIT_EXEMPTED" | "RATE_LIMIT_RESTORED" | "WEBHOOK_CREATED" | "WEBHOOK_UPDATED" | "WEBHOOK_DELETED" | "WEBHOOK_SECRET_ROTATED" | "ORG_READS_COVERED";
              at: components["schemas"]["Timestamp"];
              requestId: string;
              actor: components["schemas"]["Actor"];
            } & {
              [key: string]: unknown;
            };
          };
          evidence?: components["schemas"]["JsonObject"];
          /** @description What a party said, at the entry that seals its hash: `message` of a proposal or counter-proposal; `grounds`, `statement` and `evidence` of the opening of a dispute; `evidence` submitted to one. With evidence=true, and as long as the service holds it */
          content?: {
            [key: string]: unknown;
          };
          /** @description The body of the request that the actor co-signed, as it was received. Left out where it holds evidence or content that was not asked for, or what belongs to records of others */
          request?: string;
        }[];
      };
      keys: {
        keyId: string;
        /** @enum {string} */
        algorithm: "Ed25519" | "ES256";
        coseAlgorithm: number;
        publicKey: components["schemas"]["Base64"];
        publicKeyRaw: components["schemas"]["Base64"];
        /** @enum {string} */
        status: "active" | "retired";
        activatedAt: components["schemas"]["Timestamp"];
        retiredAt: components["schemas"]["Timestamp"] | null;
        minVerifierVersion: string;
      }[];
      keyStatements: {
        keyId: string;
        /** @enum {string} */
        statement: "activated" | "retired";
        position: number;
        coseSign1: components["schemas"]["Base64"];
      }[];
      retirements: {
        keyId: string;
        checkpoint: {
          logIndex: number;
          coseSign1: components["schemas"]["Base64"];
        };
        /** @description RFC 9162 section 2.1.3, the sibling of the leaf first */
        inclusion: {
          leafIndex: number;
          treeSize: number;
          path: components["schemas"]["Sha256"][];
        };
      }[];
      acknowledgements: {
        position: number;
        coseSign1: components["schemas"]["Base64"];
      }[];
      checkpoint: {
        id: components["schemas"]["Uuid"];
        logIndex: number;
        /** @enum {string} */
        chainKind: "record" | "schema" | "admin";
        chainKey: string;
        position: number;
        headHash: components["schemas"]["Sha256"];
        signingKeyId: string;
        createdAt: components["schemas"]["Timestamp"];
        coseSign1: components["schemas"]["Base64"];
      } | null;
      checkpoints: {
        id: components["schemas"]["Uuid"];
        logIndex: number;
        /** @enum {string} */
        chainKind: "record" | "schema" | "admin";
        chainKey: string;
        position: number;
        headHash: components["schemas"]["Sha256"];
        signingKeyId: string;
        createdAt: components["schemas"]["Timestamp"];
        coseSign1: components["schemas"]["Base64"];
      }[];
      log: {
        coseSign1: components["schemas"]["Base64"];
        /** @description RFC 9162 section 2.1.3, the sibling of the leaf first */
        inclusion: {
          leafIndex: number;
          treeSize: number;
          path: components["schemas"]["Sha256"][];
        };
        /** @description RFC 3161 TimeStampToken (DER) over the signature, as 3161-ctt of RFC 9921 */
        timestampToken?: string;
      } | null;
      federation: {
        /** @enum {string} */
        role: "home" | "mirror";
        peerHubId: components["schemas"]["Uuid"];
        peerRecordId: components["schemas"]["Uuid"] | null;
        /** @description SHA-256 of the SPKI of the first key on the peer's platform chain, as it was registered here */
        vaultRoot: string;
        /** @description The peer's, by which what it signed verifies from that root */
        keyStatements: {
          keyId: string;
          /** @enum {string} */
          statement: "activated" | "retired";
          position: number;
          coseSign1: components["schemas"]["Base64"];
        }[];
        /** @description What this hub signed for the peer, then what the peer signed for this hub, by sequence, each as it was sent and with what its receiver signed of it. Two statements that the peer signed under one sequence both stand here, the second with the PEER_EQUIVOCATION of this hub */
        statements: {
          /** @enum {string} */
          direction: "out" | "in";
          sequence: number;
          coseSign1: components["schemas"]["Base64"];
          /** @description The sender's entries that came with it */
          entries: components["schemas"]["Base64"][];
          attestation: components["schemas"]["Base64"] | null;
        }[];
      } | null;
      verificationGuide: {
        summary: string;
        steps: string[];
        evidenceBinding: string;
        commands: string[];
        /** @description Where the verifier comes from */
        verifier: string;
      };
    };
    Base64: string;
    BulkResult: {
      data: {
        index: number;
        /** @description The status that the item would have had on its own */
        status: number;
        record?: components["schemas"]["NotaryRecord"];
        error?: components["schemas"]["Problem"];
      }[];
      total: number;
      succeeded: number;
      failed: number;
    };
    Caller: {
      apiKeyId: components["schemas"]["Uuid"] | null;
      role: components["schemas"]["Role"];
      ownerId: components["schemas"]["Uuid"] | null;
      /** @enum {string|null} */
      ownerType: "agent" | null;
      /**
      * Format: uuid
      * @description Null for a platform credential
      */
      orgId: string | null;
      scopes: components["schemas"]["Scope"][];
      name: string;
      /** @enum {string} */
      authType: "api_key" | "ephemeral_cert" | "oidc";
      cert: {
        id: components["schemas"]["Uuid"];
        thumbprint: string;
        expiresAt: components["schemas"]["Timestamp"];
      } | null;
      oidc: {
        iss: string;
        sub: string;
      } | null;
    };
    ChangedAgent: {
      id: components["schemas"]["Uuid"];
      orgId: components["schemas"]["Uuid"];
      name: string;
      displayName: string;
      /** @description Names of record types; empty: any */
      capabilities: string[];
      /** @description Oldest first, revoked ones included */
      signingKeys: components["schemas"]["SigningKey"][];
      encryptionKeyJwk: components["schemas"]["EncryptionJwk"] | null;
      references: components["schemas"]["AgentReference"][];
      deactivatedAt: components["schemas"]["Timestamp"] | null;
      deactivationReason: string | null;
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
      createdAt: components["schemas"]["Timestamp"];
      suggestion: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    /** @description The same of a record and of those below it, the one asked for first */
    AuditTreeExport: {
      /** @constant */
      formatVersion: "1.0";
      /** @enum {string} */
      canonicalization: "jcs" | "cde";
      exportedAt: components["schemas"]["Timestamp"];
      service: {
        baseUrl: string;
        hubId: components["schemas"]["Uuid"];
        version: string;
      };
      /** @description How many records below are left out, because this key may not read them */
      omitted: number;
      records: {
        /** @description The record, as the chain has it */
        record: {
          id: components["schemas"]["Uuid"];
          orgId: components["schemas"]["Uuid"];
          type: string;
          publisher: string;
          contractVersion: number;
          manifestDigest: components["schemas"]["Sha256"];
          platform: string;
          platformRef: string | null;
          /** @enum {string} */
          gateMode: "auto" | "principal";
          /** @enum {string} */
          operatingMode: "cleartext" | "encrypted";
          status: components["schemas"]["RecordStatus"];
          criteria: components["schemas"]["JsonObject"];
          criteriaHash: components["schemas"]["Sha256"];
          principalAgentId: components["schemas"]["Uuid"];
          performerAgentId: components["schemas"]["Uuid"] | null;
          parentRecordId: components["schemas"]["Uuid"] | null;
          rootRecordId: components["schemas"]["Uuid"];
          depth: number;
          /** @enum {string|null} */
          awaiting: "performer" | "principal" | "gate" | "children" | null;
          revisionCount: number;
          maxRevisions: number;
          latestCompletionId: components["schemas"]["Uuid"] | null;
          disputed: boolean;
          openDisputeId: components["schemas"]["Uuid"] | null;
          disputeCount: number;
          counterProposal: {
            criteria: components["schemas"]["JsonObject"];
            criteriaHash: components["schemas"]["Sha256"];
            message: string | null;
            proposedBy: components["schemas"]["Actor"];
            proposedAt: components["schemas"]["Timestamp"];
          } | null;
          references: components["schemas"]["ShownReference"][];
          onBehalfOf: {
            subject: components["schemas"]["Subject"];
            /** @description A token that the service verified says so; otherwise it is the word of the caller */
            validated: boolean;
            /** @enum {string} */
            provenance: "token_exchange" | "asserted";
            act: components["schemas"]["Subject"][];
          } | null;
          federation: {
            /** @enum {string} */
            role: "home" | "mirror";
            peerHubId: components["schemas"]["Uuid"];
            detached: string | null;
          } | null;
          expiresAt: components["schemas"]["Timestamp"] | null;
          createdAt: components["schemas"]["Timestamp"];
          activatedAt: components["schemas"]["Timestamp"] | null;
          terminalAt: components["schemas"]["Timestamp"] | null;
          updatedAt: components["schemas"]["Timestamp"];
          /** @enum {string|null} */
          cancelledBy: "principal" | "performer" | null;
        };
        manifest: components["schemas"]["CompleteManifest"];
        /** @description The principal and, where there is another, the performer, by the names that the service knows them by at export time. The entries seal the ids; nothing seals the names. Of a party on another hub all but the id may be null */
        parties: {
          agentId: components["schemas"]["Uuid"];
          orgId: components["schemas"]["Uuid"] | null;
          name: string | null;
          orgName: string | null;
        }[];
        chain: {
          chainKey: components["schemas"]["Uuid"];
          head: {
            position: number;
            hash: components["schemas"]["Sha256"];
          };
          entries: {
            position: number;
            /** @enum {string} */
            entryType: "RECORD_RECORDED" | "RECORD_CREATED" | "RECORD_PROPOSED" | "RECORD_ACTIVATED" | "PROPOSAL_ACCEPTED" | "COUNTER_ACCEPTED" | "PROPOSAL_REJECTED" | "COUNTER_PROPOSED" | "COMPLETION_SUBMITTED" | "GATE_EVALUATED" | "VERDICT_RENDERED" | "REVISION_REQUESTED" | "CASCADE_VERIFIED" | "CHILD_DELEGATED" | "RECORD_CANCELLED" | "RECORD_EXPIRED" | "DISPUTE_OPENED" | "DISPUTE_EVIDENCE_SUBMITTED" | "DISPUTE_ESCALATED" | "DISPUTE_RESOLVED" | "DISPUTE_WITHDRAWN" | "REFERENCE_ADDED" | "SIGNAL_EMITTED" | "STEP_OFFERED" | "STEP_REFUSED" | "PEER_STATEMENT_ATTESTED" | "PEER_EQUIVOCATION" | "RECORD_DETACHED" | "SCHEMA_REGISTERED" | "SCHEMA_STATUS_CHANGED" | "SCHEMA_DELETED" | "SCHEMA_IMPORTED" | "KEY_ACTIVATED" | "KEY_RETIRED" | "ORG_CREATED" | "ORG_UPDATED" | "AGENT_CREATED" | "AGENT_DEACTIVATED" | "AGENT_REACTIVATED" | "AGENT_CAPABILITIES_CHANGED" | "ENCRYPTION_KEY_SET" | "SIGNING_KEY_ADDED" | "SIGNING_KEY_REVOKED" | "AGENT_REFERENCE_ADDED" | "API_KEY_MINTED" | "API_KEY_ROTATED" | "API_KEY_REVOKED" | "API_KEY_REENABLED" | "ISSUER_CREATED" | "ISSUER_UPDATED" | "ISSUER_DELETED" | "CERT_ISSUED" | "CERT_REVOKED" | "PUBLISHER_CLAIMED" | "DUMP_TAKEN" | "EXPORT_TAKEN" | "PROVISIONING_APPLIED" | "REWIND_ACKNOWLEDGED" | "HUB_KEY_CREATED" | "HUB_KEY_CHANGED" | "PEER_REGISTERED" | "PEER_APPROVED" | "PEER_UPDATED" | "PEER_SUSPENDED" | "PEER_RESUMED" | "PEER_REVOKED" | "PEER_KEY_CHANGED" | "WITNESS_ADDED" | "WITNESS_REMOVED" | "RATE_LIMIT_EXEMPTED" | "RATE_LIMIT_RESTORED" | "WEBHOOK_CREATED" | "WEBHOOK_UPDATED" | "WEBHOOK_DELETED" | "WEBHOOK_SECRET_ROTATED" | "ORG_READS_COVERED";
            hash: components["schemas"]["Sha256"];
            previousHash: components["schemas"]["Sha256"];
            signingKeyId: string;
            /** @enum {string} */
            algorithm: "Ed25519" | "ES256";
            createdAt: components["schemas"]["Timestamp"];
            coseSign1: components["schemas"]["Base64"];
            /** @description An in-toto Statement v1: the payload that was signed, decoded */
            statement: {
              /** @constant */
              _type: "https://in-toto.io/Statement/v1";
              subject: {
                name: string;
                digest: {
                  sha256: components["schemas"]["Sha256"];
                };
              }[];
              /** @description Where its JSON Schema is */
              predicateType: string;
              /** @description Further members by predicateType and entryType */
              predicate: {
                /** @enum {string} */
                entryType: "RECORD_RECORDED" | "RECORD_CREATED" | "RECORD_PROPOSED" | "RECORD_ACTIVATED" | "PROPOSAL_ACCEPTED" | "COUNTER_ACCEPTED" | "PROPOSAL_REJECTED" | "COUNTER_PROPOSED" | "COMPLETION_SUBMITTED" | "GATE_EVALUATED" | "VERDICT_RENDERED" | "REVISION_REQUESTED" | "CASCADE_VERIFIED" | "CHILD_DELEGATED" | "RECORD_CANCELLED" | "RECORD_EXPIRED" | "DISPUTE_OPENED" | "DISPUTE_EVIDENCE_SUBMITTED" | "DISPUTE_ESCALATED" | "DISPUTE_RESOLVED" | "DISPUTE_WITHDRAWN" | "REFERENCE_ADDED" | "SIGNAL_EMITTED" | "STEP_OFFERED" | "STEP_REFUSED" | "PEER_STATEMENT_ATTESTED" | "PEER_EQUIVOCATION" | "RECORD_DETACHED" | "SCHEMA_REGISTERED" | "SCHEMA_STATUS_CHANGED" | "SCHEMA_DELETED" | "SCHEMA_IMPORTED" | "KEY_ACTIVATED" | "KEY_RETIRED" | "ORG_CREATED" | "ORG_UPDATED" | "AGENT_CREATED" | "AGENT_DEACTIVATED" | "AGENT_REACTIVATED" | "AGENT_CAPABILITIES_CHANGED" | "ENCRYPTION_KEY_SET" | "SIGNING_KEY_ADDED" | "SIGNING_KEY_REVOKED" | "AGENT_REFERENCE_ADDED" | "API_KEY_MINTED" | "API_KEY_ROTATED" | "API_KEY_REVOKED" | "API_KEY_REENABLED" | "ISSUER_CREATED" | "ISSUER_UPDATED" | "ISSUER_DELETED" | "CERT_ISSUED" | "CERT_REVOKED" | "PUBLISHER_CLAIMED" | "DUMP_TAKEN" | "EXPORT_TAKEN" | "PROVISIONING_APPLIED" | "REWIND_ACKNOWLEDGED" | "HUB_KEY_CREATED" | "HUB_KEY_CHANGED" | "PEER_REGISTERED" | "PEER_APPROVED" | "PEER_UPDATED" | "PEER_SUSPENDED" | "PEER_RESUMED" | "PEER_REVOKED" | "PEER_KEY_CHANGED" | "WITNESS_ADDED" | "WITNESS_REMOVED" | "RATE_LIMIT_EXEMPTED" | "RATE_LIMIT_RESTORED" | "WEBHOOK_CREATED" | "WEBHOOK_UPDATED" | "WEBHOOK_DELETED" | "WEBHOOK_SECRET_ROTATED" | "ORG_READS_COVERED";
                at: components["schemas"]["Timestamp"];
                requestId: string;
                actor: components["schemas"]["Actor"];
              } & {
                [key: string]: unknown;
              };
            };
            evidence?: components["schemas"]["JsonObject"];
            /** @description What a party said, at the entry that seals its hash: `message` of a proposal or counter-proposal; `grounds`, `statement` and `evidence` of the opening of a dispute; `evidence` submitted to one. With evidence=true, and as long as the service holds it */
            content?: {
              [key: string]: unknown;
            };
            /** @description The body of the request that the actor co-signed, as it was received. Left out where it holds evidence or content that was not asked for, or what belongs to records of others */
            request?: string;
          }[];
        };
        retirements: {
          keyId: string;
          checkpoint: {
            logIndex: number;
            coseSign1: components["schemas"]["Base64"];
          };
          /** @description RFC 9162 section 2.1.3, the sibling of the leaf first */
          inclusion: {
            leafIndex: number;
            treeSize: number;
            path: components["schemas"]["Sha256"][];
          };
        }[];
        acknowledgements: {
          position: number;
          coseSign1: components["schemas"]["Base64"];
        }[];
        checkpoint: {
          id: components["schemas"]["Uuid"];
          logIndex: number;
          /** @enum {string} */
          chainKind: "record" | "schema" | "admin";
          chainKey: string;
          position: number;
          headHash: components["schemas"]["Sha256"];
          signingKeyId: string;
          createdAt: components["schemas"]["Timestamp"];
          coseSign1: components["schemas"]["Base64"];
        } | null;
        checkpoints: {
          id: components["schemas"]["Uuid"];
          logIndex: number;
          /** @enum {string} */
          chainKind: "record" | "schema" | "admin";
          chainKey: string;
          position: number;
          headHash: components["schemas"]["Sha256"];
          signingKeyId: string;
          createdAt: components["schemas"]["Timestamp"];
          coseSign1: components["schemas"]["Base64"];
        }[];
        log: {
          coseSign1: components["schemas"]["Base64"];
          /** @description RFC 9162 section 2.1.3, the sibling of the leaf first */
          inclusion: {
            leafIndex: number;
            treeSize: number;
            path: components["schemas"]["Sha256"][];
          };
          /** @description RFC 3161 TimeStampToken (DER) over the signature, as 3161-ctt of RFC 9921 */
          timestampToken?: string;
        } | null;
        federation: {
          /** @enum {string} */
          role: "home" | "mirror";
          peerHubId: components["schemas"]["Uuid"];
          peerRecordId: components["schemas"]["Uuid"] | null;
          /** @description SHA-256 of the SPKI of the first key on the peer's platform chain, as it was registered here */
          vaultRoot: string;
          /** @description The peer's, by which what it signed verifies from that root */
          keyStatements: {
            keyId: string;
            /** @enum {string} */
            statement: "activated" | "retired";
            position: number;
            coseSign1: components["schemas"]["Base64"];
          }[];
          /** @description What this hub signed for the peer, then what the peer signed for this hub, by sequence, each as it was sent and with what its receiver signed of it. Two statements that the peer signed under one sequence both stand here, the second with the PEER_EQUIVOCATION of this hub */
          statements: {
            /** @enum {string} */
            direction: "out" | "in";
            sequence: number;
            coseSign1: components["schemas"]["Base64"];
            /** @description The sender's entries that came with it */
            entries: components["schemas"]["Base64"][];
            attestation: components["schemas"]["Base64"] | null;
          }[];
        } | null;
      }[];
      keys: {
        keyId: string;
        /** @enum {string} */
        algorithm: "Ed25519" | "ES256";
        coseAlgorithm: number;
        publicKey: components["schemas"]["Base64"];
        publicKeyRaw: components["schemas"]["Base64"];
        /** @enum {string} */
        status: "active" | "retired";
        activatedAt: components["schemas"]["Timestamp"];
        retiredAt: components["schemas"]["Timestamp"] | null;
        minVerifierVersion: string;
      }[];
      keyStatements: {
        keyId: string;
        /** @enum {string} */
        statement: "activated" | "retired";
        position: number;
        coseSign1: components["schemas"]["Base64"];
      }[];
      verificationGuide: {
        summary: string;
        steps: string[];
        evidenceBinding: string;
        commands: string[];
        /** @description Where the verifier comes from */
        verifier: string;
      };
    };
    ChangedApiKey: {
      keyId: components["schemas"]["Uuid"];
      /** @enum {string} */
      ownerType: "agent";
      ownerId: components["schemas"]["Uuid"];
      orgId: components["schemas"]["Uuid"] | null;
      role: components["schemas"]["Role"];
      label: string | null;
      /** @description As granted; manage implies write, write implies read */
      scopes: components["schemas"]["Scope"][];
      scopeProfile: string | null;
      /** @enum {string} */
      environment: "live" | "test";
      /** @description CIDR list; null: from anywhere */
      allowedIps: string[] | null;
      expiresAt: components["schemas"]["Timestamp"] | null;
      createdAt: components["schemas"]["Timestamp"];
      /** @description The stored flag; expiry does not change it */
      isActive: boolean;
      /**
      * Format: date-time
      * @description End of the grace after a rotation
      */
      deactivatesAt: string | null;
      lastUsedAt: components["schemas"]["Timestamp"] | null;
      createdByKeyId: components["schemas"]["Uuid"] | null;
      rotatedFromKeyId: components["schemas"]["Uuid"] | null;
      revokedAt: components["schemas"]["Timestamp"] | null;
      revokedByKeyId: components["schemas"]["Uuid"] | null;
      revocationReason: string | null;
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
      hint?: string;
      suggestion: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    ChangedOrg: {
      /**
      * Format: uuid
      * @description A UUID in lowercase
      * @example 019c1f00-0000-7000-8000-000000000001
      */
      id: string;
      name: string;
      slug: string;
      createdAt: components["schemas"]["Timestamp"];
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
      settings: components["schemas"]["OrgSettings"];
      suggestion: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    ChangedTrustedIssuer: {
      id: components["schemas"]["Uuid"];
      /**
      * Format: uuid
      * @description Whose agents and admins it vouches for; null: the platform’s
      */
      orgId: string | null;
      /** @description Equal to the iss of its tokens, character by character */
      issuerUrl: string;
      /**
      * @description agent: tokens are exchanged for certificates; admin: tokens are credentials themselves
      * @enum {string}
      */
      appliesTo: "agent" | "admin";
      /** @description Null: as the OpenID configuration of the issuer says */
      jwksUri: string | null;
      /** @description Must be named by the aud of a token */
      expectedAudience: string;
      /** @description A certificate never outlives the token either */
      maxCredentialTtlSeconds: number;
      /** @description False stops new exchanges; certificates that were given live on */
      enabled: boolean;
      /** @description Subjects that are let in. Empty: for admin nobody, for agent every subject that maps to an agent of the org */
      subjectAllowlist: string[];
      /**
      * @description dpop: an exchange needs a DPoP proof (RFC 9449) by the key that the token is bound to
      * @enum {string}
      */
      requireProof: "none" | "dpop";
      /**
      * @description How requests under its certificates must be signed by the bound key
      * @enum {string}
      */
      requireCoSignature: "none" | "body" | "request";
      claimMapping: {
        scopes: components["schemas"]["ClaimPlace"];
        agent_id: components["schemas"]["ClaimPlace"];
        role: components["schemas"]["ClaimPlace"];
      };
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
      createdAt: components["schemas"]["Timestamp"];
      updatedAt: components["schemas"]["Timestamp"];
      suggestion: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    /** @description The name of a claim, or a JSON Pointer to a value inside one */
    ClaimPlace: string;
    /** @description Complete, with every default filled in */
    CompleteManifest: {
      type: string;
      publisher: string;
      version: number;
      title: string | null;
      description: string | null;
      /** @description JSON Schema 2020-12; default {"type":"object"} */
      criteriaSchema: {
        [key: string]: unknown;
      };
      /** @description JSON Schema 2020-12; {} makes the type notarize-only */
      completionSchema: {
        [key: string]: unknown;
      };
      /**
      * @description Who decides on a completion: the gates (auto), or the principal with their advice; default principal
      * @enum {string}
      */
      gateMode: "auto" | "principal";
      /**
      * @description encrypted: content is JWE, and the service applies neither schemas nor gates; default cleartext
      * @enum {string}
      */
      operatingMode: "cleartext" | "encrypted";
      gates: components["schemas"]["TypeGates"];
      cascade: components["schemas"]["TypeCascade"];
      /**
      * @description What a version must keep of the newest active one; default backward: whatever was valid stays valid
      * @enum {string}
      */
      compatibilityMode: "none" | "backward" | "forward" | "full";
      /** @description Levels below a record of the type; default 5 */
      maxDelegationDepth: number;
      /** @description Of one record, withdrawn ones included; default 1 */
      maxDisputes: number;
      /** @description How often the principal may ask for a better completion; default 3 */
      maxRevisions: number;
      /** @description When a record expires that names no deadline; default never */
      defaultTtlSeconds: number | null;
      /** @description How long a completion may wait for its verdict before the record expires; default 604800 */
      verdictWindowSeconds: number;
      /** @description How long an outcome can be disputed; default 604800 */
      disputeWindowSeconds: number;
      /** @description How long the first tier of a dispute lasts; default 259200 */
      evidenceWindowSeconds: number;
      /** @description Lets anyone read both schemas, without a credential; default false */
      public: boolean;
      exampleCriteria: components["schemas"]["JsonObject"] | null;
      exampleEvidence: components["schemas"]["JsonObject"] | null;
    };
    Completion: {
      id: components["schemas"]["Uuid"];
      recordId: components["schemas"]["Uuid"];
      /**
      * @description Status of the record after the call
      * @enum {string}
      */
      recordStatus: "CREATED" | "PROPOSED" | "ACTIVE" | "REVISION_REQUESTED" | "RECORDED" | "FULFILLED" | "FAILED" | "REMEDIATED" | "EXPIRED" | "CANCELLED" | "REJECTED";
      revision: number;
      evidence: components["schemas"]["JsonObject"];
      evidenceHash: components["schemas"]["Sha256"];
      submittedBy: components["schemas"]["Actor"];
      submittedAt: components["schemas"]["Timestamp"];
      /** @description Phase 1; what fails it is never stored */
      structural: {
        valid: boolean;
        errors: components["schemas"]["FieldError"][];
      };
      /** @description Phase 2 */
      gate: {
        state: components["schemas"]["GateState"];
        evaluatedAt: components["schemas"]["Timestamp"] | null;
        results: components["schemas"]["GateResult"][];
      };
      verdict: {
        /** @enum {string} */
        verdict: "accept" | "reject";
        reason: string | null;
        renderedBy: components["schemas"]["Actor"];
        renderedAt: components["schemas"]["Timestamp"];
        /** @description As claimed by the principal; in the encrypted mode */
        gateResults?: {
          /** @description Id of a gate of the record type */
          gateId: string;
          /** @enum {string} */
          outcome: "pass" | "fail" | "error";
          detail: string | null;
        }[];
      } | null;
      references: components["schemas"]["JsonObject"][];
      signedStatement: components["schemas"]["SignedStatement"] | null;
      /** @description Valid now for either party, as far as the scopes of the key go */
      nextActions: components["schemas"]["RecordAction"][];
      validTransitions: components["schemas"]["RecordStatus"][];
      suggestion: string;
      /** @description Why the first step is the first */
      hint: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    CreatedOrg: {
      /**
      * Format: uuid
      * @description A UUID in lowercase
      * @example 019c1f00-0000-7000-8000-000000000001
      */
      id: string;
      name: string;
      slug: string;
      createdAt: components["schemas"]["Timestamp"];
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
      settings: components["schemas"]["OrgSettings"];
      bootstrapKey?: components["schemas"]["MintedApiKey"];
      suggestion: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    CreateRecord: {
      /** @description Name of a registered record type */
      type: string;
      /** @description What is asked for; its shape is the criteriaSchema of the type. In an encrypted type a JWE General JSON Serialization object (RFC 7516) */
      criteria: {
        [key: string]: unknown;
      };
      /** @description Version of the type; default: the newest active one */
      contractVersion?: number;
      /** @description Pins the publisher where several offer the type */
      publisher?: string;
      /** @description Free label of the calling platform; default "api" */
      platform?: string;
      /** @description The caller's own reference */
      platformRef?: string | null;
      principalAgentId?: components["schemas"]["Uuid"];
      performerAgentId?: components["schemas"]["Uuid"];
      /**
      * Format: uuid
      * @description Delegates: a record that this credential performs
      */
      parentRecordId?: string;
      /** @description Default false */
      autoActivate?: boolean;
      expiresAt?: components["schemas"]["Timestamp"] | null;
      /** @description Instead of expiresAt */
      ttlSeconds?: number;
      /** @description Each is sealed after the record, in an entry REFERENCE_ADDED of its own */
      references?: {
        /** @description What it is, in words of your own: invoice, ticket, artifact */
        kind: string;
        /** @description Absolute (RFC 3986), of any scheme but javascript, vbscript, about, view-source and blob; it is neither fetched nor checked */
        uri: string;
        digest?: components["schemas"]["ReferenceDigest"] | null;
        label?: string | null;
      }[];
      /** @description For whom the caller says that it acts: sealed as the caller's own assertion, unverified */
      onBehalfOf?: {
        subject: components["schemas"]["Subject"];
        /** @description Who acts for the subject, outermost first */
        act?: components["schemas"]["Subject"][];
      };
      /** @description Shown with a proposal */
      message?: string;
      /** @description The performer is an agent of another hub, which is offered the record */
      federation?: {
        peerHubId: components["schemas"]["Uuid"];
        performerAgentId: components["schemas"]["Uuid"];
      };
    };
    DelegationTree: {
      root: components["schemas"]["Uuid"];
      /** @description From the root down to the record that was asked for */
      path: components["schemas"]["Uuid"][];
      nodes: {
        id: components["schemas"]["Uuid"];
        parentRecordId: components["schemas"]["Uuid"] | null;
        /** @description 0 at the root */
        depth: number;
        type?: string;
        status: components["schemas"]["RecordStatus"];
        performerAgentId?: components["schemas"]["Uuid"] | null;
        principalAgentId?: components["schemas"]["Uuid"];
        headHash: components["schemas"]["Sha256"] | null;
        position: number | null;
        /** @description Present, and true, on a record that this credential may not read */
        redacted?: boolean;
      }[];
      /** @description Present, and true, where the tree has more than 2,000 records */
      truncated?: boolean;
    };
    /** @description A dispute. signedStatement is the chain entry that the call wrote; on a GET the newest of the record. resolvedBy and resolvedAt also say who withdrew it, and when. */
    Dispute: {
      id: components["schemas"]["Uuid"];
      recordId: components["schemas"]["Uuid"];
      /** @enum {string} */
      phase: "EVIDENCE_WINDOW" | "TIER_2_REVIEW" | "TIER_3_ARBITRATION" | "RESOLVED" | "WITHDRAWN";
      /** @description The tier that it has reached */
      tier: number;
      initiatedBy: components["schemas"]["Actor"];
      /**
      * @description Derived from the key
      * @enum {string}
      */
      initiatorRole: "principal" | "performer" | "admin" | "platform";
      /**
      * @description The side that disputes: the one that the outcome went against
      * @enum {string}
      */
      side: "principal" | "performer";
      grounds: string | null;
      statement: string | null;
      evidenceDeadline: components["schemas"]["Timestamp"];
      /**
      * Format: date-time
      * @description When the phase ends by itself; null once the dispute is over
      */
      phaseDeadline: string | null;
      /** @enum {string|null} */
      outcome: "UPHELD" | "OVERTURNED" | null;
      resolution: string | null;
      resolvedBy: components["schemas"]["Actor"] | null;
      openedAt: components["schemas"]["Timestamp"];
      resolvedAt: components["schemas"]["Timestamp"] | null;
      evidence: {
        id: components["schemas"]["Uuid"];
        submittedBy: components["schemas"]["Actor"];
        /**
        * @description Whom it speaks for
        * @enum {string}
        */
        side: "principal" | "performer";
        /** @description Over the RFC 8785 form of the content; sealed in the entry DISPUTE_EVIDENCE_SUBMITTED */
        contentHash: string;
        submittedAt: components["schemas"]["Timestamp"];
        content: components["schemas"]["JsonObject"];
      }[];
      /**
      * @description Status of the record after the call
      * @enum {string}
      */
      recordStatus: "CREATED" | "PROPOSED" | "ACTIVE" | "REVISION_REQUESTED" | "RECORDED" | "FULFILLED" | "FAILED" | "REMEDIATED" | "EXPIRED" | "CANCELLED" | "REJECTED";
      signedStatement: components["schemas"]["SignedStatement"] | null;
      /** @description Valid now for either party, as far as the scopes of the key go */
      nextActions: components["schemas"]["RecordAction"][];
      validTransitions: components["schemas"]["RecordStatus"][];
      suggestion: string;
      /** @description Why the first step is the first */
      hint: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    /** @description The public key that content for an agent is encrypted to */
    EncryptionJwk: {
      /** @enum {string} */
      kty: "OKP" | "EC";
      x: string;
      /** @description P-256 alone */
      y?: string;
      /** @enum {string} */
      crv: "X25519" | "P-256";
      /** @description The RFC 7638 thumbprint: the kid of a JWE recipient */
      kid: string;
      /** @constant */
      use: "enc";
    };
    EphemeralCert: {
      id: components["schemas"]["Uuid"];
      orgId: components["schemas"]["Uuid"];
      agentId: components["schemas"]["Uuid"];
      oidcIss: string;
      oidcSub: string;
      /** @description RFC 7638, base64url */
      publicKeyThumbprint: string;
      /** @description Exactly what the identity provider asserted */
      scopes: components["schemas"]["Scope"][];
      issuedAt: components["schemas"]["Timestamp"];
      expiresAt: components["schemas"]["Timestamp"];
    };
    FieldError: {
      /** @description RFC 6901 JSON Pointer */
      path: string;
      keyword: string;
      message: string;
    };
    GateResult: {
      gateId: string;
      description: string;
      /** @enum {string} */
      outcome: "pass" | "fail" | "error";
      /** @enum {string} */
      severity: "block" | "warn";
      expression: string;
      inputsDigest: components["schemas"]["Sha256"];
      detail: string | null;
    };
    /** @enum {string} */
    GateState: "PENDING" | "PASSED" | "FAILED" | "ADVISORY_PASSED" | "ADVISORY_FAILED" | "SKIPPED";
    GateStatus: {
      recordId: components["schemas"]["Uuid"];
      completionId: components["schemas"]["Uuid"] | null;
      phase1: {
        /** @description Null before the first completion */
        valid: boolean | null;
        errors: components["schemas"]["FieldError"][];
      };
      phase2: {
        state: components["schemas"]["GateState"] | null;
        evaluatedAt: components["schemas"]["Timestamp"] | null;
        results: components["schemas"]["GateResult"][];
      };
      /** @enum {string} */
      mode: "auto" | "principal";
      /** @enum {string|null} */
      awaiting: "performer" | "principal" | "gate" | "children" | null;
      /** @description Valid now for either party, as far as the scopes of the key go */
      nextActions: components["schemas"]["RecordAction"][];
      validTransitions: components["schemas"]["RecordStatus"][];
      suggestion: string;
      /** @description Why the first step is the first */
      hint: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    JsonObject: {
      [key: string]: unknown;
    };
    /** @description A dispute as a listing shows it */
    ListedDispute: {
      id: components["schemas"]["Uuid"];
      recordId: components["schemas"]["Uuid"];
      /** @enum {string} */
      phase: "EVIDENCE_WINDOW" | "TIER_2_REVIEW" | "TIER_3_ARBITRATION" | "RESOLVED" | "WITHDRAWN";
      /** @description The tier that it has reached */
      tier: number;
      initiatedBy: components["schemas"]["Actor"];
      /**
      * @description Derived from the key
      * @enum {string}
      */
      initiatorRole: "principal" | "performer" | "admin" | "platform";
      /**
      * @description The side that disputes: the one that the outcome went against
      * @enum {string}
      */
      side: "principal" | "performer";
      grounds: string | null;
      statement: string | null;
      evidenceDeadline: components["schemas"]["Timestamp"];
      /**
      * Format: date-time
      * @description When the phase ends by itself; null once the dispute is over
      */
      phaseDeadline: string | null;
      /** @enum {string|null} */
      outcome: "UPHELD" | "OVERTURNED" | null;
      resolution: string | null;
      resolvedBy: components["schemas"]["Actor"] | null;
      openedAt: components["schemas"]["Timestamp"];
      resolvedAt: components["schemas"]["Timestamp"] | null;
      /** @description Without its content */
      evidence: {
        id: components["schemas"]["Uuid"];
        submittedBy: components["schemas"]["Actor"];
        /**
        * @description Whom it speaks for
        * @enum {string}
        */
        side: "principal" | "performer";
        /** @description Over the RFC 8785 form of the content; sealed in the entry DISPUTE_EVIDENCE_SUBMITTED */
        contentHash: string;
        submittedAt: components["schemas"]["Timestamp"];
      }[];
    };
    MintedApiKey: {
      keyId: components["schemas"]["Uuid"];
      /** @enum {string} */
      ownerType: "agent";
      ownerId: components["schemas"]["Uuid"];
      orgId: components["schemas"]["Uuid"] | null;
      role: components["schemas"]["Role"];
      label: string | null;
      /** @description As granted; manage implies write, write implies read */
      scopes: components["schemas"]["Scope"][];
      scopeProfile: string | null;
      /** @enum {string} */
      environment: "live" | "test";
      /** @description CIDR list; null: from anywhere */
      allowedIps: string[] | null;
      expiresAt: components["schemas"]["Timestamp"] | null;
      createdAt: components["schemas"]["Timestamp"];
      /** @description The key itself, shown here and never again: under Idempotency-Replayed null, with a hint to rotate */
      apiKey: string;
      hint?: string;
      suggestion: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    /** @description One thing to do next that this credential may do */
    NextStep: {
      action: string;
      /** @enum {string} */
      method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
      /** @description A path, relative to the base URL */
      href: string;
      description: string;
      workflowStep?: number;
      workflowTotal?: number;
      workflowLabel?: string;
      afterThis?: string;
    };
    /** @description A record. signedStatement is the chain entry that the call wrote; on a GET the newest; in a listing null. */
    NotaryRecord: {
      id: components["schemas"]["Uuid"];
      orgId: components["schemas"]["Uuid"];
      type: string;
      publisher: string;
      contractVersion: number;
      manifestDigest: components["schemas"]["Sha256"];
      platform: string;
      platformRef: string | null;
      /** @enum {string} */
      gateMode: "auto" | "principal";
      /** @enum {string} */
      operatingMode: "cleartext" | "encrypted";
      status: components["schemas"]["RecordStatus"];
      criteria: components["schemas"]["JsonObject"];
      criteriaHash: components["schemas"]["Sha256"];
      message: string | null;
      principalAgentId: components["schemas"]["Uuid"];
      performerAgentId: components["schemas"]["Uuid"] | null;
      parentRecordId: components["schemas"]["Uuid"] | null;
      rootRecordId: components["schemas"]["Uuid"];
      depth: number;
      /** @enum {string|null} */
      awaiting: "performer" | "principal" | "gate" | "children" | null;
      revisionCount: number;
      maxRevisions: number;
      latestCompletionId: components["schemas"]["Uuid"] | null;
      disputed: boolean;
      openDisputeId: components["schemas"]["Uuid"] | null;
      disputeCount: number;
      counterProposal: {
        criteria: components["schemas"]["JsonObject"];
        criteriaHash: components["schemas"]["Sha256"];
        message: string | null;
        proposedBy: components["schemas"]["Actor"];
        proposedAt: components["schemas"]["Timestamp"];
      } | null;
      references: components["schemas"]["ShownReference"][];
      onBehalfOf: {
        subject: components["schemas"]["Subject"];
        /** @description A token that the service verified says so; otherwise it is the word of the caller */
        validated: boolean;
        /** @enum {string} */
        provenance: "token_exchange" | "asserted";
        act: components["schemas"]["Subject"][];
      } | null;
      federation: {
        /**
        * @description Home decides; a mirror follows it
        * @enum {string}
        */
        role: "home" | "mirror";
        peerHubId: components["schemas"]["Uuid"];
        /**
        * Format: uuid
        * @description The peer's id of the record; null until the peer attested the offer
        */
        recordId: string | null;
        performerAgentId: components["schemas"]["Uuid"];
        pendingStep: {
          action: string;
          sequence: number;
          since: components["schemas"]["Timestamp"];
        } | null;
        /** @description Why nothing more passes between the two; null while it does */
        detached: string | null;
      } | null;
      expiresAt: components["schemas"]["Timestamp"] | null;
      createdAt: components["schemas"]["Timestamp"];
      activatedAt: components["schemas"]["Timestamp"] | null;
      terminalAt: components["schemas"]["Timestamp"] | null;
      updatedAt: components["schemas"]["Timestamp"];
      /** @description Counts up with every change; the ETag */
      version: number;
      /** @description On a cancellation with cascade: true */
      cascade?: {
        /** @description Records below it that were cancelled with it */
        cancelled: number;
      };
      signedStatement: components["schemas"]["SignedStatement"] | null;
      /** @description Valid now for either party, as far as the scopes of the key go */
      nextActions: components["schemas"]["RecordAction"][];
      validTransitions: components["schemas"]["RecordStatus"][];
      suggestion: string;
      /** @description Why the first step is the first */
      hint: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    Org: {
      /**
      * Format: uuid
      * @description A UUID in lowercase
      * @example 019c1f00-0000-7000-8000-000000000001
      */
      id: string;
      name: string;
      slug: string;
      createdAt: components["schemas"]["Timestamp"];
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
      settings: components["schemas"]["OrgSettings"];
    };
    OrgSettings: {
      /**
      * @description How requests under credentials of the org must be signed by the key that the credential is bound to. What an issuer demands counts too: the stricter of the two. body: writes, over the body, which then names its record; request: reads and writes, over the whole request (RFC 9421). A credential that is bound to no key (an API key, an administrator’s token) is then refused with 403, but for what governs the org: its settings, agents, keys and who it is
      * @enum {string}
      */
      requireCoSignature: "none" | "body" | "request";
    };
    OwnAgent: {
      id: components["schemas"]["Uuid"];
      orgId: components["schemas"]["Uuid"];
      name: string;
      displayName: string;
      /** @description Names of record types; empty: any */
      capabilities: string[];
      /** @description Oldest first, revoked ones included */
      signingKeys: components["schemas"]["SigningKey"][];
      encryptionKeyJwk: components["schemas"]["EncryptionJwk"] | null;
      references: components["schemas"]["AgentReference"][];
      deactivatedAt: components["schemas"]["Timestamp"] | null;
      deactivationReason: string | null;
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
      createdAt: components["schemas"]["Timestamp"];
    };
    /** @description A problem document (RFC 9457) */
    Problem: {
      /** @description Path of a page that explains it */
      type: string;
      title: string;
      status: number;
      detail: string;
      instance: string;
      error: components["schemas"]["ProblemCode"];
      code: components["schemas"]["ProblemCode"];
      /** @description The same as detail */
      message: string;
      /** @description The X-Request-ID of the answer. A refusal with Idempotency-Replayed names the call that met it first, and X-Request-ID the repetition */
      requestId: string;
      retryable: boolean;
      errors: components["schemas"]["FieldError"][] | null;
      details: components["schemas"]["FieldError"][] | null;
      suggestion?: string;
      recoveryHint?: string;
      hint?: string;
      /** @description The GET that shows the current state */
      refreshUrl?: string;
      requiredFields?: string[];
      optionalFields?: string[];
      examplePayload?: unknown;
      schemaUrl?: string;
      recordType?: string;
      currentState?: string;
      attemptedTransition?: string;
      attemptedState?: string;
      validTransitions?: string[];
      attemptedAction?: string;
      allowedActions?: string[];
      allowedActors?: string[];
      allowedValues?: (string | number)[];
      disputeCount?: number;
      maxDisputes?: number;
      openDisputeId?: components["schemas"]["Uuid"] | null;
      currentStatus?: string;
      disputeableWhen?: string[];
      parentRecordId?: components["schemas"]["Uuid"];
      /** @description The name of a conflict, or the guard that refused */
      reason?: string;
      jobId?: components["schemas"]["Uuid"];
      publisher?: string;
      version?: number;
      incomingDigest?: string;
      existingDigest?: string;
      publishers?: string[];
      pinnedRecords?: number;
      unattributableRecords?: number;
      missingScopes?: string[];
      nextSteps?: components["schemas"]["NextStep"][];
    };
    /** @enum {string} */
    ProblemCode: "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "ACCOUNT_DEACTIVATED" | "PLATFORM_REQUIRED" | "ORG_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "CONFLICT" | "CONFLICTING_VERSION" | "RESERVED_PUBLISHER_LABEL" | "STATUS_NOT_DISABLED" | "RECORDS_REFERENCE_TYPE" | "PROVISIONING_MANAGED" | "WEBHOOK_NOT_OWNED" | "ROW_HAS_DEPENDENT_RECORDS" | "STEP_PENDING" | "SEQUENCE_GAP" | "CHAIN_REWIND_DETECTED" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "REQUEST_TIMEOUT" | "URI_TOO_LONG" | "EXPECTATION_FAILED" | "HEADER_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "SCHEMA_VALIDATION_ERROR" | "SCHEMA_DIGEST_MISMATCH" | "AMBIGUOUS_PUBLISHER" | "INVALID_ACTION" | "UNPROCESSABLE_STATE" | "RATE_LIMITED" | "SERVICE_UNAVAILABLE" | "INTERNAL_ERROR";
    /** @enum {string} */
    RecordAction: "create" | "propose" | "activate" | "accept" | "reject" | "counter-propose" | "accept-counter" | "submit-completion" | "render-verdict" | "revision" | "evaluate" | "verify-cascade" | "delegate" | "cancel" | "expire" | "open-dispute" | "submit-dispute-evidence" | "escalate-dispute" | "resolve-dispute" | "withdraw-dispute" | "add-reference" | "view" | "export-audit";
    RecordPage: {
      data: components["schemas"]["NotaryRecord"][];
      /** @description Exact up to a cap */
      total: number;
      /** @description Present, and true, where there may be more than total */
      totalIsCapped?: boolean;
      hasMore: boolean;
      /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
      nextCursor: string | null;
    };
    /** @description A reference on a record. signedStatement is the chain entry that the call wrote; null where the reference was there. */
    RecordReference: {
      id: components["schemas"]["Uuid"];
      recordId: components["schemas"]["Uuid"];
      /** @description What it is, in words of your own: invoice, ticket, artifact */
      kind: string;
      /** @description Absolute (RFC 3986), of any scheme but javascript, vbscript, about, view-source and blob; it is neither fetched nor checked */
      uri: string;
      digest: components["schemas"]["ReferenceDigest"] | null;
      label: string | null;
      addedBy: components["schemas"]["Actor"];
      addedAt: components["schemas"]["Timestamp"];
      /**
      * @description Status of the record, which a reference does not change
      * @enum {string}
      */
      recordStatus: "CREATED" | "PROPOSED" | "ACTIVE" | "REVISION_REQUESTED" | "RECORDED" | "FULFILLED" | "FAILED" | "REMEDIATED" | "EXPIRED" | "CANCELLED" | "REJECTED";
      signedStatement: components["schemas"]["SignedStatement"] | null;
      /** @description Valid now for either party, as far as the scopes of the key go */
      nextActions: components["schemas"]["RecordAction"][];
      validTransitions: components["schemas"]["RecordStatus"][];
      suggestion: string;
      /** @description Why the first step is the first */
      hint: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    /**
    * @description Display status of a record
    * @enum {string}
    */
    RecordStatus: "CREATED" | "PROPOSED" | "ACTIVE" | "REVISION_REQUESTED" | "RECORDED" | "FULFILLED" | "FAILED" | "REMEDIATED" | "EXPIRED" | "CANCELLED" | "REJECTED";
    /** @description A record type: its manifest with every default filled in, and what the service adds */
    RecordType: {
      type: string;
      /** @description Default: the slug of the org */
      publisher: string;
      /** @description Default: the newest one and 1 */
      version: number;
      title: string | null;
      description: string | null;
      /** @description JSON Schema 2020-12; default {"type":"object"} */
      criteriaSchema: {
        [key: string]: unknown;
      };
      /** @description JSON Schema 2020-12; {} makes the type notarize-only */
      completionSchema: {
        [key: string]: unknown;
      };
      /**
      * @description Who decides on a completion: the gates (auto), or the principal with their advice; default principal
      * @enum {string}
      */
      gateMode: "auto" | "principal";
      /**
      * @description encrypted: content is JWE, and the service applies neither schemas nor gates; default cleartext
      * @enum {string}
      */
      operatingMode: "cleartext" | "encrypted";
      gates: components["schemas"]["TypeGates"];
      cascade: components["schemas"]["TypeCascade"];
      /**
      * @description What a version must keep of the newest active one; default backward: whatever was valid stays valid
      * @enum {string}
      */
      compatibilityMode: "none" | "backward" | "forward" | "full";
      /** @description Levels below a record of the type; default 5 */
      maxDelegationDepth: number;
      /** @description Of one record, withdrawn ones included; default 1 */
      maxDisputes: number;
      /** @description How often the principal may ask for a better completion; default 3 */
      maxRevisions: number;
      /** @description When a record expires that names no deadline; default never */
      defaultTtlSeconds: number | null;
      /** @description How long a completion may wait for its verdict before the record expires; default 604800 */
      verdictWindowSeconds: number;
      /** @description How long an outcome can be disputed; default 604800 */
      disputeWindowSeconds: number;
      /** @description How long the first tier of a dispute lasts; default 259200 */
      evidenceWindowSeconds: number;
      /** @description Lets anyone read both schemas, without a credential; default false */
      public: boolean;
      exampleCriteria: components["schemas"]["JsonObject"] | null;
      exampleEvidence: components["schemas"]["JsonObject"] | null;
      manifestDigest: components["schemas"]["Sha256"];
      /** @enum {string} */
      status: "active" | "disabled";
      orgId: components["schemas"]["Uuid"];
      registeredBy: components["schemas"]["Uuid"] | null;
      registeredAt: components["schemas"]["Timestamp"];
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
      schemaUrls: {
        /** @description Path of this version */
        manifest: string;
        /** @description Where anyone can read criteriaSchema; of a public type */
        criteria?: string;
        /** @description Where anyone can read completionSchema; of a public type */
        completion?: string;
      };
      signedStatement: components["schemas"]["SignedStatement"] | null;
      suggestion: string;
      nextSteps: components["schemas"]["NextStep"][];
    };
    RecordTypeManifest: {
      type: string;
      /** @description Default: the slug of the org */
      publisher?: string;
      /** @description Default: the newest one and 1 */
      version?: number;
      title?: string | null;
      description?: string | null;
      /** @description JSON Schema 2020-12; default {"type":"object"} */
      criteriaSchema?: {
        [key: string]: unknown;
      };
      /** @description JSON Schema 2020-12; {} makes the type notarize-only */
      completionSchema: {
        [key: string]: unknown;
      };
      /**
      * @description Who decides on a completion: the gates (auto), or the principal with their advice; default principal
      * @enum {string}
      */
      gateMode?: "auto" | "principal";
      /**
      * @description encrypted: content is JWE, and the service applies neither schemas nor gates; default cleartext
      * @enum {string}
      */
      operatingMode?: "cleartext" | "encrypted";
      gates?: components["schemas"]["TypeGates"];
      cascade?: components["schemas"]["TypeCascade"];
      /**
      * @description What a version must keep of the newest active one; default backward: whatever was valid stays valid
      * @enum {string}
      */
      compatibilityMode?: "none" | "backward" | "forward" | "full";
      /** @description Levels below a record of the type; default 5 */
      maxDelegationDepth?: number;
      /** @description Of one record, withdrawn ones included; default 1 */
      maxDisputes?: number;
      /** @description How often the principal may ask for a better completion; default 3 */
      maxRevisions?: number;
      /** @description When a record expires that names no deadline; default never */
      defaultTtlSeconds?: number | null;
      /** @description How long a completion may wait for its verdict before the record expires; default 604800 */
      verdictWindowSeconds?: number;
      /** @description How long an outcome can be disputed; default 604800 */
      disputeWindowSeconds?: number;
      /** @description How long the first tier of a dispute lasts; default 259200 */
      evidenceWindowSeconds?: number;
      /** @description Lets anyone read both schemas, without a credential; default false */
      public?: boolean;
      exampleCriteria?: components["schemas"]["JsonObject"] | null;
      exampleEvidence?: components["schemas"]["JsonObject"] | null;
    };
    /** @description Of what the URI leads to, as the caller computed it */
    ReferenceDigest: {
      /** @description As in sha-256 */
      alg: string;
      /** @description Hex or base64, kept as it is sent; of sha-256 the 64 digits in hex */
      value: string;
    };
    Reputation: {
      agentId: components["schemas"]["Uuid"];
      /** @description Lower bound of the 95 % Wilson interval of accepted over all verdicts; null without verdicts */
      score: number | null;
      /** @description Verdicts that the score rests on */
      sampleSize: number;
      /** @description accepted over all verdicts; null without verdicts */
      acceptanceRate: number | null;
      records: number;
      completions: number;
      accepted: number;
      rejected: number;
      overturned: number;
      expired: number;
      /** @description From activation to submission; null without submissions */
      medianCompletionMs: number | null;
      byType: {
        type: string;
        /** @description Lower bound of the 95 % Wilson interval of accepted over all verdicts; null without verdicts */
        score: number | null;
        /** @description Verdicts that the score rests on */
        sampleSize: number;
        /** @description accepted over all verdicts; null without verdicts */
        acceptanceRate: number | null;
        records: number;
        completions: number;
        accepted: number;
        rejected: number;
        overturned: number;
        expired: number;
        /** @description From activation to submission; null without submissions */
        medianCompletionMs: number | null;
      }[];
      since: components["schemas"]["Timestamp"] | null;
    };
    /** @enum {string} */
    Role: "agent" | "admin" | "platform";
    RotatedApiKey: {
      keyId: components["schemas"]["Uuid"];
      /** @enum {string} */
      ownerType: "agent";
      ownerId: components["schemas"]["Uuid"];
      orgId: components["schemas"]["Uuid"] | null;
      role: components["schemas"]["Role"];
      label: string | null;
      /** @description As granted; manage implies write, write implies read */
      scopes: components["schemas"]["Scope"][];
      scopeProfile: string | null;
      /** @enum {string} */
      environment: "live" | "test";
      /** @description CIDR list; null: from anywhere */
      allowedIps: string[] | null;
      expiresAt: components["schemas"]["Timestamp"] | null;
      createdAt: components["schemas"]["Timestamp"];
      /** @description The key itself, shown here and never again: under Idempotency-Replayed null, with a hint to rotate */
      apiKey: string;
      hint?: string;
      suggestion: string;
      nextSteps: components["schemas"]["NextStep"][];
      previousKeyId: components["schemas"]["Uuid"];
      previousKeyDeactivatesAt: components["schemas"]["Timestamp"];
    };
    SchemaBundle: {
      /** @description 1.0 */
      formatVersion: string;
      exportedAt: components["schemas"]["Timestamp"];
      /**
      * Format: uuid
      * @description The org that it was exported from
      */
      orgId: string;
      manifests: {
        /** @description Complete, with every default filled in */
        manifest: {
          type: string;
          publisher: string;
          version: number;
          title?: string | null;
          description?: string | null;
          /** @description JSON Schema 2020-12; default {"type":"object"} */
          criteriaSchema?: {
            [key: string]: unknown;
          };
          /** @description JSON Schema 2020-12; {} makes the type notarize-only */
          completionSchema: {
            [key: string]: unknown;
          };
          /**
          * @description Who decides on a completion: the gates (auto), or the principal with their advice; default principal
          * @enum {string}
          */
          gateMode?: "auto" | "principal";
          /**
          * @description encrypted: content is JWE, and the service applies neither schemas nor gates; default cleartext
          * @enum {string}
          */
          operatingMode?: "cleartext" | "encrypted";
          gates?: components["schemas"]["TypeGates"];
          cascade?: components["schemas"]["TypeCascade"];
          /**
          * @description What a version must keep of the newest active one; default backward: whatever was valid stays valid
          * @enum {string}
          */
          compatibilityMode?: "none" | "backward" | "forward" | "full";
          /** @description Levels below a record of the type; default 5 */
          maxDelegationDepth?: number;
          /** @description Of one record, withdrawn ones included; default 1 */
          maxDisputes?: number;
          /** @description How often the principal may ask for a better completion; default 3 */
          maxRevisions?: number;
          /** @description When a record expires that names no deadline; default never */
          defaultTtlSeconds?: number | null;
          /** @description How long a completion may wait for its verdict before the record expires; default 604800 */
          verdictWindowSeconds?: number;
          /** @description How long an outcome can be disputed; default 604800 */
          disputeWindowSeconds?: number;
          /** @description How long the first tier of a dispute lasts; default 259200 */
          evidenceWindowSeconds?: number;
          /** @description Lets anyone read both schemas, without a credential; default false */
          public?: boolean;
          exampleCriteria?: components["schemas"]["JsonObject"] | null;
          exampleEvidence?: components["schemas"]["JsonObject"] | null;
        };
        /** @description SHA-256 of the RFC 8785 form of the manifest */
        manifestDigest: string;
      }[];
      /** @description COSE_Sign1 of the type schema-bundle over a statement that holds one digest of all manifests */
      coseSign1: string;
    };
    /** @enum {string} */
    Scope: "records:read" | "records:write" | "records:manage" | "completions:read" | "completions:write" | "completions:manage" | "webhooks:read" | "webhooks:write" | "webhooks:manage" | "audit:read" | "audit:write" | "audit:manage" | "compliance:read" | "compliance:write" | "compliance:manage" | "agents:read" | "agents:write" | "agents:manage" | "disputes:read" | "disputes:write" | "disputes:manage" | "events:read" | "events:write" | "events:manage" | "reputation:read" | "reputation:write" | "reputation:manage" | "schemas:read" | "schemas:write" | "schemas:manage" | "drift:read" | "drift:write" | "drift:manage" | "schemas:admin" | "admin:keys" | "admin:system" | "admin:backfill";
    /** @description Where the call wrote a chain entry, or read its newest, it is here */
    Sealed: {
      signedStatement: components["schemas"]["SignedStatement"];
    };
    /** @description SHA-256, lowercase hex */
    Sha256: string;
    ShownReference: {
      id: components["schemas"]["Uuid"];
      recordId: components["schemas"]["Uuid"];
      /** @description What it is, in words of your own: invoice, ticket, artifact */
      kind: string;
      /** @description Absolute (RFC 3986), of any scheme but javascript, vbscript, about, view-source and blob; it is neither fetched nor checked */
      uri: string;
      digest: components["schemas"]["ReferenceDigest"] | null;
      label: string | null;
      addedBy: components["schemas"]["Actor"];
      addedAt: components["schemas"]["Timestamp"];
    };
    /** @description A chain entry. Keep it: with the public key alone it can be verified years later, without the service. */
    SignedStatement: {
      /** @description A record id, schema:<orgId>, or the zero UUID for platform operations */
      chainKey: string;
      position: number;
      /** @enum {string} */
      entryType: "RECORD_RECORDED" | "RECORD_CREATED" | "RECORD_PROPOSED" | "RECORD_ACTIVATED" | "PROPOSAL_ACCEPTED" | "COUNTER_ACCEPTED" | "PROPOSAL_REJECTED" | "COUNTER_PROPOSED" | "COMPLETION_SUBMITTED" | "GATE_EVALUATED" | "VERDICT_RENDERED" | "REVISION_REQUESTED" | "CASCADE_VERIFIED" | "CHILD_DELEGATED" | "RECORD_CANCELLED" | "RECORD_EXPIRED" | "DISPUTE_OPENED" | "DISPUTE_EVIDENCE_SUBMITTED" | "DISPUTE_ESCALATED" | "DISPUTE_RESOLVED" | "DISPUTE_WITHDRAWN" | "REFERENCE_ADDED" | "SIGNAL_EMITTED" | "STEP_OFFERED" | "STEP_REFUSED" | "PEER_STATEMENT_ATTESTED" | "PEER_EQUIVOCATION" | "RECORD_DETACHED" | "SCHEMA_REGISTERED" | "SCHEMA_STATUS_CHANGED" | "SCHEMA_DELETED" | "SCHEMA_IMPORTED" | "KEY_ACTIVATED" | "KEY_RETIRED" | "ORG_CREATED" | "ORG_UPDATED" | "AGENT_CREATED" | "AGENT_DEACTIVATED" | "AGENT_REACTIVATED" | "AGENT_CAPABILITIES_CHANGED" | "ENCRYPTION_KEY_SET" | "SIGNING_KEY_ADDED" | "SIGNING_KEY_REVOKED" | "AGENT_REFERENCE_ADDED" | "API_KEY_MINTED" | "API_KEY_ROTATED" | "API_KEY_REVOKED" | "API_KEY_REENABLED" | "ISSUER_CREATED" | "ISSUER_UPDATED" | "ISSUER_DELETED" | "CERT_ISSUED" | "CERT_REVOKED" | "PUBLISHER_CLAIMED" | "DUMP_TAKEN" | "EXPORT_TAKEN" | "PROVISIONING_APPLIED" | "REWIND_ACKNOWLEDGED" | "HUB_KEY_CREATED" | "HUB_KEY_CHANGED" | "PEER_REGISTERED" | "PEER_APPROVED" | "PEER_UPDATED" | "PEER_SUSPENDED" | "PEER_RESUMED" | "PEER_REVOKED" | "PEER_KEY_CHANGED" | "WITNESS_ADDED" | "WITNESS_REMOVED" | "RATE_LIMIT_EXEMPTED" | "RATE_LIMIT_RESTORED" | "WEBHOOK_CREATED" | "WEBHOOK_UPDATED" | "WEBHOOK_DELETED" | "WEBHOOK_SECRET_ROTATED" | "ORG_READS_COVERED";
      hash: components["schemas"]["Sha256"];
      previousHash: components["schemas"]["Sha256"];
      signingKeyId: string;
      /** @enum {string} */
      algorithm: "Ed25519" | "ES256";
      /**
      * @description jcs: RFC 8785; cde: RFC 8949 section 4.2.1
      * @enum {string}
      */
      canonicalization: "jcs" | "cde";
      coseSign1: components["schemas"]["Base64"];
    };
    /** @description A public key that an agent signs statements with. A revoked one stays, since it verifies what was signed before. */
    SigningKey: {
      /** @description RFC 9679 (SHA-256 of the COSE_Key), lowercase hex: its 32 bytes are the kid of a signed statement */
      thumbprint: string;
      /** @enum {string} */
      algorithm: "Ed25519" | "ES256";
      publicKeyJwk: {
        /** @enum {string} */
        kty: "OKP" | "EC";
        x: string;
        /** @description P-256 alone */
        y?: string;
        /** @enum {string} */
        crv: "Ed25519" | "P-256";
      };
      /** @description The same key as a COSE_Key (RFC 9052) */
      coseKey: string;
      /** @description The iss that statements signed with it may name */
      issuers: string[];
      addedAt: components["schemas"]["Timestamp"];
      revokedAt: components["schemas"]["Timestamp"] | null;
    };
    /** @description Somebody at an identity provider */
    Subject: {
      iss: string;
      sub: string;
    };
    /**
    * Format: date-time
    * @description ISO 8601; answers are in UTC with milliseconds
    */
    Timestamp: string;
    TrustedIssuer: {
      id: components["schemas"]["Uuid"];
      /**
      * Format: uuid
      * @description Whose agents and admins it vouches for; null: the platform’s
      */
      orgId: string | null;
      /** @description Equal to the iss of its tokens, character by character */
      issuerUrl: string;
      /**
      * @description agent: tokens are exchanged for certificates; admin: tokens are credentials themselves
      * @enum {string}
      */
      appliesTo: "agent" | "admin";
      /** @description Null: as the OpenID configuration of the issuer says */
      jwksUri: string | null;
      /** @description Must be named by the aud of a token */
      expectedAudience: string;
      /** @description A certificate never outlives the token either */
      maxCredentialTtlSeconds: number;
      /** @description False stops new exchanges; certificates that were given live on */
      enabled: boolean;
      /** @description Subjects that are let in. Empty: for admin nobody, for agent every subject that maps to an agent of the org */
      subjectAllowlist: string[];
      /**
      * @description dpop: an exchange needs a DPoP proof (RFC 9449) by the key that the token is bound to
      * @enum {string}
      */
      requireProof: "none" | "dpop";
      /**
      * @description How requests under its certificates must be signed by the bound key
      * @enum {string}
      */
      requireCoSignature: "none" | "body" | "request";
      claimMapping: {
        scopes: components["schemas"]["ClaimPlace"];
        agent_id: components["schemas"]["ClaimPlace"];
        role: components["schemas"]["ClaimPlace"];
      };
      /** @enum {string|null} */
      managedBy: "provisioning" | null;
      createdAt: components["schemas"]["Timestamp"];
      updatedAt: components["schemas"]["Timestamp"];
    };
    /** @description What delegated records mean to their parent; default {"rule": "none"}. Under any other rule a completion waits for their end */
    TypeCascade: {
      /** @enum {string} */
      rule: "none" | "all-fulfilled" | "any-fulfilled" | "quorum";
      /** @description How many children must be fulfilled; exactly with the rule quorum */
      quorum?: number;
    };
    TypeGates: {
      id: string;
      description?: string;
      /** @description CEL over criteria, evidence, record, completion, children, dispute (null unless the gates judge again in one) and now (the time of submission). Whatever is not true fails, an error too */
      expression: string;
      /**
      * @description warn is told and never decides; default block
      * @enum {string}
      */
      severity?: "block" | "warn";
    }[];
    /**
    * Format: uuid
    * @description A UUID in lowercase
    */
    Uuid: string;
    VerificationKeys: {
      data: {
        /** @description First 32 hex characters of the RFC 9679 thumbprint */
        keyId: string;
        /** @enum {string} */
        algorithm: "Ed25519" | "ES256";
        coseAlgorithm: number;
        minVerifierVersion: string;
        /** @description SubjectPublicKeyInfo, DER */
        publicKey: string;
        /** @description 32 bytes, or the 65-byte SEC1 form for P-256 */
        publicKeyRaw: string;
        /** @enum {string} */
        status: "active" | "retired";
        activatedAt: components["schemas"]["Timestamp"];
        retiredAt: components["schemas"]["Timestamp"] | null;
      }[];
      keyStatements: {
        keyId: string;
        /** @enum {string} */
        statement: "activated" | "retired";
        /** @description On the platform chain */
        position: number;
        /** @description The KEY_ACTIVATED or KEY_RETIRED as it was sealed */
        coseSign1: string;
      }[];
      envelope: string;
      payloadFormat: string;
      /** @enum {string} */
      canonicalization: "jcs" | "cde";
      coseAlgorithm: number | null;
      signatureAlgorithm: string | null;
      signatureInputTemplate: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listRecords: {
    parameters: {
      query?: {
        /** @description In this status */
        status?: "CREATED" | "PROPOSED" | "ACTIVE" | "REVISION_REQUESTED" | "RECORDED" | "FULFILLED" | "FAILED" | "REMEDIATED" | "EXPIRED" | "CANCELLED" | "REJECTED";
        /** @description Of this record type */
        type?: string;
        /** @description Of a type of this publisher */
        publisher?: string;
        /** @description With this agent as principal */
        principalAgentId?: string;
        /** @description With this agent as performer */
        performerAgentId?: string;
        /** @description Directly below this record */
        parentRecordId?: string;
        /** @description Anywhere below this record, itself included */
        rootRecordId?: string;
        /** @description Created for this platform */
        platform?: string;
        /** @description With exactly this platformRef */
        platformRef?: string;
        /** @description Only what an admin of this org would list, which is what one of its agents is a party to; for platform keys, or the own org */
        orgId?: string;
        /** @description With this value of disputed */
        disputed?: boolean;
        /** @description Inclusive */
        createdFrom?: string;
        /** @description Exclusive */
        createdTo?: string;
        /** @description Inclusive */
        updatedFrom?: string;
        /** @description Exclusive */
        updatedTo?: string;
        /** @description Prefix of platformRef or of the id */
        q?: string;
        /** @description Default -createdAt */
        sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt";
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of records; total is exact up to 10,000 */
      200: {
        content: {
          "application/json": components["schemas"]["RecordPage"];
        };
      };
    };
  };
  createRecord: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateRecord"];
      };
    };
    responses: {
      /** @description The record, sealed and durable */
      201: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  createRecordsBulk: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["CreateRecord"][];
      };
    };
    responses: {
      /** @description One outcome an item, in the order of the input */
      207: {
        content: {
          "application/json": components["schemas"]["BulkResult"];
        };
      };
    };
  };
  getRecord: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The record */
      200: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  exportAudit: {
    parameters: {
      query?: {
        /** @description Show the evidence at the entry of its completion; default false */
        evidence?: boolean;
        /** @description Export the records below as well, as far as this key may read them; default false */
        subtree?: boolean;
        /** @description The form of the export */
        format?: "json" | "csv" | "ndjson";
      };
      path: {
        /** @description Id of the record */
        recordId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The export */
      200: {
        content: {
          "application/json": components["schemas"]["AuditExport"] | components["schemas"]["AuditTreeExport"];
          "application/x-ndjson": string;
          "text/csv": string;
        };
      };
    };
  };
  exportAttestation: {
    parameters: {
      query?: {
        /** @description Show the receipt of each entry beside it; default false */
        receipts?: boolean;
      };
      path: {
        /** @description Id of the record */
        recordId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The structures */
      200: {
        content: {
          "application/cose-sequence": string;
        };
      };
    };
  };
  exportBundle: {
    parameters: {
      path: {
        /** @description Id of the record */
        recordId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The bundle */
      200: {
        content: {
          "application/vnd.dev.sigstore.bundle.v0.3+json": {
            /** @constant */
            mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json";
            verificationMaterial: {
              publicKey: {
                /** @description The keyId */
                hint: string;
              };
              tlogEntries: unknown[];
            };
            dsseEnvelope: {
              payload: components["schemas"]["Base64"];
              payloadType: string;
              signatures: {
                sig: components["schemas"]["Base64"];
                keyid: string;
              }[];
            };
          };
          "application/json": {
            /** @constant */
            mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json";
            verificationMaterial: {
              publicKey: {
                /** @description The keyId */
                hint: string;
              };
              tlogEntries: unknown[];
            };
            dsseEnvelope: {
              payload: components["schemas"]["Base64"];
              payloadType: string;
              signatures: {
                sig: components["schemas"]["Base64"];
                keyid: string;
              }[];
            };
          };
        };
      };
    };
  };
  listCheckpoints: {
    parameters: {
      query?: {
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of checkpoints */
      200: {
        content: {
          "application/json": {
            data: {
              id: components["schemas"]["Uuid"];
              logIndex: number;
              /** @enum {string} */
              chainKind: "record" | "schema" | "admin";
              chainKey: string;
              position: number;
              headHash: components["schemas"]["Sha256"];
              signingKeyId: string;
              createdAt: components["schemas"]["Timestamp"];
              coseSign1: components["schemas"]["Base64"];
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  submitCompletion: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Its shape is the completionSchema of the type. In an encrypted type a JWE General JSON Serialization object (RFC 7516) */
          evidence: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description The completion */
      201: {
        content: {
          "application/json": components["schemas"]["Completion"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  getCompletion: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
        /** @description Id of the completion */
        completionId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The completion */
      200: {
        content: {
          "application/json": components["schemas"]["Completion"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  renderVerdict: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          verdict: "accept" | "reject";
          completionId: components["schemas"]["Uuid"];
          reason?: string;
          /** @description In the encrypted mode: what the gates gave by the principal's own evaluation. Sealed as claimed by the principal */
          gateResults?: {
            /** @description Id of a gate of the record type */
            gateId: string;
            /** @enum {string} */
            outcome: "pass" | "fail" | "error";
            /** @description Stored and sealed in the clear */
            detail?: string | null;
          }[];
        };
      };
    };
    responses: {
      /** @description The record, decided */
      200: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  getGateStatus: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description Both phases of the latest completion */
      200: {
        content: {
          "application/json": components["schemas"]["GateStatus"];
        };
      };
    };
  };
  addReference: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What it is, in words of your own: invoice, ticket, artifact */
          kind: string;
          /** @description Absolute (RFC 3986), of any scheme but javascript, vbscript, about, view-source and blob; it is neither fetched nor checked */
          uri: string;
          digest?: components["schemas"]["ReferenceDigest"] | null;
          label?: string | null;
        };
      };
    };
    responses: {
      /** @description The reference that was there; nothing was written */
      200: {
        content: {
          "application/json": components["schemas"]["RecordReference"];
        };
      };
      /** @description The reference, sealed */
      201: {
        content: {
          "application/json": components["schemas"]["RecordReference"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  transitionRecord: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
          * @description An action of the lifecycle; a refusal lists allowedActions
          * @example accept
          * @example accept-counter
          * @example activate
          * @example propose
          * @example evaluate
          * @example verify-cascade
          * @example counter-propose
          * @example revision
          * @example reject
          * @example cancel
          */
          action: string;
          reason?: string;
          /** @description Cancel the open delegated records too */
          cascade?: boolean;
          /** @description What the caller believes to accept; refused where it differs from what is on the table */
          criteriaHash?: string;
          performerAgentId?: components["schemas"]["Uuid"];
          /** @description Of the same shape as those of the record */
          criteria?: {
            [key: string]: unknown;
          };
          /** @description Shown with a proposal */
          message?: string;
        };
      };
    };
    responses: {
      /** @description The record after the action */
      200: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  acceptProposal: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description What the caller believes to accept; refused where it differs from what is on the table */
          criteriaHash?: string;
        };
      };
    };
    responses: {
      /** @description The record after the action */
      200: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  acceptCounterProposal: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description What the caller believes to accept; refused where it differs from what is on the table */
          criteriaHash?: string;
        };
      };
    };
    responses: {
      /** @description The record after the action */
      200: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  counterPropose: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Of the same shape as those of the record */
          criteria: {
            [key: string]: unknown;
          };
          /** @description Shown with a proposal */
          message?: string;
        };
      };
    };
    responses: {
      /** @description The record after the action */
      200: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  rejectProposal: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The record after the action */
      200: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  cancelRecord: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          reason?: string;
          /** @description Cancel the open delegated records too */
          cascade?: boolean;
        };
      };
    };
    responses: {
      /** @description The record after the action */
      200: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  requestRevision: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The record after the action */
      200: {
        content: {
          "application/json": components["schemas"]["NotaryRecord"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  getRecordDispute: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The dispute */
      200: {
        content: {
          "application/json": components["schemas"]["Dispute"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  openDispute: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description In a word of your own; default "OTHER" */
          grounds?: string;
          /** @description What is wrong with the outcome; in the clear, also in an encrypted type */
          statement?: string;
          /** @description Any JSON object; in an encrypted type a JWE General JSON Serialization object (RFC 7516) */
          evidence?: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description The dispute, open and sealed */
      201: {
        content: {
          "application/json": components["schemas"]["Dispute"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  submitDisputeEvidence: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Any JSON object; in an encrypted type a JWE General JSON Serialization object (RFC 7516) */
          evidence: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description The dispute after the call */
      200: {
        content: {
          "application/json": components["schemas"]["Dispute"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  escalateDispute: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          reason?: string | null;
        };
      };
    };
    responses: {
      /** @description The dispute after the call */
      200: {
        content: {
          "application/json": components["schemas"]["Dispute"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  resolveDispute: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
          * @description Whether the outcome of the record stands
          * @enum {string}
          */
          outcome: "UPHELD" | "OVERTURNED";
          /** @description Why; sealed in the clear */
          resolution: string;
        };
      };
    };
    responses: {
      /** @description The dispute after the call */
      200: {
        content: {
          "application/json": components["schemas"]["Dispute"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  withdrawDispute: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": Record<string, never>;
      };
    };
    responses: {
      /** @description The dispute after the call */
      200: {
        content: {
          "application/json": components["schemas"]["Dispute"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  listDisputes: {
    parameters: {
      query?: {
        /** @description Open disputes alone, or those that are over */
        status?: "open" | "ended";
        /** @description In this phase */
        phase?: "EVIDENCE_WINDOW" | "TIER_2_REVIEW" | "TIER_3_ARBITRATION" | "RESOLVED" | "WITHDRAWN";
        /** @description That have reached this tier */
        tier?: number;
        /** @description Of this record */
        recordId?: string;
        /** @description Only what an admin of this org would list, which is what one of its agents is a party to; for platform keys, or the own org */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of disputes; total is exact up to 10,000 */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["ListedDispute"][];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  getDispute: {
    parameters: {
      path: {
        /** @description Id of the dispute */
        disputeId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The dispute */
      200: {
        content: {
          "application/json": components["schemas"]["Dispute"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description Of this type */
        type?: "record.recorded" | "record.created" | "record.proposed" | "record.proposal_accepted" | "record.proposal_rejected" | "record.completion_submitted" | "record.fulfilled" | "record.failed" | "record.revision_requested" | "record.delegated" | "record.cancelled" | "record.expired" | "cascading.verification.complete" | "dispute.opened" | "dispute.resolved" | "dispute.withdrawn" | "record.reference_added" | "signal.emitted" | "signal.received" | "federation.record.state_changed" | "federation.settlement.signal" | "record.federation_fulfilled" | "agent.reference_added" | "key.minted" | "key.rotated" | "key.revoked" | "key.enabled" | "key.used" | "agent.created" | "agent.deactivated" | "agent.reactivated" | "agent.capabilities_changed" | "agent.encryption_key_changed" | "agent.signing_key_added" | "agent.signing_key_revoked" | "issuer.created" | "issuer.updated" | "issuer.deleted" | "cert.issued" | "cert.revoked" | "schema.registered" | "schema.status_changed" | "schema.deleted" | "schema.imported" | "peer.registered" | "peer.approved" | "peer.updated" | "peer.suspended" | "peer.resumed" | "peer.revoked" | "peer.key_changed" | "peer.message_refused" | "witness.added" | "witness.removed" | "admin.org_created" | "admin.org_updated" | "admin.org_bootstrapped" | "admin.rate_limit_exempted" | "admin.rate_limit_restored" | "auth.refused" | "provisioning.reconciled" | "vault.key_rotated" | "vault.rewind_detected" | "vault.rewind_acknowledged" | "vault.scan_completed" | "vault.tamper_detected" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.circuit_opened" | "webhook.circuit_closed" | "compliance.exported";
        /** @description About this record */
        recordId?: string;
        /** @description Of this agent: the one it is about (agent.*, key.*, cert.*), else who acted */
        agentId?: string;
        /** @description Created then or later */
        since?: string;
        /** @description Created before then */
        until?: string;
        /** @description By number: the newest first, or the oldest; default "desc" */
        order?: "desc" | "asc";
        /** @description What an admin of this org gets; for platform keys */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of events; total is exact up to 10,000 */
      200: {
        content: {
          "application/json": {
            data: {
              /**
              * Format: uuid
              * @description Of the event, and of each of its deliveries
              */
              id: string;
              /** @description Its number: 1, 2, 3 … over all orgs, of one record in the order of its chain */
              sequence: number;
              type: string;
              /**
              * Format: uuid
              * @description null for events of the platform alone
              */
              orgId: string | null;
              recordId: components["schemas"]["Uuid"] | null;
              recordType: string | null;
              /**
              * Format: uuid
              * @description Whom it is about (agent.*, key.*, cert.*), else who acted
              */
              agentId: string | null;
              /** @description What its type holds; never criteria, evidence or a secret */
              data: {
                /** @description The request, or the job, that caused it */
                requestId: string;
              } & {
                [key: string]: unknown;
              };
              createdAt: components["schemas"]["Timestamp"];
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /** @description false: those that are inactive or deleted; default true */
        isActive?: boolean;
        /** @description Of this org; for platform keys */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of webhooks */
      200: {
        content: {
          "application/json": {
            data: {
              id: components["schemas"]["Uuid"];
              url: string;
              eventTypes: string[];
              recordTypes: string[];
              /** @enum {string} */
              format: "standard" | "cloudevents";
              /** @enum {string} */
              signingAlg: "hmac" | "ed25519" | "ecdsa-p256-sha256";
              /** @description The previous secret signs as well */
              secretGraceActive: boolean;
              secretGraceExpiresAt: components["schemas"]["Timestamp"] | null;
              isActive: boolean;
              isPaused: boolean;
              /** @enum {string} */
              circuitState: "closed" | "open" | "half_open";
              consecutiveFailures: number;
              lastSuccessfulAt: components["schemas"]["Timestamp"] | null;
              createdAt: components["schemas"]["Timestamp"];
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: {
        /** @description The org that it belongs to; a platform key must name one */
        orgId?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Where events are sent to: HTTPS, at a public address */
          url: string;
          /** @description Names of event types, or * for all */
          eventTypes: string[];
          /** @description Names of record types, or * for all. An event of a record of another type is never delivered; events without a record are */
          recordTypes?: string[];
          /**
          * @description cloudevents: the standard envelope as the data of a CloudEvent 1.0
          * @enum {string}
          */
          format?: "standard" | "cloudevents";
          /**
          * @description hmac: by a secret that receiver and service share; the others: RFC 9421, by the signing key of the vault, which must be of that algorithm. Without it: the latter where eventTypes names a settlement event, else hmac
          * @enum {string}
          */
          signingAlg?: "hmac" | "ed25519" | "ecdsa-p256-sha256";
        };
      };
    };
    responses: {
      /** @description The webhook, with its secret */
      201: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            url: string;
            eventTypes: string[];
            recordTypes: string[];
            /** @enum {string} */
            format: "standard" | "cloudevents";
            /** @enum {string} */
            signingAlg: "hmac" | "ed25519" | "ecdsa-p256-sha256";
            /** @description The previous secret signs as well */
            secretGraceActive: boolean;
            secretGraceExpiresAt: components["schemas"]["Timestamp"] | null;
            isActive: boolean;
            isPaused: boolean;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            consecutiveFailures: number;
            lastSuccessfulAt: components["schemas"]["Timestamp"] | null;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Shown once; null of the asymmetric schemes, and in a replay */
            secret: string | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The webhook */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            url: string;
            eventTypes: string[];
            recordTypes: string[];
            /** @enum {string} */
            format: "standard" | "cloudevents";
            /** @enum {string} */
            signingAlg: "hmac" | "ed25519" | "ecdsa-p256-sha256";
            /** @description The previous secret signs as well */
            secretGraceActive: boolean;
            secretGraceExpiresAt: components["schemas"]["Timestamp"] | null;
            isActive: boolean;
            isPaused: boolean;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            consecutiveFailures: number;
            lastSuccessfulAt: components["schemas"]["Timestamp"] | null;
            createdAt: components["schemas"]["Timestamp"];
            /** @enum {string} */
            ownerType: "agent" | "org";
            ownerId: components["schemas"]["Uuid"];
            /** @enum {string|null} */
            managedBy: "provisioning" | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description Deleted */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            /** @constant */
            deleted: true;
            /** @description What the DLQ of the webhook holds; what the webhook had not read yet follows */
            deadLetters: number;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  updateWebhook: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Where events are sent to: HTTPS, at a public address */
          url?: string;
          /** @description Names of event types, or * for all */
          eventTypes?: string[];
          /** @description Names of record types, or * for all. An event of a record of another type is never delivered; events without a record are */
          recordTypes?: string[];
          /**
          * @description cloudevents: the standard envelope as the data of a CloudEvent 1.0
          * @enum {string}
          */
          format?: "standard" | "cloudevents";
          /** @description true arms it again, and closes its circuit */
          isActive?: boolean;
          /**
          * @description Fixed at creation: it is refused
          * @enum {string}
          */
          signingAlg?: "hmac" | "ed25519" | "ecdsa-p256-sha256";
        };
      };
    };
    responses: {
      /** @description The webhook */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            url: string;
            eventTypes: string[];
            recordTypes: string[];
            /** @enum {string} */
            format: "standard" | "cloudevents";
            /** @enum {string} */
            signingAlg: "hmac" | "ed25519" | "ecdsa-p256-sha256";
            /** @description The previous secret signs as well */
            secretGraceActive: boolean;
            secretGraceExpiresAt: components["schemas"]["Timestamp"] | null;
            isActive: boolean;
            isPaused: boolean;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            consecutiveFailures: number;
            lastSuccessfulAt: components["schemas"]["Timestamp"] | null;
            createdAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  pingWebhook: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": Record<string, never>;
      };
    };
    responses: {
      /** @description The delivery */
      200: {
        content: {
          "application/json": {
            /**
            * Format: uuid
            * @description As in X-Service-Delivery: of this attempt
            */
            id: string;
            eventId: components["schemas"]["Uuid"];
            eventType: string;
            /** @description 0 of a ping */
            eventSequence: number;
            /** @enum {string} */
            status: "PENDING" | "DELIVERED" | "FAILED" | "DEAD_LETTER";
            /** @description Why it is no success, where the answer does not say it */
            reason: string | null;
            attemptNumber: number;
            /** @description Null where there was no answer */
            responseStatus: number | null;
            /** @description Its first 2 KiB; null of private receivers */
            responseBody: string | null;
            signature: string | null;
            /** @description The exact bytes that were signed */
            requestBody: string | null;
            nextRetryAt: components["schemas"]["Timestamp"] | null;
            createdAt: components["schemas"]["Timestamp"];
            deliveredAt: components["schemas"]["Timestamp"] | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description For so long both secrets sign; 0 ends a leaked one at once; default 86400 */
          gracePeriodSeconds?: number;
        };
      };
    };
    responses: {
      /** @description The webhook, with its new secret */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            url: string;
            eventTypes: string[];
            recordTypes: string[];
            /** @enum {string} */
            format: "standard" | "cloudevents";
            /** @enum {string} */
            signingAlg: "hmac" | "ed25519" | "ecdsa-p256-sha256";
            /** @description The previous secret signs as well */
            secretGraceActive: boolean;
            secretGraceExpiresAt: components["schemas"]["Timestamp"] | null;
            isActive: boolean;
            isPaused: boolean;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            consecutiveFailures: number;
            lastSuccessfulAt: components["schemas"]["Timestamp"] | null;
            createdAt: components["schemas"]["Timestamp"];
            /** @description Shown once; null of the asymmetric schemes, and in a replay */
            secret: string | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  pauseWebhook: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": Record<string, never>;
      };
    };
    responses: {
      /** @description The webhook */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            url: string;
            eventTypes: string[];
            recordTypes: string[];
            /** @enum {string} */
            format: "standard" | "cloudevents";
            /** @enum {string} */
            signingAlg: "hmac" | "ed25519" | "ecdsa-p256-sha256";
            /** @description The previous secret signs as well */
            secretGraceActive: boolean;
            secretGraceExpiresAt: components["schemas"]["Timestamp"] | null;
            isActive: boolean;
            isPaused: boolean;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            consecutiveFailures: number;
            lastSuccessfulAt: components["schemas"]["Timestamp"] | null;
            createdAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  resumeWebhook: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": Record<string, never>;
      };
    };
    responses: {
      /** @description The webhook */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            url: string;
            eventTypes: string[];
            recordTypes: string[];
            /** @enum {string} */
            format: "standard" | "cloudevents";
            /** @enum {string} */
            signingAlg: "hmac" | "ed25519" | "ecdsa-p256-sha256";
            /** @description The previous secret signs as well */
            secretGraceActive: boolean;
            secretGraceExpiresAt: components["schemas"]["Timestamp"] | null;
            isActive: boolean;
            isPaused: boolean;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            consecutiveFailures: number;
            lastSuccessfulAt: components["schemas"]["Timestamp"] | null;
            createdAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description The newest so many; default 50 */
        limit?: number;
      };
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The deliveries, newest first */
      200: {
        content: {
          "application/json": {
            data: {
              /**
              * Format: uuid
              * @description As in X-Service-Delivery: of this attempt
              */
              id: string;
              eventId: components["schemas"]["Uuid"];
              eventType: string;
              /** @description 0 of a ping */
              eventSequence: number;
              /** @enum {string} */
              status: "PENDING" | "DELIVERED" | "FAILED" | "DEAD_LETTER";
              /** @description Why it is no success, where the answer does not say it */
              reason: string | null;
              attemptNumber: number;
              /** @description Null where there was no answer */
              responseStatus: number | null;
              /** @description Its first 2 KiB; null of private receivers */
              responseBody: string | null;
              signature: string | null;
              /** @description The exact bytes that were signed */
              requestBody: string | null;
              nextRetryAt: components["schemas"]["Timestamp"] | null;
              createdAt: components["schemas"]["Timestamp"];
              deliveredAt: components["schemas"]["Timestamp"] | null;
            }[];
          };
        };
      };
    };
  };
  listWebhookDeadLetters: {
    parameters: {
      query?: {
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description A page of the DLQ */
      200: {
        content: {
          "application/json": {
            data: {
              id: components["schemas"]["Uuid"];
              subscriptionId: components["schemas"]["Uuid"];
              eventId: components["schemas"]["Uuid"];
              eventType: string;
              event: {
                /**
                * Format: uuid
                * @description Of the event, and of each of its deliveries
                */
                id: string;
                /** @description Its number: 1, 2, 3 … over all orgs, of one record in the order of its chain */
                sequence: number;
                type: string;
                /**
                * Format: uuid
                * @description null for events of the platform alone
                */
                orgId: string | null;
                recordId: components["schemas"]["Uuid"] | null;
                recordType: string | null;
                /**
                * Format: uuid
                * @description Whom it is about (agent.*, key.*, cert.*), else who acted
                */
                agentId: string | null;
                /** @description What its type holds; never criteria, evidence or a secret */
                data: {
                  /** @description The request, or the job, that caused it */
                  requestId: string;
                } & {
                  [key: string]: unknown;
                };
                createdAt: components["schemas"]["Timestamp"];
              } | null;
              reason: string;
              attempts: number;
              lastStatus: number | null;
              createdAt: components["schemas"]["Timestamp"];
              expiresAt: components["schemas"]["Timestamp"];
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  retryAllWebhookDeadLetters: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": Record<string, never>;
      };
    };
    responses: {
      /** @description How many */
      200: {
        content: {
          "application/json": {
            retried: number;
            skippedInactive: number;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  retryWebhookDeadLetter: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
        /** @description Id of the entry of the DLQ */
        dlqId: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": Record<string, never>;
      };
    };
    responses: {
      /** @description The new delivery */
      200: {
        content: {
          "application/json": {
            /**
            * Format: uuid
            * @description As in X-Service-Delivery: of this attempt
            */
            id: string;
            eventId: components["schemas"]["Uuid"];
            eventType: string;
            /** @description 0 of a ping */
            eventSequence: number;
            /** @enum {string} */
            status: "PENDING" | "DELIVERED" | "FAILED" | "DEAD_LETTER";
            /** @description Why it is no success, where the answer does not say it */
            reason: string | null;
            attemptNumber: number;
            /** @description Null where there was no answer */
            responseStatus: number | null;
            /** @description Its first 2 KiB; null of private receivers */
            responseBody: string | null;
            signature: string | null;
            /** @description The exact bytes that were signed */
            requestBody: string | null;
            nextRetryAt: components["schemas"]["Timestamp"] | null;
            createdAt: components["schemas"]["Timestamp"];
            deliveredAt: components["schemas"]["Timestamp"] | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  discardWebhookDeadLetter: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
        /** @description Id of the entry of the DLQ */
        dlqId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description Discarded */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            /** @constant */
            deleted: true;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  getWebhooksHealth: {
    parameters: {
      query?: {
        /** @description Of this org; for platform keys */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of webhooks */
      200: {
        content: {
          "application/json": {
            data: {
              id: components["schemas"]["Uuid"];
              url: string;
              eventTypes: string[];
              recordTypes: string[];
              /** @enum {string} */
              format: "standard" | "cloudevents";
              /** @enum {string} */
              signingAlg: "hmac" | "ed25519" | "ecdsa-p256-sha256";
              /** @description The previous secret signs as well */
              secretGraceActive: boolean;
              secretGraceExpiresAt: components["schemas"]["Timestamp"] | null;
              isActive: boolean;
              isPaused: boolean;
              /** @enum {string} */
              circuitState: "closed" | "open" | "half_open";
              consecutiveFailures: number;
              lastSuccessfulAt: components["schemas"]["Timestamp"] | null;
              createdAt: components["schemas"]["Timestamp"];
              /** @enum {string} */
              ownerType: "agent" | "org";
              ownerId: components["schemas"]["Uuid"];
              /** @enum {string|null} */
              managedBy: "provisioning" | null;
              orgId: components["schemas"]["Uuid"];
              deadLetters: number;
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  setWebhookCircuit: {
    parameters: {
      path: {
        /** @description Id of the webhook */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
          * @description open: nothing is sent until it is closed here again; closed: the count of failures is 0
          * @enum {string}
          */
          state: "closed" | "open";
        };
      };
    };
    responses: {
      /** @description The webhook */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            url: string;
            eventTypes: string[];
            recordTypes: string[];
            /** @enum {string} */
            format: "standard" | "cloudevents";
            /** @enum {string} */
            signingAlg: "hmac" | "ed25519" | "ecdsa-p256-sha256";
            /** @description The previous secret signs as well */
            secretGraceActive: boolean;
            secretGraceExpiresAt: components["schemas"]["Timestamp"] | null;
            isActive: boolean;
            isPaused: boolean;
            /** @enum {string} */
            circuitState: "closed" | "open" | "half_open";
            consecutiveFailures: number;
            lastSuccessfulAt: components["schemas"]["Timestamp"] | null;
            createdAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listAllWebhookDeadLetters: {
    parameters: {
      query?: {
        /** @description Of this org */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of the DLQ */
      200: {
        content: {
          "application/json": {
            data: {
              id: components["schemas"]["Uuid"];
              subscriptionId: components["schemas"]["Uuid"];
              eventId: components["schemas"]["Uuid"];
              eventType: string;
              event: {
                /**
                * Format: uuid
                * @description Of the event, and of each of its deliveries
                */
                id: string;
                /** @description Its number: 1, 2, 3 … over all orgs, of one record in the order of its chain */
                sequence: number;
                type: string;
                /**
                * Format: uuid
                * @description null for events of the platform alone
                */
                orgId: string | null;
                recordId: components["schemas"]["Uuid"] | null;
                recordType: string | null;
                /**
                * Format: uuid
                * @description Whom it is about (agent.*, key.*, cert.*), else who acted
                */
                agentId: string | null;
                /** @description What its type holds; never criteria, evidence or a secret */
                data: {
                  /** @description The request, or the job, that caused it */
                  requestId: string;
                } & {
                  [key: string]: unknown;
                };
                createdAt: components["schemas"]["Timestamp"];
              } | null;
              reason: string;
              attempts: number;
              lastStatus: number | null;
              createdAt: components["schemas"]["Timestamp"];
              expiresAt: components["schemas"]["Timestamp"];
              orgId: components["schemas"]["Uuid"];
              subscriptionActive: boolean;
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  discardAnyWebhookDeadLetter: {
    parameters: {
      path: {
        /** @description Id of the entry of the DLQ */
        dlqId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description Discarded */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            /** @constant */
            deleted: true;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  streamSiem: {
    parameters: {
      query?: {
        /** @description Begins a walk: none that happened since is missed, and a few older ones may come */
        since?: string;
        /** @description Continues a walk: X-Service-Stream-Cursor of its last answer, as it came */
        cursor?: string;
        /** @description Most lines; default 100 */
        limit?: number;
        /** @description OCSF 1.4.0, or type, payload, timestamp and id; default "ocsf" */
        format?: "ocsf" | "raw";
      };
    };
    responses: {
      /** @description A line an event, by ascending number */
      200: {
        content: {
          "application/x-ndjson": string;
        };
      };
    };
  };
  listComplianceExports: {
    parameters: {
      query?: {
        /** @description Only what an admin of this org would list, which is what one of its agents is a party to; for platform keys, or the own org */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of exports */
      200: {
        content: {
          "application/json": {
            data: {
              id: components["schemas"]["Uuid"];
              orgId: components["schemas"]["Uuid"];
              /** @enum {string} */
              state: "created" | "completed" | "failed";
              /** @enum {string} */
              format: "ndjson" | "json" | "csv";
              from: components["schemas"]["Timestamp"];
              to: components["schemas"]["Timestamp"];
              type: string | null;
              status: components["schemas"]["RecordStatus"] | null;
              /** @description Records that the filters meet; null until completed */
              total_records: number | null;
              /** @description The newest of them */
              exported_records: number | null;
              /** @description Of the newest, those that somebody edited in the database: they are left out */
              omitted_records: number | null;
              /** @description The first of these, and what is wrong with each */
              omissions: {
                recordId: components["schemas"]["Uuid"];
                reason: string;
              }[] | null;
              /** @description Whether the filters meet more than one export takes */
              truncated: boolean | null;
              /** @description Of the file, as EXPORT_TAKEN seals it */
              sha256: string | null;
              /** @description Why it failed */
              reason: string | null;
              createdAt: components["schemas"]["Timestamp"];
              expiresAt: components["schemas"]["Timestamp"];
              /** @description Path of the file; null until completed */
              downloadUrl: string | null;
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  createComplianceExport: {
    parameters: {
      query?: {
        /** @description For platform keys: the org that it is of */
        orgId?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /**
          * Format: date-time
          * @description Records created then or later
          */
          from: string;
          /**
          * Format: date-time
          * @description Records created before then
          */
          to: string;
          /** @description Of this type */
          type?: string;
          status?: components["schemas"]["RecordStatus"];
          /**
          * @description The form of the file; default "ndjson"
          * @enum {string}
          */
          format?: "ndjson" | "json" | "csv";
        };
      };
    };
    responses: {
      /** @description The export was asked for */
      201: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            orgId: components["schemas"]["Uuid"];
            /** @enum {string} */
            state: "created" | "completed" | "failed";
            /** @enum {string} */
            format: "ndjson" | "json" | "csv";
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            type: string | null;
            status: components["schemas"]["RecordStatus"] | null;
            /** @description Records that the filters meet; null until completed */
            total_records: number | null;
            /** @description The newest of them */
            exported_records: number | null;
            /** @description Of the newest, those that somebody edited in the database: they are left out */
            omitted_records: number | null;
            /** @description The first of these, and what is wrong with each */
            omissions: {
              recordId: components["schemas"]["Uuid"];
              reason: string;
            }[] | null;
            /** @description Whether the filters meet more than one export takes */
            truncated: boolean | null;
            /** @description Of the file, as EXPORT_TAKEN seals it */
            sha256: string | null;
            /** @description Why it failed */
            reason: string | null;
            createdAt: components["schemas"]["Timestamp"];
            expiresAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
            /** @description Path of the file; null until completed */
            downloadUrl: string | null;
          };
        };
      };
    };
  };
  getComplianceExport: {
    parameters: {
      path: {
        /** @description Id of the export */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The export */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            orgId: components["schemas"]["Uuid"];
            /** @enum {string} */
            state: "created" | "completed" | "failed";
            /** @enum {string} */
            format: "ndjson" | "json" | "csv";
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            type: string | null;
            status: components["schemas"]["RecordStatus"] | null;
            /** @description Records that the filters meet; null until completed */
            total_records: number | null;
            /** @description The newest of them */
            exported_records: number | null;
            /** @description Of the newest, those that somebody edited in the database: they are left out */
            omitted_records: number | null;
            /** @description The first of these, and what is wrong with each */
            omissions: {
              recordId: components["schemas"]["Uuid"];
              reason: string;
            }[] | null;
            /** @description Whether the filters meet more than one export takes */
            truncated: boolean | null;
            /** @description Of the file, as EXPORT_TAKEN seals it */
            sha256: string | null;
            /** @description Why it failed */
            reason: string | null;
            createdAt: components["schemas"]["Timestamp"];
            expiresAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
            /** @description Path of the file; null until completed */
            downloadUrl: string | null;
          };
        };
      };
    };
  };
  downloadComplianceExport: {
    parameters: {
      path: {
        /** @description Id of the export */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The file */
      200: {
        content: {
          "application/x-ndjson": string;
          "application/json": string;
          "text/csv": string;
        };
      };
    };
  };
  readDelegationChain: {
    parameters: {
      path: {
        /** @description Id of the record */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The tree */
      200: {
        content: {
          "application/json": components["schemas"]["DelegationTree"];
        };
      };
    };
  };
  registerStatement: {
    requestBody: {
      content: {
        "application/cose": string;
        "application/scitt-statement+cose": string;
      };
    };
    responses: {
      /** @description It was registered before; a receipt of now */
      200: {
        content: {
          "application/cose": string;
          "application/scitt-receipt+cose": string;
        };
      };
      /** @description It is registered; the receipt shows its place in the log */
      201: {
        content: {
          "application/cose": string;
          "application/scitt-receipt+cose": string;
        };
      };
    };
  };
  getStatement: {
    parameters: {
      path: {
        /** @description The hash of its leaf, lowercase hex */
        entryId: string;
      };
    };
    responses: {
      /** @description The statement with a receipt of now */
      200: {
        content: {
          "application/cose": string;
          "application/scitt-statement+cose": string;
          "application/scitt-receipt+cose": string;
        };
      };
    };
  };
  getLogHead: {
    responses: {
      /** @description The head */
      200: {
        content: {
          "application/json": {
            /** @description scitt:<orgId> */
            logId: string;
            treeSize: number;
            rootHex: components["schemas"]["Sha256"];
            /** @description Seconds since 1970, as signed */
            iat: number;
            /** @description The keyId of the key that signed it */
            kid: string;
            /** @description The newest checkpoint of the schema chain of the org, which states size and root */
            coseSign1: string;
          };
        };
      };
    };
  };
  getConsistency: {
    parameters: {
      query: {
        /** @description The older size */
        from: number;
        /** @description The newer size; the present one by default */
        to?: number;
      };
    };
    responses: {
      /** @description Both roots and the path */
      200: {
        content: {
          "application/json": {
            /** @description scitt:<orgId> */
            logId: string;
            from: number;
            to: number;
            fromRoot: components["schemas"]["Sha256"];
            toRoot: components["schemas"]["Sha256"];
            /** @description RFC 9162 section 2.1.4 */
            path: components["schemas"]["Sha256"][];
          };
        };
      };
    };
  };
  listSchemas: {
    parameters: {
      query?: {
        /** @description Of this name */
        type?: string;
        /** @description Of this publisher */
        publisher?: string;
        /** @description Of this status */
        status?: "active" | "disabled";
        /** @description The org, where the credential belongs to none */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of record types */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["RecordType"][];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  registerSchema: {
    parameters: {
      query?: {
        /** @description The org that the type is for; a platform key must name it */
        orgId?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RecordTypeManifest"];
      };
    };
    responses: {
      /** @description This very manifest was registered before */
      200: {
        content: {
          "application/json": components["schemas"]["RecordType"] & components["schemas"]["Sealed"];
        };
      };
      /** @description Registered, and sealed on the schema chain of the org */
      201: {
        content: {
          "application/json": components["schemas"]["RecordType"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  getSchema: {
    parameters: {
      query?: {
        /** @description Default: the newest active one */
        version?: number;
        /** @description Needed where several publishers offer the type */
        publisher?: string;
        /** @description The org, where the credential belongs to none */
        orgId?: string;
      };
      path: {
        /** @description Name of the record type */
        type: string;
      };
    };
    responses: {
      /** @description The record type */
      200: {
        content: {
          "application/json": components["schemas"]["RecordType"] & components["schemas"]["Sealed"];
        };
      };
    };
  };
  deleteSchema: {
    parameters: {
      query?: {
        /** @description Needed where several publishers offer the type */
        publisher?: string;
        /** @description Default: every version */
        version?: number;
        /** @description The org, where the credential belongs to none */
        orgId?: string;
      };
      path: {
        /** @description Name of the record type */
        type: string;
      };
    };
    responses: {
      /** @description Gone */
      200: {
        content: {
          "application/json": {
            /** @description Name of the record type */
            id: string;
            /** @constant */
            deleted: true;
            publisher: string;
            versions: {
              version: number;
              signedStatement: components["schemas"]["SignedStatement"];
            }[];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  updateSchema: {
    parameters: {
      query?: {
        /** @description Needed where several publishers offer the type */
        publisher?: string;
        /** @description Default: every version */
        version?: number;
        /** @description The org, where the credential belongs to none */
        orgId?: string;
      };
      path: {
        /** @description Name of the record type */
        type: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          status: "active" | "disabled";
        };
      };
    };
    responses: {
      /** @description The newest of the versions that were meant, and what became of each */
      200: {
        content: {
          "application/json": {
            type: string;
            /** @description Default: the slug of the org */
            publisher: string;
            /** @description Default: the newest one and 1 */
            version: number;
            title: string | null;
            description: string | null;
            /** @description JSON Schema 2020-12; default {"type":"object"} */
            criteriaSchema: {
              [key: string]: unknown;
            };
            /** @description JSON Schema 2020-12; {} makes the type notarize-only */
            completionSchema: {
              [key: string]: unknown;
            };
            /**
            * @description Who decides on a completion: the gates (auto), or the principal with their advice; default principal
            * @enum {string}
            */
            gateMode: "auto" | "principal";
            /**
            * @description encrypted: content is JWE, and the service applies neither schemas nor gates; default cleartext
            * @enum {string}
            */
            operatingMode: "cleartext" | "encrypted";
            gates: components["schemas"]["TypeGates"];
            cascade: components["schemas"]["TypeCascade"];
            /**
            * @description What a version must keep of the newest active one; default backward: whatever was valid stays valid
            * @enum {string}
            */
            compatibilityMode: "none" | "backward" | "forward" | "full";
            /** @description Levels below a record of the type; default 5 */
            maxDelegationDepth: number;
            /** @description Of one record, withdrawn ones included; default 1 */
            maxDisputes: number;
            /** @description How often the principal may ask for a better completion; default 3 */
            maxRevisions: number;
            /** @description When a record expires that names no deadline; default never */
            defaultTtlSeconds: number | null;
            /** @description How long a completion may wait for its verdict before the record expires; default 604800 */
            verdictWindowSeconds: number;
            /** @description How long an outcome can be disputed; default 604800 */
            disputeWindowSeconds: number;
            /** @description How long the first tier of a dispute lasts; default 259200 */
            evidenceWindowSeconds: number;
            /** @description Lets anyone read both schemas, without a credential; default false */
            public: boolean;
            exampleCriteria: components["schemas"]["JsonObject"] | null;
            exampleEvidence: components["schemas"]["JsonObject"] | null;
            manifestDigest: components["schemas"]["Sha256"];
            /** @enum {string} */
            status: "active" | "disabled";
            orgId: components["schemas"]["Uuid"];
            registeredBy: components["schemas"]["Uuid"] | null;
            registeredAt: components["schemas"]["Timestamp"];
            /** @enum {string|null} */
            managedBy: "provisioning" | null;
            schemaUrls: {
              /** @description Path of this version */
              manifest: string;
              /** @description Where anyone can read criteriaSchema; of a public type */
              criteria?: string;
              /** @description Where anyone can read completionSchema; of a public type */
              completion?: string;
            };
            signedStatement: components["schemas"]["SignedStatement"] | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
            /** @description Newest first; signedStatement is null where nothing changed */
            versions: {
              version: number;
              /** @enum {string} */
              status: "active" | "disabled";
              signedStatement: components["schemas"]["SignedStatement"] | null;
            }[];
          };
        };
      };
    };
  };
  listSchemaVersions: {
    parameters: {
      query?: {
        /** @description Of this publisher */
        publisher?: string;
        /** @description The org, where the credential belongs to none */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
      path: {
        /** @description Name of the record type */
        type: string;
      };
    };
    responses: {
      /** @description A page of versions, disabled ones too */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["RecordType"][];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  validateContent: {
    parameters: {
      query?: {
        /** @description Default: the newest active one */
        version?: number;
        /** @description Needed where several publishers offer the type */
        publisher?: string;
        /** @description The org, where the credential belongs to none */
        orgId?: string;
      };
      path: {
        /** @description Name of the record type */
        type: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          criteria?: components["schemas"]["JsonObject"];
          evidence?: components["schemas"]["JsonObject"];
        };
      };
    };
    responses: {
      /** @description What would be said */
      200: {
        content: {
          "application/json": {
            /** @description No part is refused and no blocking gate fails */
            valid: boolean;
            recordType: string;
            publisher: string;
            version: number;
            manifestDigest: components["schemas"]["Sha256"];
            /** @enum {string} */
            status: "active" | "disabled";
            criteria: {
              valid: boolean;
              /** @description What the refusal would say */
              detail?: string;
              errors: {
                path: string;
                keyword: string;
                message: string;
              }[];
              requiredFields?: string[];
              optionalFields?: string[];
              examplePayload?: unknown;
            } | null;
            evidence: {
              valid: boolean;
              /** @description What the refusal would say */
              detail?: string;
              errors: {
                path: string;
                keyword: string;
                message: string;
              }[];
              requiredFields?: string[];
              optionalFields?: string[];
              examplePayload?: unknown;
            } | null;
            gates: {
              /** @enum {string} */
              state: "PASSED" | "FAILED" | "ADVISORY_PASSED" | "ADVISORY_FAILED" | "SKIPPED";
              now: components["schemas"]["Timestamp"];
              inputsDigest: components["schemas"]["Sha256"];
              results: {
                gateId: string;
                description: string;
                /** @enum {string} */
                outcome: "pass" | "fail" | "error";
                /** @enum {string} */
                severity: "block" | "warn";
                expression: string;
                inputsDigest: components["schemas"]["Sha256"];
                detail: string | null;
              }[];
            } | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  exportSchemas: {
    parameters: {
      query?: {
        /** @description Of this name */
        type?: string;
        /** @description Of this publisher */
        publisher?: string;
        /** @description The org, where the credential belongs to none */
        orgId?: string;
      };
    };
    responses: {
      /** @description The bundle */
      200: {
        content: {
          "application/json": components["schemas"]["SchemaBundle"];
        };
      };
    };
  };
  importSchemas: {
    parameters: {
      query?: {
        /** @description The org that takes them; a platform key must name it */
        orgId?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SchemaBundle"];
      };
    };
    responses: {
      /** @description What was taken */
      200: {
        content: {
          "application/json": {
            created: {
              publisher: string;
              type: string;
              version: number;
              manifestDigest: components["schemas"]["Sha256"];
              /** @enum {string} */
              status: "active" | "disabled";
              signedStatement: components["schemas"]["SignedStatement"];
            }[];
            /** @description Held already; signedStatement is null */
            unchanged: {
              publisher: string;
              type: string;
              version: number;
              manifestDigest: components["schemas"]["Sha256"];
              /** @enum {string} */
              status: "active" | "disabled";
              signedStatement: components["schemas"]["SignedStatement"] | null;
            }[];
            /** @description Always empty in this answer: where one is refused, all are */
            refused: {
              publisher: string;
              type: string;
              version: number;
              manifestDigest: components["schemas"]["Sha256"];
              /** @enum {string} */
              status: "active" | "disabled";
            }[];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  getAgent: {
    parameters: {
      path: {
        /** @description Id of the agent */
        agentId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The agent */
      200: {
        content: {
          "application/json": components["schemas"]["Agent"];
        };
      };
    };
  };
  declareCapabilities: {
    parameters: {
      path: {
        /** @description Id of the agent */
        agentId: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Names of record types; empty: any */
          types: string[];
        };
      };
    };
    responses: {
      /** @description The agent */
      200: {
        content: {
          "application/json": components["schemas"]["ChangedAgent"];
        };
      };
    };
  };
  setEncryptionKey: {
    parameters: {
      path: {
        /** @description Id of the agent */
        agentId: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A public JWK (RFC 7517) on X25519 or P-256. Never the private members: a key with d is refused. */
          publicKeyJwk: {
            [key: string]: unknown;
          };
          /** @description Base64 of the raw signature */
          proofOfPossession?: string;
        };
      };
    };
    responses: {
      /** @description The key, published */
      200: {
        content: {
          "application/json": {
            agentId: components["schemas"]["Uuid"];
            /** @description RFC 7638, base64url */
            thumbprint: string;
            encryptionKeyJwk: components["schemas"]["EncryptionJwk"];
            setAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  addSigningKey: {
    parameters: {
      path: {
        /** @description Id of the agent */
        agentId: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A public JWK (RFC 7517) on Ed25519 or P-256. Never the private members: a key with d is refused. */
          publicKeyJwk?: {
            [key: string]: unknown;
          };
          /** @description Instead of publicKeyJwk: base64 of a COSE_Key in deterministic CBOR */
          coseKey?: string;
          /** @description Base64 of the raw signature */
          proofOfPossession: string;
          /** @description The iss that statements signed with the key may name */
          issuers?: string[];
        };
      };
    };
    responses: {
      /** @description The key, registered */
      201: {
        content: {
          "application/json": {
            agentId: components["schemas"]["Uuid"];
            /** @description RFC 9679 (SHA-256 of the COSE_Key), lowercase hex: its 32 bytes are the kid of a signed statement */
            thumbprint: string;
            /** @enum {string} */
            algorithm: "Ed25519" | "ES256";
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP" | "EC";
              x: string;
              /** @description P-256 alone */
              y?: string;
              /** @enum {string} */
              crv: "Ed25519" | "P-256";
            };
            /** @description The same key as a COSE_Key (RFC 9052) */
            coseKey: string;
            /** @description The iss that statements signed with it may name */
            issuers: string[];
            addedAt: components["schemas"]["Timestamp"];
            revokedAt: components["schemas"]["Timestamp"] | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  revokeSigningKey: {
    parameters: {
      path: {
        /** @description Id of the agent */
        agentId: components["schemas"]["Uuid"];
        /** @description Thumbprint of the key, as its agent shows it */
        thumbprint: components["schemas"]["Sha256"];
      };
    };
    responses: {
      /** @description Revoked */
      200: {
        content: {
          "application/json": {
            /** @description The thumbprint, which names the key */
            id: string;
            thumbprint: components["schemas"]["Sha256"];
            /** @constant */
            deleted: true;
            agentId: components["schemas"]["Uuid"];
            revokedAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  addAgentReference: {
    parameters: {
      path: {
        /** @description Id of the agent */
        agentId: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description What it is, in words of your own: invoice, ticket, artifact */
          kind: string;
          /** @description Absolute (RFC 3986), of any scheme but javascript, vbscript, about, view-source and blob; it is neither fetched nor checked */
          uri: string;
          digest?: components["schemas"]["ReferenceDigest"] | null;
          label?: string | null;
        };
      };
    };
    responses: {
      /** @description The reference that was there; nothing was written */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            agentId: components["schemas"]["Uuid"];
            /** @description What it is, in words of your own: invoice, ticket, artifact */
            kind: string;
            /** @description Absolute (RFC 3986), of any scheme but javascript, vbscript, about, view-source and blob; it is neither fetched nor checked */
            uri: string;
            digest: components["schemas"]["ReferenceDigest"] | null;
            label: string | null;
            addedBy: components["schemas"]["Actor"];
            addedAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
      /** @description The reference, sealed */
      201: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            agentId: components["schemas"]["Uuid"];
            /** @description What it is, in words of your own: invoice, ticket, artifact */
            kind: string;
            /** @description Absolute (RFC 3986), of any scheme but javascript, vbscript, about, view-source and blob; it is neither fetched nor checked */
            uri: string;
            digest: components["schemas"]["ReferenceDigest"] | null;
            label: string | null;
            addedBy: components["schemas"]["Actor"];
            addedAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listDrift: {
    parameters: {
      query?: {
        /** @description Length of each of the two periods, days; default 7 */
        window?: number;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of agents */
      200: {
        content: {
          "application/json": {
            window: {
              days: number;
              currentFrom: components["schemas"]["Timestamp"];
              currentTo: components["schemas"]["Timestamp"];
              baselineFrom: components["schemas"]["Timestamp"];
              baselineTo: components["schemas"]["Timestamp"];
            };
            data: {
              agentId: components["schemas"]["Uuid"];
              displayName: string;
              current: {
                from: components["schemas"]["Timestamp"];
                to: components["schemas"]["Timestamp"];
                records: number;
                completions: number;
                verdicts: number;
                accepted: number;
                rejected: number;
                overturned: number;
                /** @description accepted over all verdicts; null without verdicts */
                acceptanceRate: number | null;
                /** @description From activation to submission; null without submissions */
                medianCompletionMs: number | null;
              };
              baseline: {
                from: components["schemas"]["Timestamp"];
                to: components["schemas"]["Timestamp"];
                records: number;
                completions: number;
                verdicts: number;
                accepted: number;
                rejected: number;
                overturned: number;
                /** @description accepted over all verdicts; null without verdicts */
                acceptanceRate: number | null;
                /** @description From activation to submission; null without submissions */
                medianCompletionMs: number | null;
              };
              /** @description current minus baseline; null where either side is */
              change: {
                records: number;
                completions: number;
                verdicts: number;
                accepted: number;
                rejected: number;
                overturned: number;
                acceptanceRate: number | null;
                medianCompletionMs: number | null;
              };
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  getDrift: {
    parameters: {
      query?: {
        /** @description Length of each of the two periods, days; default 7 */
        window?: number;
        /** @description Narrows byType; overall stays */
        type?: string;
      };
      path: {
        /** @description Id of the agent */
        agentId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description Overall and by type */
      200: {
        content: {
          "application/json": components["schemas"]["AgentDrift"];
        };
      };
    };
  };
  getReputation: {
    parameters: {
      path: {
        /** @description Id of the agent */
        agentId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The reputation */
      200: {
        content: {
          "application/json": components["schemas"]["Reputation"];
        };
      };
    };
  };
  listHistory: {
    parameters: {
      query?: {
        /** @description Of this record type */
        type?: string;
        /** @description With this outcome */
        outcome?: "pending" | "accepted" | "rejected" | "overturned" | "expired" | "cancelled";
        /** @description Created then or later */
        from?: string;
        /** @description Created before then */
        to?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
      path: {
        /** @description Id of the agent */
        agentId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description A page of records */
      200: {
        content: {
          "application/json": {
            data: {
              recordId: components["schemas"]["Uuid"];
              type: string;
              status: components["schemas"]["RecordStatus"];
              /** @enum {string} */
              outcome: "pending" | "accepted" | "rejected" | "overturned" | "expired" | "cancelled";
              completionId: components["schemas"]["Uuid"] | null;
              evidenceHash: components["schemas"]["Sha256"] | null;
              createdAt: components["schemas"]["Timestamp"];
              activatedAt: components["schemas"]["Timestamp"];
              submittedAt: components["schemas"]["Timestamp"] | null;
              /**
              * Format: date-time
              * @description When a verdict or a dispute set the outcome
              */
              decidedAt: string | null;
              /** @description From activation to the latest submission */
              completionMs: number | null;
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  getWhoami: {
    responses: {
      /** @description The caller */
      200: {
        content: {
          "application/json": components["schemas"]["Caller"];
        };
      };
    };
  };
  rotateKey: {
    requestBody?: {
      content: {
        "application/json": {
          gracePeriodSeconds?: number;
        };
      };
    };
    responses: {
      /** @description The new key, once */
      201: {
        content: {
          "application/json": components["schemas"]["RotatedApiKey"];
        };
      };
    };
  };
  listOrgs: {
    parameters: {
      query?: {
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of orgs */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["Org"][];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  createOrg: {
    requestBody: {
      content: {
        "application/json": {
          name: string;
          /** @description Unique, and the default publisher label of the org, such as acme */
          slug?: string;
          /** @description Also create an admin agent and mint its key; default false */
          bootstrapAdmin?: boolean;
          settings?: {
            /**
            * @description How requests under credentials of the org must be signed by the key that the credential is bound to. What an issuer demands counts too: the stricter of the two. body: writes, over the body, which then names its record; request: reads and writes, over the whole request (RFC 9421). A credential that is bound to no key (an API key, an administrator’s token) is then refused with 403, but for what governs the org: its settings, agents, keys and who it is
            * @enum {string}
            */
            requireCoSignature?: "none" | "body" | "request";
          };
        };
      };
    };
    responses: {
      /** @description The org */
      201: {
        content: {
          "application/json": components["schemas"]["CreatedOrg"];
        };
      };
    };
  };
  updateOrg: {
    parameters: {
      path: {
        /** @description Id of the org */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          settings: {
            /**
            * @description How requests under credentials of the org must be signed by the key that the credential is bound to. What an issuer demands counts too: the stricter of the two. body: writes, over the body, which then names its record; request: reads and writes, over the whole request (RFC 9421). A credential that is bound to no key (an API key, an administrator’s token) is then refused with 403, but for what governs the org: its settings, agents, keys and who it is
            * @enum {string}
            */
            requireCoSignature?: "none" | "body" | "request";
          };
        };
      };
    };
    responses: {
      /** @description The org */
      200: {
        content: {
          "application/json": components["schemas"]["ChangedOrg"];
        };
      };
    };
  };
  listAgents: {
    parameters: {
      query?: {
        /** @description Of this org */
        orgId?: string;
        /** @description Of exactly this name */
        name?: string;
        /** @description Deactivated ones alone, or the others */
        deactivated?: boolean;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of agents */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["OwnAgent"][];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  createAgent: {
    requestBody: {
      content: {
        "application/json": {
          name: string;
          orgId: components["schemas"]["Uuid"];
          displayName?: string;
          /** @description Names of record types that the agent performs; empty: any */
          capabilities?: string[];
        };
      };
    };
    responses: {
      /** @description The agent */
      201: {
        content: {
          "application/json": components["schemas"]["ChangedAgent"];
        };
      };
    };
  };
  deactivateAgent: {
    parameters: {
      path: {
        /** @description Id of the agent */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The agent */
      200: {
        content: {
          "application/json": components["schemas"]["ChangedAgent"];
        };
      };
    };
  };
  reactivateAgent: {
    parameters: {
      path: {
        /** @description Id of the agent */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The agent */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            orgId: components["schemas"]["Uuid"];
            name: string;
            displayName: string;
            /** @description Names of record types; empty: any */
            capabilities: string[];
            /** @description Oldest first, revoked ones included */
            signingKeys: components["schemas"]["SigningKey"][];
            encryptionKeyJwk: components["schemas"]["EncryptionJwk"] | null;
            references: components["schemas"]["AgentReference"][];
            deactivatedAt: components["schemas"]["Timestamp"] | null;
            deactivationReason: string | null;
            /** @enum {string|null} */
            managedBy: "provisioning" | null;
            createdAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
            /** @description False: it was active, and nothing changed */
            wasDeactivated: boolean;
          };
        };
      };
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /** @description Of this agent */
        ownerId?: string;
        /** @description Of agents of this org */
        orgId?: string;
        /** @description By the stored flag, which expiry does not change */
        isActive?: boolean;
        /** @description Of this role */
        role?: "agent" | "admin" | "platform";
        /** @description Created before then */
        createdBefore?: string;
        /** @description Last used before then */
        lastUsedBefore?: string;
        /** @description Needs createdBefore. A key that was let in once is not among them, on any node */
        neverUsed?: boolean;
        /** @description Without an end, or with one */
        neverExpires?: boolean;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of keys, without the keys themselves */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["ApiKey"][];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  mintApiKey: {
    requestBody: {
      content: {
        "application/json": {
          role: components["schemas"]["Role"];
          /** @enum {string} */
          ownerType: "agent";
          /**
          * Format: uuid
          * @description An existing agent
          */
          ownerId: string;
          /** @description A profile of GET /v1/scope-profiles; default: the full one of the role */
          scopeProfile?: string;
          /** @description Instead of scopeProfile */
          scopes?: string[];
          label?: string;
          expiresAt?: components["schemas"]["Timestamp"];
          /** @description Instead of expiresAt */
          expiresInSeconds?: number;
          /** @description CIDR ranges */
          allowedIps?: string[];
        };
      };
    };
    responses: {
      /** @description The key, once */
      201: {
        content: {
          "application/json": components["schemas"]["MintedApiKey"];
        };
      };
    };
  };
  updateApiKey: {
    parameters: {
      path: {
        /** @description Id of the API key */
        keyId: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          isActive: boolean;
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The key */
      200: {
        content: {
          "application/json": components["schemas"]["ChangedApiKey"];
        };
      };
    };
  };
  bulkRevokeApiKeys: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Instead of filters */
          keyIds?: components["schemas"]["Uuid"][];
          ownerId?: components["schemas"]["Uuid"];
          role?: components["schemas"]["Role"];
          createdBefore?: components["schemas"]["Timestamp"];
          /**
          * Format: date-time
          * @description Leaves out keys that were never used
          */
          lastUsedBefore?: string;
          /** @description Needs createdBefore. A key that was let in once is not among them, on any node */
          neverUsed?: boolean;
          reason?: string;
        };
      };
    };
    responses: {
      /** @description What was revoked */
      200: {
        content: {
          "application/json": {
            /** @description How many */
            revoked: number;
            /** @description Which */
            keyIds: components["schemas"]["Uuid"][];
            /** @description Of those named */
            alreadyRevoked: components["schemas"]["Uuid"][];
            /** @description Of those named; keys of other orgs among them */
            notFound: components["schemas"]["Uuid"][];
            hint?: string;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listTrustedIssuers: {
    parameters: {
      query?: {
        /** @description Of this org */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of issuers */
      200: {
        content: {
          "application/json": {
            data: components["schemas"]["TrustedIssuer"][];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  createTrustedIssuer: {
    requestBody: {
      content: {
        "application/json": {
          /**
          * Format: uuid
          * @description Whose agents and admins it vouches for; null: the platform’s
          */
          orgId: string | null;
          /** @description Equal to the iss of its tokens, character by character */
          issuerUrl: string;
          /** @description Must be named by the aud of a token */
          expectedAudience: string;
          /**
          * @description agent: tokens are exchanged for certificates; admin: tokens are credentials themselves
          * @enum {string}
          */
          appliesTo?: "agent" | "admin";
          /** @description Null: as the OpenID configuration of the issuer says */
          jwksUri?: string | null;
          /** @description A certificate never outlives the token either */
          maxCredentialTtlSeconds?: number;
          /** @description False stops new exchanges; certificates that were given live on */
          enabled?: boolean;
          /** @description Subjects that are let in. Empty: for admin nobody, for agent every subject that maps to an agent of the org */
          subjectAllowlist?: string[];
          /**
          * @description dpop: an exchange needs a DPoP proof (RFC 9449) by the key that the token is bound to
          * @enum {string}
          */
          requireProof?: "none" | "dpop";
          /**
          * @description How requests under its certificates must be signed by the bound key
          * @enum {string}
          */
          requireCoSignature?: "none" | "body" | "request";
          claimMapping?: {
            scopes?: components["schemas"]["ClaimPlace"];
            agent_id?: components["schemas"]["ClaimPlace"];
            role?: components["schemas"]["ClaimPlace"];
          };
        };
      };
    };
    responses: {
      /** @description The issuer */
      201: {
        content: {
          "application/json": components["schemas"]["ChangedTrustedIssuer"];
        };
      };
    };
  };
  getTrustedIssuer: {
    parameters: {
      path: {
        /** @description Id of the trusted issuer */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The issuer */
      200: {
        content: {
          "application/json": components["schemas"]["TrustedIssuer"];
        };
      };
    };
  };
  deleteTrustedIssuer: {
    parameters: {
      path: {
        /** @description Id of the trusted issuer */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description Forgotten */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            /** @constant */
            deleted: true;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  updateTrustedIssuer: {
    parameters: {
      path: {
        /** @description Id of the trusted issuer */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Must be named by the aud of a token */
          expectedAudience?: string;
          /** @description Null: as the OpenID configuration of the issuer says */
          jwksUri?: string | null;
          /** @description A certificate never outlives the token either */
          maxCredentialTtlSeconds?: number;
          /** @description False stops new exchanges; certificates that were given live on */
          enabled?: boolean;
          /** @description Subjects that are let in. Empty: for admin nobody, for agent every subject that maps to an agent of the org */
          subjectAllowlist?: string[];
          /**
          * @description dpop: an exchange needs a DPoP proof (RFC 9449) by the key that the token is bound to
          * @enum {string}
          */
          requireProof?: "none" | "dpop";
          /**
          * @description How requests under its certificates must be signed by the bound key
          * @enum {string}
          */
          requireCoSignature?: "none" | "body" | "request";
          claimMapping?: {
            scopes?: components["schemas"]["ClaimPlace"];
            agent_id?: components["schemas"]["ClaimPlace"];
            role?: components["schemas"]["ClaimPlace"];
          };
        };
      };
    };
    responses: {
      /** @description The issuer */
      200: {
        content: {
          "application/json": components["schemas"]["ChangedTrustedIssuer"];
        };
      };
    };
  };
  revokeIssuerCerts: {
    parameters: {
      path: {
        /** @description Id of the trusted issuer */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          reason?: string;
        };
      };
    };
    responses: {
      /** @description How many */
      200: {
        content: {
          "application/json": {
            revoked: number;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  revokeCert: {
    parameters: {
      path: {
        /** @description Id of the certificate */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The certificate */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            orgId: components["schemas"]["Uuid"];
            agentId: components["schemas"]["Uuid"];
            oidcIss: string;
            oidcSub: string;
            /** @description RFC 7638, base64url */
            publicKeyThumbprint: string;
            /** @description Exactly what the identity provider asserted */
            scopes: components["schemas"]["Scope"][];
            issuedAt: components["schemas"]["Timestamp"];
            expiresAt: components["schemas"]["Timestamp"];
            revokedAt: components["schemas"]["Timestamp"];
            /** @description It was revoked before this call */
            wasRevoked: boolean;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  exchangeToken: {
    requestBody: {
      content: {
        "application/json": {
          /** @description A signed JWT, at most 16384 characters */
          oidcToken: string;
          /** @description A public JWK: kty OKP, crv Ed25519, x */
          publicKeyJwk: {
            [key: string]: unknown;
          };
          /** @description Base64 of the raw signature */
          proofOfPossession: string;
        };
      };
    };
    responses: {
      /** @description The certificate */
      201: {
        content: {
          "application/json": {
            cert: components["schemas"]["EphemeralCert"];
            /** @description The bearer token, shown here and never again */
            certJws: string;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listVerificationKeys: {
    responses: {
      /** @description Every key, newest activation first */
      200: {
        content: {
          "application/json": components["schemas"]["VerificationKeys"];
        };
      };
    };
  };
  reloadProvisioning: {
    responses: {
      /** @description What was done, by kind */
      200: {
        content: {
          "application/json": {
            /** @description true: nothing was written; it is what would be done */
            dryRun: boolean;
            orgs: {
              created: number;
              updated: number;
              pruned: number;
            };
            agents: {
              created: number;
              updated: number;
              pruned: number;
            };
            schemas: {
              created: number;
              updated: number;
              pruned: number;
            };
            trustedIssuers: {
              created: number;
              updated: number;
              pruned: number;
            };
            webhooks: {
              created: number;
              updated: number;
              pruned: number;
              /** @description Secrets that were made, and the files that each was written to, once */
              generated: {
                webhookId: components["schemas"]["Uuid"];
                file: string;
              }[];
            };
            apiKeys: {
              created: number;
              /** @description Minted before */
              skipped: number;
              pruned: number;
              /** @description Keys that were made, and the files that each was written to, once */
              generated: {
                keyId: components["schemas"]["Uuid"];
                label: string | null;
                file: string;
              }[];
            };
            /** @description At most 1,000 */
            errors: {
              /** @description Below the folder of the files */
              file: string;
              /** @description JSON Pointer into the document; empty: the whole of it */
              pointer: string;
              message: string;
            }[];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  getProvisioningStatus: {
    responses: {
      /** @description The state of provisioning */
      200: {
        content: {
          "application/json": {
            configured: boolean;
            configPath: string | null;
            dryRun: boolean;
            prune: boolean;
            /**
            * Format: date-time
            * @description Of the process that answers, as loadErrors
            */
            lastReloadAt: string | null;
            managed: {
              orgs: number;
              agents: number;
              apiKeys: number;
              schemas: number;
              webhooks: number;
              trustedIssuers: number;
            };
            loadErrors: {
              /** @description Below the folder of the files */
              file: string;
              /** @description JSON Pointer into the document; empty: the whole of it */
              pointer: string;
              message: string;
            }[];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listSigningKeys: {
    responses: {
      /** @description Every key, newest activation first */
      200: {
        content: {
          "application/json": components["schemas"]["VerificationKeys"];
        };
      };
    };
  };
  rotateSigningKey: {
    requestBody?: {
      content: {
        "application/json": {
          /** @description Default "scheduled" */
          reason?: "scheduled" | "compromised";
        };
      };
    };
    responses: {
      /** @description The rotation */
      200: {
        content: {
          "application/json": {
            /** @description The key that was active when the call came */
            previousKeyId: string;
            /** @description The active key */
            newKeyId: string;
            /**
            * @description already_active: another rotation was faster, or the settings name the active key of a device or key service; nothing was left to do
            * @enum {string}
            */
            status: "rotated" | "already_active";
            /** @description How many deliveries can no longer be signed, where the algorithm is another one */
            hint?: string;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listAnchors: {
    parameters: {
      query: {
        /** @description The record, or the zero UUID for the platform chain */
        recordId: string;
      };
    };
    responses: {
      /** @description Objects in the order of positions */
      200: {
        content: {
          "application/json": {
            data: {
              /** @description anchors/<chainKey>/<position, 12 digits>-<first 16 hex of the hash of the object>.cose; the object is the checkpoint */
              key: string;
              lastModified: components["schemas"]["Timestamp"];
              /** @description Bytes */
              size: number;
            }[];
            total: number;
          };
        };
      };
    };
  };
  verifyAnchors: {
    requestBody?: {
      content: {
        "application/json": {
          /**
          * Format: uuid
          * @description The record, or the zero UUID for the platform chain
          */
          recordId?: string;
        };
      };
    };
    responses: {
      /** @description Each anchor that was compared */
      200: {
        content: {
          "application/json": {
            data: {
              /** @description The chain: a record, schema:<orgId>, or the zero UUID of the platform chain */
              recordId: string;
              chainPosition: number;
              match: boolean;
              /** @description What does not match */
              detail: string | null;
            }[];
            total: number;
          };
        };
      };
    };
  };
  reconcileAnchors: {
    responses: {
      /** @description The findings that nobody acknowledged */
      200: {
        content: {
          "application/json": {
            data: {
              chainKey: string;
              /**
              * @description rewound: shorter than a signed checkpoint says, or another; missing_locally: not there
              * @enum {string}
              */
              finding: "rewound" | "missing_locally";
              /** @description 0 where the chain has no entry */
              localPosition: number;
              localHash: components["schemas"]["Sha256"] | null;
              /** @description Where the checkpoint saw the chain end */
              anchoredPosition: number;
              anchoredHash: components["schemas"]["Sha256"];
              detectedAt: components["schemas"]["Timestamp"];
              acknowledgedAt: components["schemas"]["Timestamp"] | null;
            }[];
            total: number;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listRewinds: {
    responses: {
      /** @description The findings */
      200: {
        content: {
          "application/json": {
            data: {
              chainKey: string;
              /**
              * @description rewound: shorter than a signed checkpoint says, or another; missing_locally: not there
              * @enum {string}
              */
              finding: "rewound" | "missing_locally";
              /** @description 0 where the chain has no entry */
              localPosition: number;
              localHash: components["schemas"]["Sha256"] | null;
              /** @description Where the checkpoint saw the chain end */
              anchoredPosition: number;
              anchoredHash: components["schemas"]["Sha256"];
              detectedAt: components["schemas"]["Timestamp"];
              acknowledgedAt: components["schemas"]["Timestamp"] | null;
            }[];
            total: number;
          };
        };
      };
    };
  };
  acknowledgeRewind: {
    requestBody?: {
      content: {
        "application/json": {
          /** @description Of one chain; all findings where it is left out */
          chainKey?: string;
          reason?: string;
        };
      };
    };
    responses: {
      /** @description How many findings were acknowledged, and what has to be revoked again */
      200: {
        content: {
          "application/json": {
            /** @description Findings */
            acknowledged: number;
            /** @description What was revoked after the copy that was put back, and can be used again: revoke it again. It is what the signed lists beside the anchors know. Until then the service is degraded (revocations_lost) */
            lostRevocations: {
              /** @description Newest first, 1000 at most */
              data: {
                /** @enum {string} */
                kind: "api_key" | "agent" | "certificate" | "signing_key" | "issuer" | "peer" | "witness";
                /** @description Of a signing key: agentId/thumbprint */
                id: string;
                /** @description The lost entry of the platform chain */
                entryType: string;
                revokedAt: components["schemas"]["Timestamp"];
              }[];
              total: number;
              /**
              * Format: date-time
              * @description What was revoked before this time may be missing; null if nothing is
              */
              knownFrom: string | null;
              /**
              * Format: date-time
              * @description What was revoked after this time is missing; null if the anchors hold no list of revocations
              */
              knownTo: string | null;
            };
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  startVaultScan: {
    responses: {
      /** @description The scan was asked for */
      202: {
        content: {
          "application/json": {
            jobId: components["schemas"]["Uuid"];
            /**
            * @description created: it waits or runs; completed: it came to its end, or was given up
            * @enum {string}
            */
            state: "created" | "completed";
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  getVaultScan: {
    parameters: {
      path: {
        /** @description Id of the scan */
        jobId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The scan */
      200: {
        content: {
          "application/json": {
            jobId: components["schemas"]["Uuid"];
            /**
            * @description created: it waits or runs; completed: it came to its end, or was given up
            * @enum {string}
            */
            state: "created" | "completed";
            createdAt: components["schemas"]["Timestamp"];
            completedAt: components["schemas"]["Timestamp"] | null;
            progress: {
              /** @description Entries that were verified so far */
              entries: number;
              /** @description Chains that were begun so far */
              chains: number;
            } | null;
            result: {
              /** @description Chains whose entries hold, and whose rows say what they say */
              healthy: number;
              /** @description The others, those that are gone although something names them included */
              broken: number;
              /** @description Entries whose signature could not be verified */
              signatureErrors: number;
              /** @description What is wrong: the first that was found, some of each chain */
              brokenRecords: {
                recordId: components["schemas"]["Uuid"] | null;
                /** @description The chain that is broken, or that speaks for the row that is */
                chainKey: string;
                /** @description Of the entry; null where it is about a row, or about the chain as a whole */
                position: number | null;
                /** @enum {string} */
                reason: "unsupported_algorithm" | "signature_invalid" | "payload_drift" | "hash_mismatch" | "link_broken" | "position_gap" | "key_missing" | "key_invalid" | "header_mismatch" | "decode_failed";
                /**
                * @description As the verifier names it
                * @enum {string}
                */
                class: "CHAIN_GENESIS_INVALID" | "CHAIN_POSITION_GAP" | "CHAIN_LINK_BROKEN" | "CHAIN_HASH_MISMATCH" | "CHAIN_SIGNATURE_INVALID" | "CHAIN_SIGNATURE_MISSING_KEY" | "CHAIN_COSE_DECODE_FAILED" | "CHAIN_COSE_HEADER_MISMATCH" | "CHAIN_PAYLOAD_BINDING_MISMATCH" | "CHAIN_OIDC_ACTOR_MISMATCH" | "CHAIN_SIGNING_KEY_DRIFT" | "CHAIN_ALG_MISMATCH" | "CHAIN_UNSUPPORTED_ALGORITHM" | "CHAIN_KEY_EXPIRED" | "CHAIN_KEY_POLICY_VIOLATION" | "CHECKPOINT_SIGNATURE_INVALID" | "CHECKPOINT_SIGNATURE_MISSING_KEY" | "CHECKPOINT_DECODE_FAILED" | "CHECKPOINT_HEAD_MISMATCH" | "CHECKPOINT_CHAIN_MISSING" | "CHECKPOINT_LOG_GAP" | "CHECKPOINT_ROOT_MISMATCH" | "TENANT_READ_POSITION_GAP" | "TENANT_READ_LINK_BROKEN" | "TENANT_READ_SIGNATURE_INVALID" | "TENANT_READ_PAYLOAD_BINDING_MISMATCH" | "TENANT_CHECKPOINT_SIGNATURE_INVALID" | "TENANT_CHECKPOINT_SIZE_MISMATCH" | "TENANT_CHECKPOINT_ROOT_MISMATCH" | "TENANT_CHECKPOINT_FORK" | "TENANT_CHECKPOINT_COSIGNATURE_INVALID";
                /** @description In plain words, with the row that is meant */
                detail: string;
              }[];
              /** @description What is wrong besides, and not listed */
              omitted: number;
              /** @description Entries that were verified */
              entries: number;
              /** @description Chains that were verified */
              chains: number;
              /** @description How long it took */
              durationMs: number;
            } | null;
            /** @description Why it was given up; null where it was not */
            failure: string | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  getSystemHealth: {
    responses: {
      /** @description The health of this process and of what all share */
      200: {
        content: {
          "application/json": {
            /** @enum {string} */
            status: "ok" | "degraded";
            /** @description Of one closed table; empty where all is well */
            degradedReasons: {
              /** @enum {string} */
              code: "database_away" | "disk_full" | "database_read_only" | "database_damaged" | "migrations_pending" | "signer_away" | "row_tampered" | "event_hole" | "chain_rewound" | "revocations_lost" | "anchors_unread" | "anchor_late" | "anchor_missing" | "sink_behind" | "sink_blocked" | "lane_behind" | "lane_blocked" | "job_late" | "job_failing";
              /** @enum {string} */
              severity: "critical" | "warning";
              detail: string;
              suggestion: string;
            }[];
            /** @description Seconds */
            uptime: number;
            database: {
              reachable: boolean;
              migrated: boolean;
            };
            queues: {
              events_unnumbered: {
                /** @description Counted up to 10,000 */
                depth: number;
                /** @description How long the oldest waits; 0 where none is overdue */
                oldestSeconds: number;
              };
              webhook_retries: {
                /** @description Counted up to 10,000 */
                depth: number;
                /** @description How long the oldest waits; 0 where none is overdue */
                oldestSeconds: number;
              };
              webhook_dead_letters: {
                /** @description Counted up to 10,000 */
                depth: number;
                /** @description How long the oldest waits; 0 where none is overdue */
                oldestSeconds: number;
              };
              federation_outgoing: {
                /** @description Counted up to 10,000 */
                depth: number;
                /** @description How long the oldest waits; 0 where none is overdue */
                oldestSeconds: number;
              };
              federation_stopped: {
                /** @description Counted up to 10,000 */
                depth: number;
                /** @description How long the oldest waits; 0 where none is overdue */
                oldestSeconds: number;
              };
              compliance_exports: {
                /** @description Counted up to 10,000 */
                depth: number;
                /** @description How long the oldest waits; 0 where none is overdue */
                oldestSeconds: number;
              };
              vault_scans: {
                /** @description Counted up to 10,000 */
                depth: number;
                /** @description How long the oldest waits; 0 where none is overdue */
                oldestSeconds: number;
              };
              siem_file: {
                /** @description Counted up to 10,000 */
                depth: number;
                /** @description How long the oldest waits; 0 where none is overdue */
                oldestSeconds: number;
              };
              siem_collector: {
                /** @description Counted up to 10,000 */
                depth: number;
                /** @description How long the oldest waits; 0 where none is overdue */
                oldestSeconds: number;
              };
            } | null;
            breakers: {
              webhookOpen: number;
              webhookHalfOpen: number;
              peerOpen: number;
            } | null;
            workers: {
              /** @enum {string} */
              status: "ok" | "degraded" | "unknown";
              jobs: {
                name: string;
                /** @enum {string} */
                status: "ok" | "late" | "failing";
                everySeconds: number;
                /** @description Since a worker last looked whether there is work to do */
                lastSeenSecondsAgo: number;
                running: boolean;
                lastStartedAt: components["schemas"]["Timestamp"] | null;
                lastDurationMs: number | null;
                lastFailure: string | null;
              }[];
            };
            /** @description Counted up to 10,000 */
            webhookDeadLetters: number | null;
            process: {
              pid: number;
              nodeVersion: string;
              residentBytes: number;
              heapUsedBytes: number;
              /** @description The longest since the last look */
              eventLoopDelayMs: number;
            };
          };
        };
      };
    };
  };
  getSupportBundle: {
    responses: {
      /** @description The bundle, as one document */
      200: {
        content: {
          "application/json": {
            manifest: {
              generatedAt: components["schemas"]["Timestamp"];
              sections: ("manifest" | "version" | "license" | "health" | "authCache" | "config" | "database" | "environment" | "guidance")[];
            };
            version: {
              release: string;
              interface: string;
              node: string;
            };
            license: {
              /** @enum {string} */
              tier: "unlimited";
            };
            health: {
              /** @enum {string} */
              status: "ok" | "degraded";
              /** @description Of one closed table; empty where all is well */
              degradedReasons: {
                /** @enum {string} */
                code: "database_away" | "disk_full" | "database_read_only" | "database_damaged" | "migrations_pending" | "signer_away" | "row_tampered" | "event_hole" | "chain_rewound" | "revocations_lost" | "anchors_unread" | "anchor_late" | "anchor_missing" | "sink_behind" | "sink_blocked" | "lane_behind" | "lane_blocked" | "job_late" | "job_failing";
                /** @enum {string} */
                severity: "critical" | "warning";
                detail: string;
                suggestion: string;
              }[];
              /** @description Seconds */
              uptime: number;
              database: {
                reachable: boolean;
                migrated: boolean;
              };
              queues: {
                events_unnumbered: {
                  /** @description Counted up to 10,000 */
                  depth: number;
                  /** @description How long the oldest waits; 0 where none is overdue */
                  oldestSeconds: number;
                };
                webhook_retries: {
                  /** @description Counted up to 10,000 */
                  depth: number;
                  /** @description How long the oldest waits; 0 where none is overdue */
                  oldestSeconds: number;
                };
                webhook_dead_letters: {
                  /** @description Counted up to 10,000 */
                  depth: number;
                  /** @description How long the oldest waits; 0 where none is overdue */
                  oldestSeconds: number;
                };
                federation_outgoing: {
                  /** @description Counted up to 10,000 */
                  depth: number;
                  /** @description How long the oldest waits; 0 where none is overdue */
                  oldestSeconds: number;
                };
                federation_stopped: {
                  /** @description Counted up to 10,000 */
                  depth: number;
                  /** @description How long the oldest waits; 0 where none is overdue */
                  oldestSeconds: number;
                };
                compliance_exports: {
                  /** @description Counted up to 10,000 */
                  depth: number;
                  /** @description How long the oldest waits; 0 where none is overdue */
                  oldestSeconds: number;
                };
                vault_scans: {
                  /** @description Counted up to 10,000 */
                  depth: number;
                  /** @description How long the oldest waits; 0 where none is overdue */
                  oldestSeconds: number;
                };
                siem_file: {
                  /** @description Counted up to 10,000 */
                  depth: number;
                  /** @description How long the oldest waits; 0 where none is overdue */
                  oldestSeconds: number;
                };
                siem_collector: {
                  /** @description Counted up to 10,000 */
                  depth: number;
                  /** @description How long the oldest waits; 0 where none is overdue */
                  oldestSeconds: number;
                };
              } | null;
              breakers: {
                webhookOpen: number;
                webhookHalfOpen: number;
                peerOpen: number;
              } | null;
              workers: {
                /** @enum {string} */
                status: "ok" | "degraded" | "unknown";
                jobs: {
                  name: string;
                  /** @enum {string} */
                  status: "ok" | "late" | "failing";
                  everySeconds: number;
                  /** @description Since a worker last looked whether there is work to do */
                  lastSeenSecondsAgo: number;
                  running: boolean;
                  lastStartedAt: components["schemas"]["Timestamp"] | null;
                  lastDurationMs: number | null;
                  lastFailure: string | null;
                }[];
              };
              /** @description Counted up to 10,000 */
              webhookDeadLetters: number | null;
              process: {
                pid: number;
                nodeVersion: string;
                residentBytes: number;
                heapUsedBytes: number;
                /** @description The longest since the last look */
                eventLoopDelayMs: number;
              };
            };
            authCache: {
              /** @description A change of a credential takes effect within this time */
              maxAgeMs: number;
            };
            /** @description The settings in force; a secret shows only whether it is set */
            config: {
              [key: string]: unknown;
            };
            database: {
              /** @enum {string} */
              kind: "sqlite" | "mysql";
              reachable: boolean;
              migrated: boolean;
              connections: {
                used: number;
                free: number;
                waiting: number;
              };
            };
            environment: {
              platform: string;
              arch: string;
              processors: number;
              memoryBytes: number;
              timeZone: string;
            };
            /** @description What to do about each reason, most severe first */
            guidance: string[];
          };
        };
      };
    };
  };
  getOpsSummary: {
    responses: {
      /** @description At a glance */
      200: {
        content: {
          "application/json": {
            /** @enum {string} */
            status: "ok" | "degraded";
            degradedReasons: {
              /** @enum {string} */
              code: "database_away" | "disk_full" | "database_read_only" | "database_damaged" | "migrations_pending" | "signer_away" | "row_tampered" | "event_hole" | "chain_rewound" | "revocations_lost" | "anchors_unread" | "anchor_late" | "anchor_missing" | "sink_behind" | "sink_blocked" | "lane_behind" | "lane_blocked" | "job_late" | "job_failing";
              /** @enum {string} */
              severity: "critical" | "warning";
              detail: string;
              suggestion: string;
            }[];
            /** @description Seconds */
            uptime: number;
            vault: {
              hubId: string;
              signingKeyId: string;
              /** @description What auditors pin */
              fingerprint: string;
              /** @enum {string} */
              algorithm: "Ed25519" | "ES256";
              /** @description Of the succession, the active one among them */
              keys: number;
              rewoundChains: number;
              newestCheckpointAt: components["schemas"]["Timestamp"] | null;
              anchoring: {
                /** @enum {string} */
                backend: "filesystem" | "s3" | "none";
                intervalMinutes: number;
                lastSweepAt: components["schemas"]["Timestamp"] | null;
                lastSuccessAt: components["schemas"]["Timestamp"] | null;
                pending: number;
                failures: number;
                lastVerify: {
                  at: components["schemas"]["Timestamp"];
                  checked: number;
                  mismatches: number;
                } | null;
              };
            };
          };
        };
      };
    };
  };
  listOrgReadsCheckpoints: {
    parameters: {
      query?: {
        /** @description The org whose log it is */
        orgId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of checkpoints */
      200: {
        content: {
          "application/json": {
            data: {
              id: components["schemas"]["Uuid"];
              orgId: components["schemas"]["Uuid"];
              treeSize: number;
              rootHash: components["schemas"]["Sha256"];
              signingKeyId: string;
              createdAt: components["schemas"]["Timestamp"];
              /** @description The signed checkpoint (RFC 9052) */
              coseSign1: string;
              cosignature: {
                witnessKeyId: components["schemas"]["Uuid"];
                /** @description Over the UTF-8 bytes of service.org-reads.cosign.v1, a line feed, and the SHA-256 (lowercase hex) of the bytes of coseSign1 */
                signature: string;
                createdAt: components["schemas"]["Timestamp"];
              } | null;
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  getOrgReadsCheckpoint: {
    parameters: {
      path: {
        /** @description Id of the checkpoint */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The checkpoint */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            orgId: components["schemas"]["Uuid"];
            treeSize: number;
            rootHash: components["schemas"]["Sha256"];
            signingKeyId: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description The signed checkpoint (RFC 9052) */
            coseSign1: string;
            cosignature: {
              witnessKeyId: components["schemas"]["Uuid"];
              /** @description Over the UTF-8 bytes of service.org-reads.cosign.v1, a line feed, and the SHA-256 (lowercase hex) of the bytes of coseSign1 */
              signature: string;
              createdAt: components["schemas"]["Timestamp"];
            } | null;
          };
        };
      };
    };
  };
  proveOrgRead: {
    parameters: {
      query: {
        /** @description Index of the leaf, from 0 */
        leaf: number;
      };
      path: {
        /** @description Id of the checkpoint */
        id: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The proof */
      200: {
        content: {
          "application/json": {
            leafIndex: number;
            treeSize: number;
            leafHash: components["schemas"]["Sha256"];
            /** @description One sibling for each level, that of the leaf first; two nodes combine as the SHA-256 of the text of their hex, left one first; the last node of an odd level is its own sibling */
            path: components["schemas"]["Sha256"][];
            rootHash: components["schemas"]["Sha256"];
          };
        };
      };
    };
  };
  cosignOrgReadsCheckpoint: {
    parameters: {
      path: {
        /** @description Id of the checkpoint */
        id: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          witnessKeyId: components["schemas"]["Uuid"];
          /** @description 64 raw bytes in base64 */
          signature: string;
        };
      };
    };
    responses: {
      /** @description The checkpoint */
      200: {
        content: {
          "application/json": {
            id: components["schemas"]["Uuid"];
            orgId: components["schemas"]["Uuid"];
            treeSize: number;
            rootHash: components["schemas"]["Sha256"];
            signingKeyId: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description The signed checkpoint (RFC 9052) */
            coseSign1: string;
            cosignature: {
              witnessKeyId: components["schemas"]["Uuid"];
              /** @description Over the UTF-8 bytes of service.org-reads.cosign.v1, a line feed, and the SHA-256 (lowercase hex) of the bytes of coseSign1 */
              signature: string;
              createdAt: components["schemas"]["Timestamp"];
            } | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listWitnesses: {
    parameters: {
      query?: {
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of witnesses */
      200: {
        content: {
          "application/json": {
            data: {
              witnessKeyId: components["schemas"]["Uuid"];
              name: string;
              /** @enum {string} */
              algorithm: "Ed25519" | "ES256";
              publicKeyJwk: {
                /** @enum {string} */
                kty: "OKP" | "EC";
                crv: string;
                x: string;
                /** @description P-256 alone */
                y?: string;
              };
              createdAt: components["schemas"]["Timestamp"];
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  addWitness: {
    requestBody: {
      content: {
        "application/json": {
          name: string;
          /** @description A public JWK (RFC 7517) on Ed25519 or P-256. Never the private members: a key with d is refused. */
          publicKeyJwk: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description The witness */
      201: {
        content: {
          "application/json": {
            witnessKeyId: components["schemas"]["Uuid"];
            name: string;
            /** @enum {string} */
            algorithm: "Ed25519" | "ES256";
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP" | "EC";
              crv: string;
              x: string;
              /** @description P-256 alone */
              y?: string;
            };
            createdAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  removeWitness: {
    parameters: {
      path: {
        /** @description Id of the key of the witness */
        witnessKeyId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description Removed */
      200: {
        content: {
          "application/json": {
            witnessKeyId: components["schemas"]["Uuid"];
            /** @constant */
            deleted: true;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  getRateLimitExemption: {
    parameters: {
      path: {
        /** @description Id of the agent that owns the API keys or certificates */
        ownerId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The exemption */
      200: {
        content: {
          "application/json": {
            /** @enum {string} */
            ownerType: "agent";
            ownerId: components["schemas"]["Uuid"];
            exemptedAt: components["schemas"]["Timestamp"];
          };
        };
      };
    };
  };
  exemptFromRateLimits: {
    parameters: {
      path: {
        /** @description Id of the agent that owns the API keys or certificates */
        ownerId: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": Record<string, never>;
      };
    };
    responses: {
      /** @description The exemption */
      200: {
        content: {
          "application/json": {
            /** @enum {string} */
            ownerType: "agent";
            ownerId: components["schemas"]["Uuid"];
            exemptedAt: components["schemas"]["Timestamp"];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  restoreRateLimits: {
    parameters: {
      path: {
        /** @description Id of the agent that owns the API keys or certificates */
        ownerId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description Limited again */
      200: {
        content: {
          "application/json": {
            ownerId: components["schemas"]["Uuid"];
            /** @constant */
            deleted: true;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listPeers: {
    parameters: {
      query?: {
        /** @description Only those of this status */
        status?: "REGISTERED" | "PENDING" | "ACTIVE" | "SUSPENDED" | "REVOKED";
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of peers */
      200: {
        content: {
          "application/json": {
            data: {
              hubId: components["schemas"]["Uuid"];
              /** @description As the hub calls itself; it decides nothing */
              name: string | null;
              baseUrl: string;
              /** @description The hub key, by which requests of the hub are signed */
              publicKeyJwk: {
                /** @enum {string} */
                kty: "OKP";
                /** @enum {string} */
                crv: "Ed25519";
                x: string;
              };
              /** @description RFC 9679 of publicKeyJwk: SHA-256 */
              publicKeyThumbprint: string;
              /** @description SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub */
              vaultRoot: string;
              /** @enum {string} */
              status: "REGISTERED" | "PENDING" | "ACTIVE" | "SUSPENDED" | "REVOKED";
              /**
              * Format: date-time
              * @description When its handshake came
              */
              greetedAt: string | null;
              createdAt: components["schemas"]["Timestamp"];
              updatedAt: components["schemas"]["Timestamp"];
              /**
              * Format: date-time
              * @description Of a handshake that waits: PENDING alone
              */
              expiresAt: string | null;
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  registerPeer: {
    requestBody: {
      content: {
        "application/json": {
          /** @description The https origin of the hub, without a path */
          baseUrl: string;
          hubId: components["schemas"]["Uuid"];
          /** @description The public hub key as a JWK (RFC 8037) on Ed25519 */
          publicKeyJwk: {
            [key: string]: unknown;
          };
          vaultRoot: components["schemas"]["Sha256"];
        };
      };
    };
    responses: {
      /** @description The peer */
      201: {
        content: {
          "application/json": {
            hubId: components["schemas"]["Uuid"];
            /** @description As the hub calls itself; it decides nothing */
            name: string | null;
            baseUrl: string;
            /** @description The hub key, by which requests of the hub are signed */
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP";
              /** @enum {string} */
              crv: "Ed25519";
              x: string;
            };
            /** @description RFC 9679 of publicKeyJwk: SHA-256 */
            publicKeyThumbprint: string;
            /** @description SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub */
            vaultRoot: string;
            /** @enum {string} */
            status: "REGISTERED" | "PENDING" | "ACTIVE" | "SUSPENDED" | "REVOKED";
            /**
            * Format: date-time
            * @description When its handshake came
            */
            greetedAt: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /**
            * Format: date-time
            * @description Of a handshake that waits: PENDING alone
            */
            expiresAt: string | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  getPeer: {
    parameters: {
      path: {
        /** @description Id of the hub */
        hubId: components["schemas"]["Uuid"];
      };
    };
    responses: {
      /** @description The peer */
      200: {
        content: {
          "application/json": {
            hubId: components["schemas"]["Uuid"];
            /** @description As the hub calls itself; it decides nothing */
            name: string | null;
            baseUrl: string;
            /** @description The hub key, by which requests of the hub are signed */
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP";
              /** @enum {string} */
              crv: "Ed25519";
              x: string;
            };
            /** @description RFC 9679 of publicKeyJwk: SHA-256 */
            publicKeyThumbprint: string;
            /** @description SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub */
            vaultRoot: string;
            /** @enum {string} */
            status: "REGISTERED" | "PENDING" | "ACTIVE" | "SUSPENDED" | "REVOKED";
            /**
            * Format: date-time
            * @description When its handshake came
            */
            greetedAt: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /**
            * Format: date-time
            * @description Of a handshake that waits: PENDING alone
            */
            expiresAt: string | null;
            /** @description Handshakes under this hubId that wait for an operator, by key */
            pending: {
              /** @description RFC 9679 of publicKeyJwk: SHA-256 */
              publicKeyThumbprint: string;
              /** @description SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub */
              vaultRoot: string;
              baseUrl: string;
              createdAt: components["schemas"]["Timestamp"];
              expiresAt: components["schemas"]["Timestamp"];
            }[];
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  updatePeer: {
    parameters: {
      path: {
        /** @description Id of the hub */
        hubId: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description The https origin of the hub, without a path */
          baseUrl: string;
        };
      };
    };
    responses: {
      /** @description The peer */
      200: {
        content: {
          "application/json": {
            hubId: components["schemas"]["Uuid"];
            /** @description As the hub calls itself; it decides nothing */
            name: string | null;
            baseUrl: string;
            /** @description The hub key, by which requests of the hub are signed */
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP";
              /** @enum {string} */
              crv: "Ed25519";
              x: string;
            };
            /** @description RFC 9679 of publicKeyJwk: SHA-256 */
            publicKeyThumbprint: string;
            /** @description SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub */
            vaultRoot: string;
            /** @enum {string} */
            status: "REGISTERED" | "PENDING" | "ACTIVE" | "SUSPENDED" | "REVOKED";
            /**
            * Format: date-time
            * @description When its handshake came
            */
            greetedAt: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /**
            * Format: date-time
            * @description Of a handshake that waits: PENDING alone
            */
            expiresAt: string | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  approvePeer: {
    parameters: {
      path: {
        /** @description Id of the hub */
        hubId: components["schemas"]["Uuid"];
      };
    };
    requestBody: {
      content: {
        "application/json": {
          publicKeyThumbprint: components["schemas"]["Sha256"];
          vaultRoot: components["schemas"]["Sha256"];
        };
      };
    };
    responses: {
      /** @description The peer */
      200: {
        content: {
          "application/json": {
            hubId: components["schemas"]["Uuid"];
            /** @description As the hub calls itself; it decides nothing */
            name: string | null;
            baseUrl: string;
            /** @description The hub key, by which requests of the hub are signed */
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP";
              /** @enum {string} */
              crv: "Ed25519";
              x: string;
            };
            /** @description RFC 9679 of publicKeyJwk: SHA-256 */
            publicKeyThumbprint: string;
            /** @description SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub */
            vaultRoot: string;
            /** @enum {string} */
            status: "REGISTERED" | "PENDING" | "ACTIVE" | "SUSPENDED" | "REVOKED";
            /**
            * Format: date-time
            * @description When its handshake came
            */
            greetedAt: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /**
            * Format: date-time
            * @description Of a handshake that waits: PENDING alone
            */
            expiresAt: string | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  suspendPeer: {
    parameters: {
      path: {
        /** @description Id of the hub */
        hubId: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Sealed on the platform chain */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The peer */
      200: {
        content: {
          "application/json": {
            hubId: components["schemas"]["Uuid"];
            /** @description As the hub calls itself; it decides nothing */
            name: string | null;
            baseUrl: string;
            /** @description The hub key, by which requests of the hub are signed */
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP";
              /** @enum {string} */
              crv: "Ed25519";
              x: string;
            };
            /** @description RFC 9679 of publicKeyJwk: SHA-256 */
            publicKeyThumbprint: string;
            /** @description SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub */
            vaultRoot: string;
            /** @enum {string} */
            status: "REGISTERED" | "PENDING" | "ACTIVE" | "SUSPENDED" | "REVOKED";
            /**
            * Format: date-time
            * @description When its handshake came
            */
            greetedAt: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /**
            * Format: date-time
            * @description Of a handshake that waits: PENDING alone
            */
            expiresAt: string | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  resumePeer: {
    parameters: {
      path: {
        /** @description Id of the hub */
        hubId: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Sealed on the platform chain */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The peer */
      200: {
        content: {
          "application/json": {
            hubId: components["schemas"]["Uuid"];
            /** @description As the hub calls itself; it decides nothing */
            name: string | null;
            baseUrl: string;
            /** @description The hub key, by which requests of the hub are signed */
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP";
              /** @enum {string} */
              crv: "Ed25519";
              x: string;
            };
            /** @description RFC 9679 of publicKeyJwk: SHA-256 */
            publicKeyThumbprint: string;
            /** @description SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub */
            vaultRoot: string;
            /** @enum {string} */
            status: "REGISTERED" | "PENDING" | "ACTIVE" | "SUSPENDED" | "REVOKED";
            /**
            * Format: date-time
            * @description When its handshake came
            */
            greetedAt: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /**
            * Format: date-time
            * @description Of a handshake that waits: PENDING alone
            */
            expiresAt: string | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  revokePeer: {
    parameters: {
      path: {
        /** @description Id of the hub */
        hubId: components["schemas"]["Uuid"];
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Sealed on the platform chain */
          reason?: string;
        };
      };
    };
    responses: {
      /** @description The peer */
      200: {
        content: {
          "application/json": {
            hubId: components["schemas"]["Uuid"];
            /** @description As the hub calls itself; it decides nothing */
            name: string | null;
            baseUrl: string;
            /** @description The hub key, by which requests of the hub are signed */
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP";
              /** @enum {string} */
              crv: "Ed25519";
              x: string;
            };
            /** @description RFC 9679 of publicKeyJwk: SHA-256 */
            publicKeyThumbprint: string;
            /** @description SHA-256 of the SubjectPublicKeyInfo of the key at position 1 of the platform chain of the hub */
            vaultRoot: string;
            /** @enum {string} */
            status: "REGISTERED" | "PENDING" | "ACTIVE" | "SUSPENDED" | "REVOKED";
            /**
            * Format: date-time
            * @description When its handshake came
            */
            greetedAt: string | null;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
            /**
            * Format: date-time
            * @description Of a handshake that waits: PENDING alone
            */
            expiresAt: string | null;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  rollHubKey: {
    requestBody?: {
      content: {
        "application/json": Record<string, never>;
      };
    };
    responses: {
      /** @description The new key */
      200: {
        content: {
          "application/json": {
            /** @description The hub key, by which requests of the hub are signed */
            publicKeyJwk: {
              /** @enum {string} */
              kty: "OKP";
              /** @enum {string} */
              crv: "Ed25519";
              x: string;
            };
            /** @description RFC 9679 of publicKeyJwk: SHA-256 */
            publicKeyThumbprint: string;
            /** @description RFC 9679 of publicKeyJwk: SHA-256 */
            previousThumbprint: string;
            createdAt: components["schemas"]["Timestamp"];
            peersToTell: number;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listFederationDlq: {
    parameters: {
      query?: {
        /** @description Of this peer */
        peerHubId?: string;
        /** @description Of this record here */
        recordId?: string;
        /** @description Rows a page; default 50 */
        limit?: number;
        /** @description The nextCursor of the page before; it continues the same listing of the same caller and no other */
        cursor?: string;
      };
    };
    responses: {
      /** @description A page of the DLQ */
      200: {
        content: {
          "application/json": {
            data: {
              /**
              * Format: uuid
              * @description The messageId
              */
              id: string;
              peerHubId: components["schemas"]["Uuid"];
              /**
              * Format: uuid
              * @description The record on this hub
              */
              recordId: string;
              sequence: number;
              /** @enum {string} */
              route: "state-transitions" | "signals";
              /** @enum {string} */
              reason: "blocked" | "attempts_exhausted" | "peer_revoked";
              /** @description Of the lane's first message */
              attempts: number;
              /** @description Null where there was no answer */
              lastStatus: number | null;
              lastError: string | null;
              /**
              * Format: date-time
              * @description When it was queued
              */
              createdAt: string;
              /**
              * Format: date-time
              * @description When its lane stopped
              */
              stoppedAt: string;
            }[];
            /** @description Exact up to a cap */
            total: number;
            /** @description Present, and true, where there may be more than total */
            totalIsCapped?: boolean;
            hasMore: boolean;
            /** @description Send it as cursor to go on; null at the end. A page may have fewer rows than limit before the end */
            nextCursor: string | null;
          };
        };
      };
    };
  };
  recoverFederationDlq: {
    requestBody?: {
      content: {
        "application/json": {
          /**
          * Format: uuid
          * @description Of this peer
          */
          peerHubId?: string;
          /**
          * Format: uuid
          * @description Of this record here
          */
          recordId?: string;
        };
      };
    };
    responses: {
      /** @description How many */
      200: {
        content: {
          "application/json": {
            /** @description Messages that left the DLQ */
            recovered: number;
            /** @description Those that stay: of revoked peers */
            remaining: number;
            suggestion: string;
            nextSteps: components["schemas"]["NextStep"][];
          };
        };
      };
    };
  };
  listScopeProfiles: {
    responses: {
      /** @description Each profile with its role and scopes */
      200: {
        content: {
          "application/json": {
            data: {
              name: string;
              role: components["schemas"]["Role"];
              scopes: components["schemas"]["Scope"][];
              description: string;
            }[];
          };
        };
      };
    };
  };
  getLifecycle: {
    parameters: {
      query?: {
        /** @description Default: what Accept asks for */
        format?: "json" | "mermaid" | "svg";
      };
    };
    responses: {
      /** @description The table */
      200: {
        content: {
          "application/json": {
            states: {
              name: components["schemas"]["RecordStatus"];
              terminal: boolean;
            }[];
            actions: components["schemas"]["RecordAction"][];
            actors: string[];
            guards: string[];
            transitions: {
              action: components["schemas"]["RecordAction"];
              from: components["schemas"]["RecordStatus"][];
              to: string[];
              /** @description What must hold besides the status: pending (a completion waits), counter (a counter-proposal is on the table) */
              when: {
                [key: string]: unknown;
              } | null;
              actors: string[];
              guards: string[];
              entry: string;
              event: string | null;
              description: string;
            }[];
          };
          "application/vnd.mermaid": string;
          "text/plain": string;
          "image/svg+xml": string;
        };
      };
    };
  };
  getConformance: {
    responses: {
      /** @description By contract, newest first */
      200: {
        content: {
          "application/json": {
            release: string;
            contracts: {
              name: string;
              versions: string[];
            }[];
          };
        };
      };
    };
  };
}
