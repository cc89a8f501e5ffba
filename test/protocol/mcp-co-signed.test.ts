import { beforeAll, describe, expect, it } from 'vitest';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { META } from '../../adapters/mcp/refusal.ts';
import { useApi } from '../support/service/api.ts';
import { useCoSigners, type Holder } from '../support/clients/co-signing.ts';
import { mcpHeaders, mcpRequest } from '../support/clients/mcp.ts';
import { OIDC_ENV } from '../support/peers/oidc.ts';
import { GOAL, ok, type Answer, type Body } from '../support/service/world.ts';

/** RFC 9421 over POST /mcp, by a library that is not ours. */
const api = useApi(OIDC_ENV);
const signers = useCoSigners(api, 'records:write completions:write disputes:write audit:read');
let principal: Holder;
let performer: Holder;
beforeAll(async () => {
  principal = await signers.holder();
  performer = await signers.holder(api.world.performer.id);
});

const post = async (
  holder: Holder,
  name: string,
  given: Body,
  path = '/mcp',
  capabilities: Body = {},
): Promise<Answer<Body>> => {
  const request = mcpRequest('tools/call', { name, arguments: given }, capabilities);
  const text = JSON.stringify(request);
  const signature = await signers.requestHeaders(holder, 'POST', path, text);
  return holder.client.post(path, text, { ...signature, ...mcpHeaders(request) });
};
const calls = async (...asked: Parameters<typeof post>): Promise<Body> => {
  const { result } = await ok(post(...asked));
  expect(result.isError, JSON.stringify(result)).toBeFalsy();
  return result.structuredContent as Body;
};

/** The export with what was proven, and what the offline verifier says of it. */
const verified = async (id: unknown, change = (_: Body): void => undefined) => {
  const path = `/v1/records/${String(id)}/audit-export?evidence=true`;
  const document = await ok(principal.client.get(path));
  change(document);
  const report = await verifyAuditExport(JSON.stringify(document), {
    trust: trustOf({ kind: 'none' }),
    trustEmbedded: true,
  });
  const entries = document['chain'].entries as Body[];
  const blocks = entries.map(
    ({ statement }) => statement.predicate.coSignature as Body | undefined,
  );
  return { report, blocks, entries };
};
const PASSED = { failures: [], checks: { coSignatures: { result: 'passed' } } };

describe('a co-signed call of a tool', () => {
  it('is sealed with each act of the gate path, and verifies offline', async () => {
    const { id: recordId } = await calls(principal, 'open_record', {
      type: 'job',
      criteria: GOAL,
      performerAgentId: api.world.performer.id,
      idempotencyKey: 'a',
    });
    await calls(performer, 'accept_proposal', { recordId: String(recordId).toUpperCase() });
    const { id: completionId } = await calls(performer, 'submit_completion', {
      recordId,
      evidence: { score: 9 },
      expectedVersions: [2],
    });
    await calls(principal, 'render_verdict', { recordId, completionId, verdict: 'accept' });
    await calls(principal, 'open_dispute', { recordId });
    const { report, blocks, entries } = await verified(recordId);
    expect(report).toMatchObject(PASSED);
    const acts = entries.filter(({ entryType }) => entryType !== 'SIGNAL_EMITTED').length;
    expect(acts).toBe(5);
    const signed = blocks.filter((block) => block?.['targetUri'] === `${api.world.url}/mcp`);
    expect(signed).toHaveLength(acts);
  });

  it('seals of several records which of them each is', async () => {
    const items = [1, 2].map((n) => ({ type: 'note', criteria: { n } }));
    const { data } = await calls(principal, 'notarize_many', { items });
    const { report, blocks } = await verified((data as Body[])[1]!['record'].id);
    expect(report).toMatchObject(PASSED);
    expect(blocks[0]).toMatchObject({ item: 1 });
  });

  it('is refused by the verifier where its body asks for another act, or another record', async () => {
    const { id: recordId } = await calls(principal, 'notarize', {
      type: 'job',
      criteria: GOAL,
      performerAgentId: api.world.performer.id,
    });
    await calls(principal, 'act_on_record', { recordId, action: 'cancel', reason: 'No.' });
    expect((await verified(recordId)).report).toMatchObject(PASSED);
    const swapped = (from: string, to: string) =>
      verified(recordId, (document) => {
        const [, entry] = (document['chain'].entries as Body[]).filter(({ request }) => request);
        const text = Buffer.from(String(entry!['request']), 'base64').toString();
        expect(text).toContain(from);
        entry!['request'] = Buffer.from(text.replace(from, to)).toString('base64');
      });
    for (const [from, to] of [
      [String(recordId), crypto.randomUUID()],
      ['cancel', 'reject'],
      ['act_on_record', 'open_dispute'],
    ] as const)
      expect((await swapped(from, to)).report.failures).not.toEqual([]);
  });

  it('is good once, has no query, and asks nobody for what it leaves out', async () => {
    const request = mcpRequest('tools/call', {
      name: 'notarize',
      arguments: { type: 'note', criteria: {} },
    });
    const text = JSON.stringify(request);
    const headers = {
      ...(await signers.requestHeaders(principal, 'POST', '/mcp', text)),
      ...mcpHeaders(request),
    };
    expect((await principal.client.post('/mcp', text, headers)).body).toHaveProperty('result');
    const again = await principal.client.post('/mcp', text, headers);
    expect(again.body['result']).toMatchObject({
      isError: true,
      _meta: { [META.problem]: { status: 401 } },
    });
    const query = await post(principal, 'notarize', { type: 'note', criteria: {} }, '/mcp?a=b');
    expect(query).toMatchObject({ status: 400, body: { error: { data: { status: 400 } } } });
    const asking = { elicitation: {} };
    const missing = await post(principal, 'notarize', { criteria: {} }, '/mcp', asking);
    expect(missing.body['result']).toMatchObject({ isError: true });
  });
});
