import { beforeAll, describe, expect, it } from 'vitest';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { useCoSigners, type Holder } from '../support/clients/co-signing.ts';
import { OIDC_ENV } from '../support/peers/oidc.ts';
import { GOAL, ok, openJob, type Answer, type Body } from '../support/service/world.ts';

/** RFC 9421 over POST /a2a, by a library that is not ours. */
const api = useApi(OIDC_ENV);
const signers = useCoSigners(
  api,
  'records:write completions:write disputes:write audit:read webhooks:write',
);
let principal: Holder;
let performer: Holder;
beforeAll(async () => {
  principal = await signers.holder();
  performer = await signers.holder(api.world.performer.id);
});

const request = (data: Body, taskId?: unknown, id: unknown = 1): Body => ({
  jsonrpc: '2.0',
  id,
  method: 'SendMessage',
  params: {
    message: {
      messageId: crypto.randomUUID(),
      role: 'ROLE_USER',
      parts: [{ data }],
      ...(taskId ? { taskId: String(taskId).toUpperCase() } : {}),
    },
    configuration: { returnImmediately: true },
  },
});
const post = async (holder: Holder, body: Body, path = '/a2a'): Promise<Answer<Body>> => {
  const text = JSON.stringify(body);
  const signature = await signers.requestHeaders(holder, 'POST', path, text);
  return holder.client.post(path, text, { ...signature, 'a2a-version': '1.0' });
};
const sends = async (...asked: Parameters<typeof post>): Promise<Body> => {
  const body = await ok(post(...asked));
  expect(body).not.toHaveProperty('error');
  return Array.isArray(body) ? body : (body['result'].task as Body);
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
  const blocks = (document['chain'].entries as Body[]).map(
    ({ statement }) => statement.predicate.coSignature as Body | undefined,
  );
  return { report, blocks, entries: document['chain'].entries as Body[] };
};
const note = (n: number) => ({ skill: 'notarize', input: { type: 'note', criteria: { n } } });

describe('a co-signed call of A2A', () => {
  it('is sealed with each act of the gate path, and verifies offline', async () => {
    const open = { type: 'job', criteria: GOAL, performerAgentId: api.world.performer.id };
    const { id } = await sends(principal, request({ skill: 'open-record', input: open }));
    const accept = { skill: 'respond-to-proposal', input: { action: 'accept' } };
    await sends(performer, request(accept, id));
    const evidence = { skill: 'submit-completion', input: { evidence: { score: 9 } } };
    const task = await sends(performer, request(evidence, id));
    const completionId = task['artifacts'][0].parts[0].data.id as string;
    const input = { recordId: id, completionId, verdict: 'accept' };
    await sends(principal, request({ skill: 'render-verdict', input }));
    await sends(principal, request({ skill: 'dispute', input: {} }, id));
    const { report, blocks, entries } = await verified(id);
    expect(report).toMatchObject({ failures: [], checks: { coSignatures: { result: 'passed' } } });
    const acts = entries.filter(({ entryType }) => entryType !== 'SIGNAL_EMITTED').length;
    expect(acts).toBe(5);
    expect(blocks.filter((block) => block?.['targetUri'] === `${api.world.url}/a2a`)).toHaveLength(
      acts,
    );
  });

  it('may bring a push configuration along, but no token and no credentials: it is kept as it was sent', async () => {
    const { id } = await openJob(api.world, { autoActivate: false });
    const asked = (taskPushNotificationConfig: Body): Body => {
      const { params, ...rest } = request(
        { skill: 'respond-to-proposal', input: { action: 'accept' } },
        id,
      );
      return { ...rest, params: { ...params, configuration: { taskPushNotificationConfig } } };
    };
    const url = 'https://receiver.example.com/';
    for (const secret of [
      { token: 'secret' },
      { authentication: { scheme: 'Bearer', credentials: 'secret' } },
    ]) {
      const { body } = await post(performer, asked({ url, ...secret }));
      expect(body['error'].message).toContain('no token and no credentials');
    }
    expect((await ok(principal.client.get(`/v1/records/${String(id)}`)))['status']).toBe(
      'PROPOSED',
    );
    await sends(performer, asked({ url }));
    expect((await verified(id)).report).toMatchObject({
      failures: [],
      checks: { coSignatures: { result: 'passed' } },
    });
  });

  it('is refused by the verifier where its body asks for another act, or another record', async () => {
    const { id } = await openJob(api.world, { autoActivate: false });
    const cancel = {
      jsonrpc: '2.0',
      id: 1,
      method: 'CancelTask',
      params: { id },
    };
    await sends(principal, cancel);
    expect((await verified(id)).report.failures).toEqual([]);
    const swapped = await verified(id, (document) => {
      const entry = (document['chain'].entries as Body[]).find(({ request: one }) => one)!;
      const text = Buffer.from(String(entry['request']), 'base64').toString();
      entry['request'] = Buffer.from(text.replace(String(id), crypto.randomUUID())).toString(
        'base64',
      );
    });
    expect(swapped.report.failures).not.toEqual([]);
  });

  it('seals in a batch which member the entry is, and in a bulk which record', async () => {
    const batch = [request(note(1), undefined, 1), request(note(2), undefined, 2)];
    const answers = (await sends(principal, batch)) as unknown as Body[];
    const ids = answers.map(({ result }) => result.task.id as string);
    for (const [item, id] of ids.entries()) {
      const { report, blocks } = await verified(id);
      expect(report).toMatchObject({
        failures: [],
        checks: { coSignatures: { result: 'passed' } },
      });
      expect(blocks[0]).toMatchObject({ item });
    }
    const items = [1, 2].map((n) => ({ type: 'note', criteria: { n } }));
    const bulk = { skill: 'notarize', operation: 'createRecordsBulk', input: { items } };
    const { body } = await post(principal, request(bulk));
    const [, second] = body['result'].message.parts[0].data.data as [Body, Body];
    const { report, blocks } = await verified(second['record'].id);
    expect(report).toMatchObject({ failures: [], checks: { coSignatures: { result: 'passed' } } });
    expect(blocks[0]).toMatchObject({ item: 1 });
  });

  it('is good once, and has no query', async () => {
    const text = JSON.stringify(request(note(3)));
    const headers = {
      ...(await signers.requestHeaders(principal, 'POST', '/a2a', text)),
      'a2a-version': '1.0',
    };
    expect((await principal.client.post('/a2a', text, headers)).body).toHaveProperty('result');
    const again = await principal.client.post('/a2a', text, headers);
    expect(again.body['error'].data[1]).toMatchObject({ status: 401 });
    const query = await post(principal, request(note(4)), '/a2a?A2A-Version=1.0');
    expect(query.body['error'].data[1]).toMatchObject({ status: 400 });
  });
});
