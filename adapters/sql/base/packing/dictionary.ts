/*
 * What structures say that this service signs, and events that it tells: without their ids, hashes, times and numbers. The
 * most frequent are here from end to end, so that each is packed by going on along its line; of the others those parts that
 * no line has yet. The order of members is that of RFC 8785 in what is signed, and that of the code in events.
 *
 * Never changed: what is stored names places in it. Another dictionary is another first byte in packed-bytes.ts.
 */

/** Up to the id of the key and the hub; what follows is the id of the chain. */
const HEADER =
  "\xd2\x84Y\x01#\xa6\x01'\x03x\x1capplication/vnd.in-toto+json\x04X \x0f\xa3\x01x0urn:service:\x02x$\x06\x1ak";
const ENTRY = "\x10x'application/vnd.notary.chain-entry+cose:\0\x01\x11p\xa3\x01x$\x02";
const STATEMENT = '{"_type":"https://in-toto.io/Statement/v1","predicate":{';
const SIGNATURE = '"}]}X@';

const STRUCTURES = [
  // A record that is notarized in one call; its entry is the first of its chain.
  `${HEADER}${ENTRY}\x01\x03X ${'\0'.repeat(32)}\xa0Y\x05${STATEMENT}"actor":{"agentId":"","apiKeyId":"","kind":"agent","orgId":""},"at":"","awaiting":null,"criteriaHash":"","entryType":"RECORD_RECORDED","expiresAt":null,"orgId":"","performerAgentId":null,"performerOrgId":null,"principalAgentId":"","recordId":"","requestId":"","schema":{"manifestDigest":"","orgId":"","publisher":"","type":"","version":1},"terms":{"depth":0,"gateMode":"principal","operatingMode":"cleartext","platform":"api","platformRef":null,"rootRecordId":""},"transition":{"action":"create","from":null,"to":"RECORDED"}},"predicateType":"https://service.invalid/predicates/record-state/v1","subject":[{"digest":{"sha256":""},"name":"record/${SIGNATURE}`,
  // Evidence that gates judged at once.
  '\x03\x03X ","awaiting":"principal","completionId":"","criteriaHash":"","entryType":"COMPLETION_SUBMITTED","evidenceHash":"","expiresAt":"","gate":{"inputsDigest":"","now":"","results":[{"detail":null,"gateId":"","inputsDigest":"","outcome":"pass","severity":"block"}],"state":"ADVISORY_PASSED"},"orgId":"","performerAgentId":"","performerOrgId":"","principalAgentId":"","recordId":"","requestId":"","schema":{"manifestDigest":"","orgId":"","publisher":"","type":"","version":1},"transition":{"action":"submit-completion","from":"ACTIVE","to":"ACTIVE"}},"predicateType":"',
  // A verdict.
  '","awaiting":null,"completionId":"","criteriaHash":"","entryType":"VERDICT_RENDERED","evidenceHash":"","expiresAt":"","orgId":"","performerAgentId":"","performerOrgId":"","principalAgentId":"","recordId":"","requestId":"","schema":{"manifestDigest":"","orgId":"","publisher":"","type":"","version":1},"transition":{"action":"render-verdict","from":"ACTIVE","to":"FULFILLED"},"verdict":"accept"},"predicateType":"',
  // The service decides alone.
  '{"actor":{"kind":"system"},"at":"","awaiting":null,"completionId":"","criteriaHash":"","entryType":"GATE_EVALUATED","evidenceHash":"',
  '"state":"PASSED"},"transition":{"action":"evaluate","from":"ACTIVE","to":"FAILED"},"transition":{"action":"expire","from":"ACTIVE","to":"EXPIRED"}},"entryType":"RECORD_EXPIRED","expiresAt":"',
  // A job that is offered, or begins.
  '","awaiting":"performer","criteriaHash":"","entryType":"RECORD_PROPOSED","expiresAt":null,"orgId":"","performerAgentId":"","performerOrgId":"","principalAgentId":"","transition":{"action":"create","from":null,"to":"PROPOSED"}},"transition":{"action":"create","from":null,"to":"ACTIVE"}},"transition":{"action":"accept","from":"PROPOSED","to":"ACTIVE"}},"entryType":"RECORD_CREATED","entryType":"PROPOSAL_ACCEPTED","entryType":"RECORD_ACTIVATED","messageHash":"","schema":{"parentRecordId":"","performerAgentId":"',
  '"kind":"signal"},"entryType":"SIGNAL_EMITTED","outcome":"FULFILLED","performerAgentId":"","platformRef":null,"recommendation":"SETTLE","recordId":"","requestId":"","signalId":""},"predicateType":"https://service.invalid/predicates/settlement-signal/v1","subject":[{"digest":{"sha256":""},"name":"record/',
  '"entryType":"CHILD_DELEGATED","entryType":"CASCADE_VERIFIED","children":[{"disputed":false,"headHash":"","id":"","status":"ACTIVE"}],"criteriaHash":"","transition":{"action":"delegate","from":"ACTIVE","to":"ACTIVE"}},"transition":{"action":"verify-cascade","from":"',
  '"entryType":"DISPUTE_OPENED","dispute":{"contentHash":"","deadline":"","id":"","outcome":null,"phase":"EVIDENCE_WINDOW","side":"principal","tier":1},"entryType":"DISPUTE_EVIDENCE_SUBMITTED","transition":{"action":"open-dispute","from":"FULFILLED","to":"FULFILLED"}},"reason":"","reference":{"digest":null,"id":"","kind":"url","label":null,"uri":"https://","transition":{"action":"add-reference","from":"',
  // The newest entry of the chain of a record.
  `\xd2\x84X\xd0\xa5\x01'\x03x\x1capplication/vnd.in-toto+json\x04X \x0f\xa3\x01x0urn:service:\x02x$\x06\x1ak\x10x&application/vnd.notary.checkpoint+cose\xa0Y\x01${STATEMENT}"at":"","chainKey":"","chainKind":"record","headHash":"","logIndex":,"position":1},"predicateType":"https://service.invalid/predicates/vault-checkpoint/v1","subject":[{"digest":{"sha256":""},"name":"chain/${SIGNATURE}`,
  '"chainKey":"schema:","chainKind":"schema","headHash":"","chainKind":"admin","headHash":"","position":,"treeRoot":"","treeSize":,"name":"chain/schema:',
  // Somebody who governs reads.
  `\xd2\x84X\xd8\xa5\x01'\x03x\x1capplication/vnd.in-toto+json\x04X \x0f\xa3\x01x0urn:service:\x02x.org-reads:\x06\x1ak\x10x$application/vnd.notary.org-read+cose\xa0Y\x03${STATEMENT}"actor":{"agentId":"","apiKeyId":"","kind":"admin","orgId":""},"at":"","entryType":"ORG_READ","inputDigest":"","leafIndex":,"operation":"listRecords","orgId":"","previousHash":"","protocol":"rest","requestId":""},"predicateType":"https://service.invalid/predicates/tenant-read/v1","subject":[{"digest":{"sha256":""},"name":"org/${SIGNATURE}`,
  '"target":"record/","operation":"getRecord","operation":"listEvents","operation":"getAuditExport","actor":{"agentId":"","apiKeyId":"","kind":"platform"},"at":"","chainKey":"org-reads:","chainKind":"org-reads","headHash":"","position":,"name":"chain/org-reads:',
  // The acts of administrators.
  '"actor":{"agentId":"","apiKeyId":"","kind":"platform"},"agentId":"","at":"","entryType":"AGENT_CREATED","name":"","orgId":"","requestId":"","rowVersions":{"":1}},"predicateType":"https://service.invalid/predicates/record-state/v1","subject":[{"digest":{"sha256":""},"name":"platform/ops',
  '"allowedIps":null,"apiKeyId":"","at":"","entryType":"API_KEY_MINTED","expiresAt":null,"label":"","orgId":"","ownerId":"","requestId":"","role":"agent","rowVersions":{"":1},"scopeProfile":"agent-full","scopes":["records:write","completions:write","audit:read","events:read","disputes:write","reputation:read","schemas:read","agents:read","webhooks:write"]},"predicateType":"',
  '"scopeProfile":"admin-standard","scopes":["records:manage","completions:manage","webhooks:manage","audit:manage","compliance:manage","agents:manage","disputes:manage","events:manage","reputation:manage","schemas:manage","drift:manage","schemas:admin","admin:keys"]},"entryType":"API_KEY_REVOKED","orgId":"","ownerId":"","reason":null,"requestId":"","role":"agent","rowVersions":{"":2}},"predicateType":"',
  '"actor":{"agentId":"","certId":"","kind":"agent","oidc":{"iss":"https://","sub":""},"orgId":""},"agentId":"","at":"","certId":"","entryType":"CERT_ISSUED","expiresAt":"","issuedAt":"","issuerId":"","orgId":"","publicKeyJwk":{"crv":"Ed25519","kty":"OKP","x":""},"publicKeyThumbprint":"","requestId":"","rowVersions":{"":1},"scopes":["',
  '"at":"","entryType":"SCHEMA_REGISTERED","manifestDigest":"","orgId":"","publisher":"","requestId":"","status":"active","type":"","version":1},"predicateType":"https://service.invalid/predicates/schema-event/v1","subject":[{"digest":{"sha256":""},"name":"schema/',
  // The first one once more, where VAULT_CANONICALIZATION is cde: with other names in front, and lengths in the place of quotes.
  `application/vnd.in-toto+cbor\xa4e_typex\x1fhttps://in-toto.io/Statement/v1gsubject\x81\xa2dnamex+record/fdigest\xa1fsha256x@ipredicate\xafbatx\x18eactor\xa4dkindeagenteorgIdx$gagentIdx$hapiKeyIdx$eterms\xa6edepth\0hgateModeiprincipalhplatformcapikplatformRef\xf6lrootRecordIdx$moperatingModeicleartextfschema\xa5dtypedeorgIdx$gversion\x01ipublisherdnmanifestDigestx@hawaiting\xf6hrecordIdx$ientryTypeoRECORD_RECORDEDiexpiresAt\xf6irequestIdx$jtransition\xa3btohRECORDEDdfrom\xf6factionfcreatelcriteriaHashx@nperformerOrgId\xf6pperformerAgentId\xf6pprincipalAgentIdx$mpredicateTypex2https://service.invalid/predicates/record-state/v1X@`,
];

const EVENTS = [
  '{"recordId":"","type":"","status":"RECORDED","previousStatus":null,"principalAgentId":"","performerAgentId":null,"parentRecordId":null,"platform":"api","platformRef":null,"criteriaHash":"","actor":{"kind":"agent","agentId":""},"entry":{"position":1,"hash":"","signingKeyId":""},"requestId":""}',
  '"status":"ACTIVE","previousStatus":"ACTIVE","principalAgentId":"","performerAgentId":"","parentRecordId":null,"platform":"api","platformRef":null,"criteriaHash":"","actor":{"kind":"agent","agentId":""},"entry":{"position":2,"hash":"","signingKeyId":""},"completionId":"","evidenceHash":"","revision":1,"gate":"ADVISORY_PASSED","requestId":""}',
  '"status":"FULFILLED","previousStatus":"ACTIVE","completionId":"","verdict":"accept","reason":null,"requestId":""}',
  '{"recordId":"","signalId":"","recommendation":"SETTLE","outcome":"FULFILLED","performerAgentId":"","platformRef":null,"entry":{"position":4,"hash":"","signingKeyId":""},"requestId":""}',
  '"status":"PROPOSED","previousStatus":null,"status":"ACTIVE","previousStatus":"PROPOSED","round":0,"awaiting":"performer","requestId":""}',
  '"actor":{"kind":"system","agentId":null},"requestId":""}',
  '{"apiKeyId":"","label":null,"expiresAt":null,"allowedIps":null,"address":"","actor":{"kind":"platform","agentId":""},"count":1,"firstAt":"","requestId":""}',
  '{"addressBlock":"","reason":"unknown_key","apiKeyId":null,"actor":{"kind":"system","agentId":null},"count":1,"firstAt":"',
  '"disputeId":"","phase":"EVIDENCE_WINDOW","tier":1,"side":"principal","initiatorRole":"principal","outcome":null,"requestId":""}',
  '{"apiKeyId":"","role":"agent","ownerId":"","scopes":["',
];

export const DICTIONARY: Uint8Array = Buffer.from([...STRUCTURES, ...EVENTS].join(''), 'latin1');
