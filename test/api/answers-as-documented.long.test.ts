import { writeFileSync } from 'node:fs';
import { RunScan } from '../../application/vault/scan/run-scan.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentedAnswers } from '../support/stories/documented-answers.ts';
import { useApi } from '../support/service/api.ts';
import { tellPeers } from '../support/stories/wire-story-peers.ts';
import { documentedOperations } from '../support/runner/documented-operations.ts';
import { OIDC_ENV, startOidc, type Oidc } from '../support/peers/oidc.ts';
import { tellWebhooks } from '../support/stories/wire-story-webhooks.ts';
import { WireRecorder } from '../support/stories/wire-recorder.ts';
import { tellRecords } from '../support/stories/wire-story-records.ts';
import {
  tellAgents,
  tellBeginning,
  tellDocuments,
  tellIssuers,
  tellOperations,
  tellExemptions,
  tellOrgReads,
  tellTransparency,
  tellTypes,
  tellVault,
  type WireStory,
} from '../support/stories/wire-story.ts';
import { mintKey, ok, type Answer, type Body } from '../support/service/world.ts';

/** One fixed story. Each answer is compared with the OpenAPI document and with the answer that was committed. */
const limit = {
  RATE_LIMIT_AGENT: '5000',
  RATE_LIMIT_ADMIN: '9000',
  RATE_LIMIT_PLATFORM: '7000',
  RATE_LIMIT_ANONYMOUS: '6000',
  RATE_LIMIT_RECORDS_CREATE: '90',
};
// Without its jobs, because the moment of their runs is not fixed.
const api = useApi({ ROLE: 'api', ...OIDC_ENV, ...limit, MAX_BODY_BYTES: '65536' });
let oidc: Oidc;
let recorder: WireRecorder;
let story: WireStory;

beforeAll(async () => {
  oidc = await startOidc();
  const document = await ok(api.world.anonymous.get('/docs/openapi.json'));
  recorder = new WireRecorder(api.world.url, new DocumentedAnswers(document));
  story = await tellBeginning(api, recorder, oidc);
  await tellRecords(story);
  await tellTypes(story);
  await tellAgents(story);
  await tellIssuers(story);
  await tellWebhooks(story);
  await tellTransparency(story);
  await tellDocuments(story);
  await tellVault(story, () =>
    api.service.container.get(RunScan).run(new AbortController().signal),
  );
  await tellOrgReads(story);
  await tellExemptions(story);
  await tellOperations(story);
  await tellPeers(story, api);
  await tellLimits();
});
afterAll(() => oidc.close());

const notes = (count: number): readonly Body[] =>
  Array.from({ length: count }, (_, at) => ({ type: 'note', criteria: { at } }));

/** More items than a key may create in a minute at all, and in this one, and a repetition while the first request runs. */
const tellLimits = async (): Promise<void> => {
  const { client } = await mintKey(story.admin, String(story.ids['worker']), {});
  const worker = recorder.client('another key of the worker', client);
  for (const items of [100, 60, 60]) await worker.post('/v1/records/bulk', notes(items));
  recorder.note('someone in a hurry', 'POST', '/v1/records/bulk', await inFlight());
};

const inFlight = async (): Promise<Answer<Body>> => {
  for (let round = 0; round < 20; round++) {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {});
    const once = (): Promise<Answer<Body>> =>
      client.post('/v1/records/bulk', notes(20), { 'idempotency-key': `race ${round}` });
    const waiting = (await Promise.all([once(), once(), once()])).find(
      ({ status }) => status === 409,
    );
    if (waiting) return waiting;
  }
  throw new Error('no request met another one under its key');
};

describe('the answers of the story', () => {
  it('are as the OpenAPI document describes them', () => {
    expect(recorder.faults.sort()).toEqual([
      'OPTIONS /v1/records as principal, 200: the document has no such status',
      // The document says it in the parameter Idempotency-Key: a repetition returns no secret.
      'POST /v1/admin/api-keys as admin, 5, 201: /apiKey must be string',
      'POST /v1/scitt/entries as principal, 2, 200: the header location is not described',
      'POST /v1/scitt/entries as principal, 6, 400: the media type application/concise-problem-details+cbor is not described',
    ]);
  });

  /**
   * One line for each answer: request, caller, status, problem code, and a digest of its headers and members in their
   * order. `-u` writes the lines again. STORY_ANSWERS=FILE writes the answers in full, so that two commits can be compared.
   */
  it('are the committed ones', () => {
    const file = process.env['STORY_ANSWERS'];
    if (file) writeFileSync(file, JSON.stringify(Object.fromEntries(recorder.seen), null, 1));
    expect(recorder.pins.join('\n')).toMatchInlineSnapshot(`
      "POST /v1/admin/orgs (platform) 201 c91318c4
      GET /v1/admin/orgs (platform) 200 fd667ec6
      GET /v1/admin/orgs (admin) 200 2f0feacf
      PATCH /v1/admin/orgs/{id} (admin) 200 d12821a9
      PATCH /v1/admin/orgs/{id} (admin) 200 e57bf692
      POST /v1/schemas (admin) 201 b68bd0ba
      POST /v1/schemas (admin) 201 c757a101
      POST /v1/schemas (admin) 201 7bf7f8e0
      POST /v1/admin/agents (admin) 201 985c612d
      POST /v1/admin/api-keys (admin) 201 7ce01c4a
      POST /v1/admin/agents (admin) 201 41ac2128
      POST /v1/admin/api-keys (admin) 201 f9addf19
      POST /v1/admin/agents (admin) 201 11883b7f
      POST /v1/admin/api-keys (admin) 201 f3b0b368
      POST /v1/records (principal) 201 b32f797d
      POST /v1/records (principal) 201 a4f45add
      POST /v1/records (principal) 422 VALIDATION_ERROR b72b666b
      POST /v1/records (principal) 422 VALIDATION_ERROR e7777417
      POST /v1/records (principal) 422 VALIDATION_ERROR 048a7cbe
      POST /v1/records (principal) 201 3e9a460a
      GET /v1/records/{id} (principal) 200 60021007
      GET /v1/records/{id} (principal) 304 ba024cd6
      HEAD /v1/records/{id} (principal) 200 52299599
      GET /v1/records/{id} (nobody) 401 UNAUTHORIZED 86608669
      POST /v1/records/{id}/accept (principal) 403 FORBIDDEN d6e24366
      POST /v1/records/{id}/counter-propose (performer) 422 SCHEMA_VALIDATION_ERROR cedaef97
      POST /v1/records/{id}/transition (performer) 422 SCHEMA_VALIDATION_ERROR fa13dbd3
      POST /v1/records/{id}/counter-propose (performer) 200 fcbbebf3
      POST /v1/records/{id}/accept-counter (principal) 412 PRECONDITION_FAILED 0d8c82e2
      POST /v1/records/{id}/accept-counter (principal) 200 eabfd551
      POST /v1/records/{id}/transition (performer) 422 INVALID_ACTION 6ce18ab9
      POST /v1/records/{id}/references (performer) 201 89e0cf55
      POST /v1/records/{id}/references (performer) 200 0f4f4d67
      GET /v1/records/{id} (performer) 200 99a6a459
      POST /v1/records/{id}/transition (principal) 422 UNPROCESSABLE_STATE f39962f9
      POST /v1/records (principal) 403 FORBIDDEN fcd19f2d
      POST /v1/records (performer) 201 7d990450
      POST /v1/records/{id}/accept (worker) 200 600da7e2
      POST /v1/records/{id}/completions (worker) 201 29f68e61
      POST /v1/records/{id}/cancel (performer) 200 e9e15964
      GET /v1/records/{id}/chain (worker) 200 8781708a
      GET /v1/records/{id}/chain (principal) 200 4f95f7f1
      POST /v1/records/{id}/completions (performer) 422 SCHEMA_VALIDATION_ERROR 903d0f61
      POST /v1/records/{id}/completions (performer) 201 361c9045
      GET /v1/records/{id}/gate-status (principal) 200 c14f5dd8
      POST /v1/records/{id}/revision (principal) 200 65370de8
      POST /v1/records/{id}/completions (performer) 201 4eb81ca9
      GET /v1/records/{id}/completions/{completionId} (principal) 200 cc4a48ab
      POST /v1/records/{id}/verdict (performer) 403 FORBIDDEN 9d3747aa
      POST /v1/records/{id}/verdict (principal) 422 VALIDATION_ERROR 5ef87af4
      POST /v1/records/{id}/verdict (principal) 200 f168fa24
      POST /v1/records/{id}/cancel (principal) 422 UNPROCESSABLE_STATE 89247510
      POST /v1/records/{id}/completions (performer) 422 UNPROCESSABLE_STATE ab53a28c
      POST /v1/records/{id}/dispute (performer) 403 FORBIDDEN 69ce5a54
      POST /v1/records/{id}/dispute (principal) 201 58c866a8
      POST /v1/records/{id}/dispute (principal) 422 UNPROCESSABLE_STATE e3d3dece
      POST /v1/records/{id}/dispute/evidence (performer) 200 ad3b0945
      GET /v1/records/{id}/dispute (principal) 200 92a6aef3
      GET /v1/disputes (principal) 200 39a159d7
      GET /v1/disputes/{disputeId} (performer) 200 ad3b0945
      POST /v1/records/{id}/dispute/escalate (principal) 200 dcdaa741
      POST /v1/records/{id}/dispute/resolve (platform) 200 cb0e9048
      GET /v1/records/{id} (principal) 200 ad6a6ea6
      GET /v1/records/{recordId}/audit-export (principal) 200 019d6e51
      GET /v1/records/{recordId}/audit-export (principal) 200 2809ebcb
      GET /v1/records/{recordId}/audit-export (principal) 200 969de536
      GET /v1/records/{recordId}/attestation (principal) 200 454de16d
      GET /v1/records/{recordId}/attestation.bundle (principal) 200 a14d8f13
      POST /v1/records (principal) 201 53b39471
      POST /v1/records/{id}/completions (performer) 201 edffbd46
      GET /v1/records/{id}/gate-status (principal) 200 16782ba1
      POST /v1/records/{id}/dispute (principal) 201 be2dc5f1
      POST /v1/records/{id}/dispute/withdraw (principal) 200 76789695
      POST /v1/records/{id}/dispute/withdraw (principal) 422 UNPROCESSABLE_STATE 268917a1
      POST /v1/records (principal) 201 4a70452d
      POST /v1/records/{id}/transition (principal) 422 INVALID_ACTION 0e92577b
      POST /v1/records/{id}/transition (principal) 200 db3c75f2
      POST /v1/records/{id}/reject (performer) 200 faf381a0
      POST /v1/records/bulk (principal) 207 84fdd57b
      GET /v1/records (principal) 200 f06b0266
      GET /v1/records (principal) 200 18708db7
      GET /v1/records (performer) 400 VALIDATION_ERROR 22538ba0
      GET /v1/records (worker) 200 f0828e31
      GET /v1/records (admin) 200 f2202477
      GET /v1/records (nobody) 401 UNAUTHORIZED 4c22d710
      GET /v1/records (nobody) 401 UNAUTHORIZED 8b06c61d
      GET /nowhere (nobody) 404 NOT_FOUND 8241cf4e
      GET /v1/admin/agents (principal) 403 INSUFFICIENT_SCOPE 9152ce39
      GET /v1/records/{id} (principal) 404 NOT_FOUND ddbd6afb
      GET /v1/records/{id} (principal) 400 VALIDATION_ERROR c50e2363
      GET /v1/records (principal) 400 VALIDATION_ERROR 685ac6e3
      PUT /v1/records (principal) 405 METHOD_NOT_ALLOWED b4042be0
      OPTIONS /v1/records (principal) 200 38a4607f
      GET /v1/records (principal) 406 NOT_ACCEPTABLE 79396bc7
      POST /v1/records (principal) 415 UNSUPPORTED_MEDIA_TYPE 4d79de13
      POST /v1/records (principal) 413 PAYLOAD_TOO_LARGE 6952db2a
      POST /v1/records (principal) 400 VALIDATION_ERROR 686c5930
      POST /v1/records (principal) 400 VALIDATION_ERROR 61458999
      POST /v1/records (principal) 422 SCHEMA_VALIDATION_ERROR eeba1c10
      POST /v1/records (principal) 401 UNAUTHORIZED 76e8d158
      POST /v1/records (principal) 400 VALIDATION_ERROR 22540b66
      POST /v1/records (principal) 400 VALIDATION_ERROR 74e63a7e
      POST /v1/records/bulk (performer) 400 VALIDATION_ERROR e431b155
      POST /v1/schemas (admin) 201 b669eb31
      POST /v1/schemas (admin) 200 57329ed5
      POST /v1/schemas (admin) 409 CONFLICTING_VERSION 96fb3f30
      POST /v1/schemas (admin) 201 1ffdbcbe
      POST /v1/schemas (admin) 422 VALIDATION_ERROR 2fcc3b70
      POST /v1/schemas (admin) 409 RESERVED_PUBLISHER_LABEL c7b50663
      GET /v1/schemas (admin) 200 9c1f137f
      GET /v1/schemas/{type} (principal) 200 ba60ff8a
      GET /v1/schemas/{type}/versions (principal) 200 657ca09d
      POST /v1/schemas/{type}/validate (principal) 200 966c5c8a
      POST /v1/schemas/{type}/validate (principal) 200 4978019e
      GET /schemas/{publisher}/{type}/{version}/criteria.json (nobody) 200 e2942f98
      GET /schemas/{publisher}/{type}/{version}/completion.json (nobody) 200 b5bc4fa4
      GET /schemas/{publisher}/{type}/{version}/completion.json (nobody) 404 NOT_FOUND 52fa6c41
      GET /v1/schemas/export (platform) 403 ORG_REQUIRED 54d7ce4f
      GET /v1/schemas/export (admin) 200 8145694a
      DELETE /v1/schemas/{type} (admin) 409 STATUS_NOT_DISABLED e40df9b2
      PATCH /v1/schemas/{type} (admin) 200 e7bb2c2c
      PATCH /v1/schemas/{type} (admin) 200 9e79ca04
      DELETE /v1/schemas/{type} (admin) 200 c4cf2448
      PATCH /v1/schemas/{type} (admin) 200 87222edf
      DELETE /v1/schemas/{type} (admin) 409 RECORDS_REFERENCE_TYPE c50df5ad
      POST /v1/admin/orgs (platform) 201 af97154d
      POST /v1/schemas/import (other admin) 200 b851c8b8
      POST /v1/schemas/import (other admin) 200 f30c6ac9
      POST /v1/schemas/import (other admin) 422 SCHEMA_DIGEST_MISMATCH 9b9a33b9
      POST /v1/schemas (other admin) 201 5bf92324
      GET /v1/schemas/{type} (other admin) 422 AMBIGUOUS_PUBLISHER eb20ddcf
      PUT /v1/agents/{agentId}/capabilities (admin) 200 246da6f7
      PUT /v1/agents/{agentId}/encryption-key (admin) 200 8259fd2d
      POST /v1/agents/{agentId}/signing-keys (admin) 422 VALIDATION_ERROR 352b06ea
      POST /v1/agents/{agentId}/signing-keys (admin) 201 3e2ca4ab
      POST /v1/agents/{agentId}/references (admin) 201 61eb47aa
      GET /v1/agents/{agentId} (principal) 200 581653fe
      DELETE /v1/agents/{agentId}/signing-keys/{thumbprint} (admin) 200 2ea2ff6a
      GET /v1/agents/{agentId}/reputation (performer) 200 7f496c90
      GET /v1/agents/{agentId}/history (performer) 200 ec519a28
      GET /v1/agents/{agentId}/drift (performer) 200 07dcaba3
      GET /v1/agents/{agentId}/drift (admin) 200 dd009580
      GET /v1/agents/drift (admin) 200 6070ad31
      GET /v1/agents/drift (platform) 403 ORG_REQUIRED 8c31f939
      GET /v1/events (performer) 200 5262479a
      GET /v1/events (admin) 400 VALIDATION_ERROR 3c9be536
      GET /v1/siem/stream (performer) 200 0d9907a6
      GET /v1/siem/stream (admin) 400 VALIDATION_ERROR cd0af9e1
      GET /v1/siem/stream (admin) 400 VALIDATION_ERROR 23535f8f
      POST /v1/admin/agents (admin) 201 0f254fcb
      POST /v1/admin/api-keys (admin) 201 fe88b3d0
      POST /v1/admin/api-keys (admin) 201 2b25646f
      GET /v1/auth/me (leaver) 200 6aeb1094
      POST /v1/auth/keys/rotate (leaver) 201 ea96072e
      POST /v1/auth/keys/rotate (leaver) 422 VALIDATION_ERROR d9026045
      GET /v1/admin/agents (admin) 200 1f1e73fa
      POST /v1/admin/agents/{id}/deactivate (admin) 200 16bdc2a9
      GET /v1/auth/me (leaver) 403 ACCOUNT_DEACTIVATED 18e55c09
      PATCH /v1/admin/api-keys/{keyId} (platform) 422 VALIDATION_ERROR 680d07d5
      PATCH /v1/admin/api-keys/{keyId} (admin) 403 PLATFORM_REQUIRED eea9bddf
      POST /v1/admin/agents/{id}/reactivate (admin) 403 FORBIDDEN ad4f2f28
      POST /v1/admin/agents/{id}/reactivate (platform) 200 a26bb0a5
      POST /v1/admin/api-keys (admin) 201 fe88b3d0
      PATCH /v1/admin/api-keys/{keyId} (admin) 200 ff863ef7
      PATCH /v1/admin/api-keys/{keyId} (admin) 403 PLATFORM_REQUIRED eea9bddf
      POST /v1/admin/api-keys/bulk-revoke (admin) 200 5ad13af8
      GET /v1/admin/api-keys (admin) 200 e9e97c0a
      POST /v1/admin/orgs (admin) 403 FORBIDDEN 15fddad0
      POST /v1/admin/trusted-issuers (platform) 201 9d3b40da
      POST /v1/admin/trusted-issuers (platform) 409 CONFLICT e779abf7
      PATCH /v1/admin/trusted-issuers/{id} (platform) 200 b0ba2ca7
      GET /v1/admin/trusted-issuers/{id} (platform) 200 995e7d58
      GET /v1/admin/trusted-issuers (platform) 200 c4fc8b1a
      POST /v1/auth/oidc/cert (nobody) 201 5894dc63
      GET /v1/auth/me (certificate) 200 16c02117
      POST /v1/records (certificate) 201 45d616ee
      POST /v1/auth/oidc/cert (nobody) 401 UNAUTHORIZED 6f44838e
      POST /v1/auth/oidc/cert (nobody) 400 VALIDATION_ERROR 42a21ae8
      POST /v1/admin/ephemeral-certs/{id}/revoke (platform) 200 42236f1c
      GET /v1/auth/me (certificate) 401 UNAUTHORIZED a6e2fda5
      POST /v1/admin/trusted-issuers/{id}/revoke-certs (platform) 200 31bb3a98
      DELETE /v1/admin/trusted-issuers/{id} (platform) 409 ROW_HAS_DEPENDENT_RECORDS e76b1681
      POST /v1/admin/trusted-issuers (platform) 201 9d3b40da
      POST /v1/auth/oidc/cert (nobody) 503 SERVICE_UNAVAILABLE ed863ebc
      DELETE /v1/admin/trusted-issuers/{id} (platform) 200 bbfec699
      POST /v1/webhooks (admin) 201 65306b36
      POST /v1/webhooks (admin) 400 VALIDATION_ERROR bb95a993
      POST /v1/webhooks (admin) 422 VALIDATION_ERROR b5ef7d08
      POST /v1/webhooks (admin) 422 VALIDATION_ERROR 825223ed
      POST /v1/webhooks (admin) 422 VALIDATION_ERROR 936b55ed
      POST /v1/webhooks (platform) 403 ORG_REQUIRED 81586d4d
      GET /v1/webhooks (admin) 200 791f83f0
      GET /v1/webhooks/{id} (admin) 200 5c26853d
      GET /v1/webhooks/{id} (principal) 404 NOT_FOUND 9cdeb263
      GET /v1/webhooks/{id} (platform) 403 WEBHOOK_NOT_OWNED 8414a319
      PATCH /v1/webhooks/{id} (admin) 200 ce11117c
      PATCH /v1/webhooks/{id} (admin) 422 VALIDATION_ERROR 085b9384
      POST /v1/webhooks/{id}/rotate (admin) 200 153bc9fa
      POST /v1/webhooks/{id}/pause (admin) 200 441ab614
      POST /v1/webhooks/{id}/resume (admin) 200 ce11117c
      POST /v1/webhooks/{id}/ping (admin) 200 7c165b11
      GET /v1/webhooks/{id}/deliveries (admin) 200 aff37ca3
      GET /v1/webhooks/{id}/dlq (admin) 200 477f4555
      POST /v1/webhooks/{id}/dlq/retry-all (admin) 200 1a14d962
      POST /v1/webhooks/{id}/dlq/{dlqId}/retry (admin) 404 NOT_FOUND 1f3f7b80
      DELETE /v1/webhooks/{id}/dlq/{dlqId} (admin) 404 NOT_FOUND 94fdda27
      GET /v1/admin/webhooks/health (platform) 200 ab04caf4
      PATCH /v1/admin/webhooks/{id}/circuit-breaker (platform) 200 5ab08da0
      GET /v1/admin/webhook-dlq (platform) 200 98522b23
      DELETE /v1/admin/webhook-dlq/{dlqId} (platform) 404 NOT_FOUND bec886e1
      DELETE /v1/webhooks/{id} (admin) 200 238a7022
      PATCH /v1/webhooks/{id} (admin) 422 VALIDATION_ERROR 56d7da4e
      POST /v1/webhooks/{id}/ping (admin) 422 VALIDATION_ERROR fd710e8c
      POST /v1/agents/{agentId}/signing-keys (admin) 201 bb9c6c45
      POST /v1/scitt/entries (principal) 201 695f7637
      POST /v1/scitt/entries (principal) 200 63f032ac
      POST /v1/scitt/entries (principal) 400 VALIDATION_ERROR 20d3edfb
      POST /v1/scitt/entries (principal) 400 VALIDATION_ERROR 1d142263
      POST /v1/scitt/entries (principal) 400 VALIDATION_ERROR a29098e9
      POST /v1/scitt/entries (principal) 400 95e5a43c
      POST /v1/scitt/entries (principal) 415 UNSUPPORTED_MEDIA_TYPE 304bc68c
      POST /v1/scitt/entries (platform) 403 ORG_REQUIRED 1d302b79
      GET /v1/scitt/entries/{entryId} (principal) 200 b564de1f
      GET /v1/scitt/entries/{entryId} (principal) 200 58153bde
      GET /v1/scitt/entries/{entryId} (principal) 406 NOT_ACCEPTABLE bf0dcb38
      GET /v1/scitt/entries/{entryId} (principal) 404 NOT_FOUND e2e104f8
      GET /v1/scitt/checkpoint (admin) 200 95229c06
      GET /v1/scitt/checkpoint (platform) 403 ORG_REQUIRED 3603929a
      GET /v1/scitt/consistency (admin) 200 f66ace96
      GET /v1/scitt/consistency (admin) 400 VALIDATION_ERROR d44dc124
      GET /.well-known/scitt-keys (nobody) 200 a66911b2
      GET /v1/verification-keys (nobody) 200 9b32eaa0
      GET /.well-known/scitt-keys/{kid} (nobody) 200 a66911b2
      GET /.well-known/scitt-keys/{kid} (nobody) 404 NOT_FOUND 33b856ad
      GET /lifecycle (principal) 200 49bd75d9
      GET /lifecycle (principal) 200 e7d63434
      GET /lifecycle (principal) 200 26eb053d
      GET /lifecycle (principal) 200 bbf1e9b0
      GET /lifecycle (principal) 406 NOT_ACCEPTABLE e333ba6e
      GET / (nobody) 200 e6b2dd89
      GET /v1/verification-keys (nobody) 200 69796698
      GET /.well-known/service-vault-keys.json (nobody) 200 69796698
      GET /v1/scope-profiles (nobody) 200 caccfe1c
      GET /predicates (nobody) 200 8b690e3b
      GET /predicates/{kind}/v1 (nobody) 200 be819f19
      GET /problems/{slug} (nobody) 200 551f8ef6
      GET /livez (nobody) 200 67fc60f7
      GET /readyz (nobody) 200 e7acd324
      GET /health (nobody) 200 7f221c0d
      GET /status (nobody) 400 VALIDATION_ERROR a55c1e5e
      GET /docs/openapi.json (nobody) 200 2460230b
      GET /docs/openapi.yaml (nobody) 200 69f13bef
      GET /docs (nobody) 200 b9998fd9
      GET /docs/guides/{guide} (nobody) 200 b9998fd9
      GET /docs/notary-gates.mjs (nobody) 200 535eefed
      GET /docs/notary-gates.mjs.sha256 (nobody) 200 4d774f6f
      GET /docs/notary-verify.mjs (nobody) 200 535eefed
      GET /docs/notary-verify.mjs.sha256 (nobody) 200 4d774f6f
      GET /docs/pages.css (nobody) 200 655ab0c2
      GET /docs/reference (nobody) 200 b9998fd9
      GET /docs/reference/{section} (nobody) 200 b9998fd9
      GET /docs/search (nobody) 200 7b149060
      GET /llms.txt (nobody) 200 4d774f6f
      GET /llms-full.txt (nobody) 200 4d774f6f
      GET /docs/verify (nobody) 200 0c8517cc
      GET /docs/verify-page.js (nobody) 200 535eefed
      GET /console (nobody) 200 21aed500
      GET /console/console.css (nobody) 200 a683919f
      GET /console/console.js (nobody) 200 1010b64b
      GET /console/plots.js (nobody) 200 1010b64b
      GET /console/verifier.js (nobody) 200 1010b64b
      GET /docs/provisioning/{document} (nobody) 200 3b6f237d
      GET /docs/provisioning/{document} (nobody) 404 NOT_FOUND 8f0dd9b4
      POST /v1/admin/vault/signing-keys/rotate (admin) 403 FORBIDDEN 745b7495
      POST /v1/admin/vault/signing-keys/rotate (platform) 400 VALIDATION_ERROR d753157c
      POST /v1/admin/vault/signing-keys/rotate (platform) 200 f2b6c2c8
      GET /v1/admin/vault/signing-keys (platform) 200 857cbbd9
      GET /v1/verification-keys (nobody) 200 d24c8810
      GET /v1/admin/vault/anchors (admin) 403 FORBIDDEN 09712e88
      GET /v1/admin/vault/anchors (platform) 400 VALIDATION_ERROR 3a8ba4fa
      GET /v1/admin/vault/anchors (platform) 200 047cac60
      POST /v1/admin/vault/anchors/verify (platform) 200 047cac60
      POST /v1/admin/vault/anchors/reconcile (platform) 200 064b9780
      GET /v1/admin/vault/rewind (admin) 403 FORBIDDEN 3caede7f
      GET /v1/admin/vault/rewind (platform) 200 047cac60
      POST /v1/admin/vault/rewind/acknowledge (platform) 400 VALIDATION_ERROR 2b206639
      POST /v1/admin/vault/rewind/acknowledge (platform) 200 e4e32760
      GET /v1/audit-vault/checkpoints (principal) 403 INSUFFICIENT_SCOPE 5b8d0632
      GET /v1/audit-vault/checkpoints (admin) 200 7321b843
      POST /v1/admin/vault/scan (admin) 403 FORBIDDEN 2642d5bc
      POST /v1/admin/vault/scan (platform) 202 39c53bbd
      POST /v1/admin/vault/scan (platform) 409 CONFLICT b538aaa8
      GET /v1/admin/vault/scan/{jobId} (platform) 200 cdb2b168
      GET /v1/admin/vault/scan/{jobId} (platform) 200 15f20823
      GET /v1/admin/vault/scan/{jobId} (platform) 404 NOT_FOUND 0a880c39
      POST /v1/compliance/exports (principal) 403 INSUFFICIENT_SCOPE 61131694
      POST /v1/compliance/exports (platform) 403 ORG_REQUIRED 6477e3f5
      POST /v1/compliance/exports (admin) 400 VALIDATION_ERROR 2c6c2d09
      POST /v1/compliance/exports (admin) 201 815d6426
      GET /v1/compliance/exports (admin) 200 336e23e9
      GET /v1/compliance/exports/{id} (admin) 200 5ae11ca2
      GET /v1/compliance/exports/{id}/download (admin) 422 UNPROCESSABLE_STATE 420770c2
      POST /v1/admin/witnesses (platform) 201 761cc0ae
      GET /v1/admin/witnesses (platform) 200 b757e9d9
      GET /v1/audit/org-reads/checkpoints (platform) 200 5d335507
      GET /v1/audit/org-reads/checkpoints/{id} (platform) 404 NOT_FOUND 1aa2cb36
      GET /v1/audit/org-reads/checkpoints/{id}/proof (platform) 404 NOT_FOUND 6e52bf56
      POST /v1/audit/org-reads/checkpoints/{id}/cosign (platform) 404 NOT_FOUND 01a0ea44
      GET /v1/audit/org-reads/checkpoints (admin) 200 8407048d
      GET /v1/audit/org-reads/checkpoints/{id} (admin) 200 dbf3e5bf
      GET /v1/audit/org-reads/checkpoints/{id}/proof (admin) 200 7f196a1b
      GET /v1/audit/org-reads/checkpoints/{id}/proof (admin) 400 VALIDATION_ERROR fb2c628b
      POST /v1/audit/org-reads/checkpoints/{id}/cosign (principal) 403 INSUFFICIENT_SCOPE 707b4c11
      POST /v1/audit/org-reads/checkpoints/{id}/cosign (admin) 422 VALIDATION_ERROR 3096a5bb
      POST /v1/audit/org-reads/checkpoints/{id}/cosign (admin) 404 NOT_FOUND 4bf8c08e
      POST /v1/audit/org-reads/checkpoints/{id}/cosign (admin) 200 3cee5875
      POST /v1/audit/org-reads/checkpoints/{id}/cosign (admin) 409 CONFLICT 687b1271
      DELETE /v1/admin/witnesses/{witnessKeyId} (platform) 200 ffaa8fff
      GET /v1/admin/rate-limit-exemptions/{ownerId} (platform) 404 NOT_FOUND aa96edfa
      PUT /v1/admin/rate-limit-exemptions/{ownerId} (admin) 403 FORBIDDEN 8e08ab73
      PUT /v1/admin/rate-limit-exemptions/{ownerId} (platform) 200 e4c5b89c
      GET /v1/admin/rate-limit-exemptions/{ownerId} (platform) 200 ec1050d1
      DELETE /v1/admin/rate-limit-exemptions/{ownerId} (platform) 200 906080cc
      DELETE /v1/admin/rate-limit-exemptions/{ownerId} (platform) 404 NOT_FOUND aa96edfa
      GET /v1/admin/system-health (admin) 403 FORBIDDEN 1f52e261
      GET /v1/admin/ops-summary (admin) 403 FORBIDDEN 5bae3679
      GET /v1/admin/support-bundle (admin) 403 FORBIDDEN 83395d5c
      GET /v1/conformance (admin) 200 e0be5e41
      GET /conformance (admin) 200 e0be5e41
      GET /v1/admin/provisioning/status (platform) 200 c0a3a610
      POST /v1/admin/provisioning/reload (platform) 422 VALIDATION_ERROR 44d0ee6e
      GET /federation/v1/identity (nobody) 200 043addbc
      POST /v1/admin/federation/peers (platform) 201 d717d850
      POST /v1/admin/federation/peers (platform) 409 CONFLICT 69f67234
      POST /v1/admin/federation/peers (platform) 422 VALIDATION_ERROR 0e5ee3b7
      POST /v1/admin/federation/peers (platform) 422 VALIDATION_ERROR cf5d7782
      POST /v1/admin/federation/peers (admin) 403 FORBIDDEN 44419c53
      POST /v1/admin/federation/peers/{hubId}/suspend (platform) 422 UNPROCESSABLE_STATE 4d0b9980
      GET /v1/admin/federation/peers/{hubId} (platform) 200 9561a145
      GET /v1/admin/federation/peers/{hubId} (platform) 200 47a2d94a
      POST /v1/admin/federation/peers/{hubId}/approve (platform) 422 VALIDATION_ERROR f177a31a
      POST /v1/admin/federation/peers/{hubId}/approve (platform) 200 815cd8cc
      PATCH /v1/admin/federation/peers/{hubId} (platform) 200 b24b069a
      POST /v1/admin/federation/peers/{hubId}/suspend (platform) 200 42beb5b6
      POST /v1/admin/federation/peers/{hubId}/resume (platform) 200 b24b069a
      POST /v1/admin/federation/peers/{hubId}/revoke (platform) 200 c25c5589
      GET /v1/admin/federation/peers (platform) 200 83811eae
      POST /v1/admin/federation/hub-key/rotate (platform) 200 638bb979
      GET /federation/v1/admin/dlq (platform) 200 98522b23
      POST /federation/v1/admin/dlq/recover (platform) 200 0b69dfaf
      POST /v1/admin/api-keys (admin) 201 59c5cfb0
      POST /v1/records/bulk (another key of the worker) 413 PAYLOAD_TOO_LARGE 0608be37
      POST /v1/records/bulk (another key of the worker) 207 52926821
      POST /v1/records/bulk (another key of the worker) 429 RATE_LIMITED ad730a65
      POST /v1/records/bulk (someone in a hurry) 409 CONFLICT 2f5f7480"
    `);
  });
});

it('every operation of the document is in the story', () => {
  const asked = (path: string): RegExp =>
    new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
  const isAsked = (name: string): boolean =>
    [...recorder.paths].some((one) => asked(name).test(one));
  expect(
    documentedOperations()
      .map(({ name }) => name)
      .filter((name) => !isAsked(name)),
  ).toEqual([]);
});

it('every code that a caller can meet is in the story', () => {
  expect([...recorder.codes].sort()).toEqual([
    'ACCOUNT_DEACTIVATED',
    'AMBIGUOUS_PUBLISHER',
    'CONFLICT',
    'CONFLICTING_VERSION',
    'FORBIDDEN',
    'INSUFFICIENT_SCOPE',
    'INVALID_ACTION',
    'METHOD_NOT_ALLOWED',
    'NOT_ACCEPTABLE',
    'NOT_FOUND',
    'ORG_REQUIRED',
    'PAYLOAD_TOO_LARGE',
    'PLATFORM_REQUIRED',
    'PRECONDITION_FAILED',
    'RATE_LIMITED',
    'RECORDS_REFERENCE_TYPE',
    'RESERVED_PUBLISHER_LABEL',
    'ROW_HAS_DEPENDENT_RECORDS',
    'SCHEMA_DIGEST_MISMATCH',
    'SCHEMA_VALIDATION_ERROR',
    'SERVICE_UNAVAILABLE',
    'STATUS_NOT_DISABLED',
    'UNAUTHORIZED',
    'UNPROCESSABLE_STATE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_ERROR',
    'WEBHOOK_NOT_OWNED',
  ]);
});
