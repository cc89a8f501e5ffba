import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Vault } from '../../application/sealing/vault.ts';
import { OPERATIONS } from '../../config/operations.ts';
import { TOKENS } from '../../config/tokens.ts';
import { openOrgRead } from '../../domain/transparency/org-read.ts';
import { META } from '../../adapters/mcp/refusal.ts';
import { TOOLS } from '../../adapters/mcp/tools.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../domain/verification/formats/verify-audit-export.ts';
import { useApi } from '../support/service/api.ts';
import { callTool, mcp, mcp2025Client, mcpClient } from '../support/clients/mcp.ts';
import { addAgent, GOAL, ok, type Body } from '../support/service/world.ts';

/** The official clients, unchanged. Each checks structured results against the schema that the tool promised. */
const api = useApi();

interface AnyClient {
  callTool(params: { name: string; arguments: Body }): Promise<unknown>;
  listTools(): Promise<{ tools: unknown[] }>;
  listResources(): Promise<{ resources: unknown[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: unknown[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  close(): Promise<void>;
}
const opened: AnyClient[] = [];
const open = async (name: string, of: Parameters<typeof mcpClient>[0]): Promise<AnyClient> => {
  const client = (
    name === '2025' ? await mcp2025Client(of) : await mcpClient(of, NEGOTIATED)
  ) as AnyClient;
  opened.push(client);
  return client;
};
const NEGOTIATED = { versionNegotiation: { mode: 'auto' } } as const;
afterAll(() => Promise.all(opened.map((client) => client.close())));

const call = async (client: AnyClient, name: string, given: Body): Promise<Body> =>
  (await client.callTool({ name, arguments: given })) as Body;
const view = async (...asked: Parameters<typeof call>): Promise<Body> => {
  const { isError, structuredContent, content } = await call(...asked);
  expect(isError, JSON.stringify(content)).toBeFalsy();
  return structuredContent as Body;
};

describe.each(['2026', '2025'])('the client of %s', (name) => {
  let principal: AnyClient;
  let performer: AnyClient;
  beforeAll(async () => {
    principal = await open(name, api.world.principal.client);
    performer = await open(name, api.world.performer.client);
    // The client checks the results of tools that it knows.
    await principal.listTools();
    await performer.listTools();
  });

  it('goes the whole path by tools, and takes a proof along that verifies offline', async () => {
    const { id: recordId, nextSteps } = await view(principal, 'open_record', {
      type: 'job',
      criteria: GOAL,
      performerAgentId: api.world.performer.id,
    });
    expect((nextSteps as Body[]).map(({ tool }) => tool)).toContain('act_on_record');
    const accepted = await view(performer, 'accept_proposal', { recordId });
    expect(accepted['status']).toBe('ACTIVE');
    const { id: completionId } = await view(performer, 'submit_completion', {
      recordId,
      evidence: { score: 9 },
    });
    const judged = await view(principal, 'render_verdict', {
      recordId,
      completionId,
      verdict: 'accept',
    });
    expect(judged['status']).toBe('FULFILLED');
    const disputed = await view(principal, 'open_dispute', { recordId });
    expect(disputed['recordId']).toBe(recordId);
    for (const [tool, given] of [
      ['get_record', { recordId }],
      ['list_records', { limit: 2 }],
      ['get_completion', { recordId, completionId }],
      ['get_gate_status', { recordId }],
      ['get_delegation_tree', { recordId }],
      ['get_record_dispute', { recordId }],
      ['list_disputes', {}],
      ['list_record_types', {}],
      ['get_record_type', { type: 'job' }],
      ['export_bundle', { recordId }],
      ['list_verification_keys', {}],
      ['whoami', {}],
    ] as const)
      expect(await view(principal, tool, given)).toBeTypeOf('object');
    const proof = await view(principal, 'export_audit', { recordId });
    const report = await verifyAuditExport(JSON.stringify(proof), {
      trust: trustOf({ kind: 'none' }),
      trustEmbedded: true,
    });
    expect(report.failures).toEqual([]);
  });

  it('is told the next tools, each with arguments that it takes', async () => {
    const { id: recordId } = await view(principal, 'open_record', {
      type: 'job',
      criteria: GOAL,
      performerAgentId: api.world.performer.id,
    });
    const { content, structuredContent } = await call(performer, 'get_record', { recordId });
    const steps = structuredContent['nextSteps'] as Body[];
    const accept = steps.find(({ tool }) => tool === 'accept_proposal')!;
    expect(accept['arguments']).toEqual({ recordId });
    expect(content[0].text).toContain('accept_proposal');
    expect(JSON.parse(content[1].text as string)).toEqual(structuredContent);
    const taken = await view(performer, 'accept_proposal', accept['arguments'] as Body);
    expect(taken['status']).toBe('ACTIVE');
  });

  it('repeats a call by its key alone, whatever the id of the request', async () => {
    const given = { type: 'note', criteria: { n: 1 }, idempotencyKey: crypto.randomUUID() };
    const first = await call(principal, 'notarize', given);
    const again = await call(principal, 'notarize', given);
    expect(again['structuredContent'].id).toBe(first['structuredContent'].id);
    expect(first['_meta'][META.isReplay]).toBeUndefined();
    expect(again['_meta'][META.isReplay]).toBe(true);
    const other = await call(principal, 'notarize', { ...given, criteria: { n: 2 } });
    expect(other).toMatchObject({ isError: true });
    expect(other['content'][0].text).toContain('with another input');
    const { idempotencyKey: _, ...unkeyed } = given;
    const [one, two] = [
      await view(principal, 'notarize', unkeyed),
      await view(principal, 'notarize', unkeyed),
    ];
    expect(one['id']).not.toBe(two['id']);
  });

  it('is told in words what is wrong with a call, and what to do', async () => {
    const wrong = async (tool: string, given: Body): Promise<string> => {
      const result = await call(principal, tool, given);
      expect(result['isError']).toBe(true);
      expect(result['structuredContent']).toBeUndefined();
      return result['content'][0].text as string;
    };
    const unknown = await wrong('notarize', { typ: 'note', criteria: {} });
    expect(unknown).toContain('/typ');
    expect(unknown).toContain('"type"');
    expect(unknown).toContain('Example: ');
    expect(await wrong('notarize', { type: 'nothing', criteria: {} })).toContain('Allowed: ');
    const unfit = await wrong('open_record', { type: 'job', criteria: { threshold: 1 } });
    expect(unfit).toContain('SCHEMA_VALIDATION_ERROR');
    expect(unfit).toContain('/goal');
    expect(await wrong('get_record', { recordId: 'x' })).toContain('/recordId');
    const key = await wrong('notarize', { type: 'note', criteria: {}, idempotencyKey: '' });
    expect(key).toContain('/idempotencyKey');
    expect(await wrong('get_record', { recordId: 1, idempotencyKey: 'k' })).toContain(
      '/idempotencyKey',
    );
    const { id: recordId } = await view(principal, 'open_record', { type: 'job', criteria: GOAL });
    const early = await wrong('render_verdict', {
      recordId,
      completionId: crypto.randomUUID(),
      verdict: 'accept',
    });
    expect(early).toMatch(/UNPROCESSABLE_STATE|INVALID_ACTION|NOT_FOUND/);
    await expect(principal.callTool({ name: 'notarise', arguments: {} })).rejects.toThrow(
      /"notarize" is near/,
    );
  });

  it('reads records, types and proofs as resources', async () => {
    const { id } = await view(principal, 'notarize', { type: 'note', criteria: { n: 1 } });
    const { resourceTemplates } = await principal.listResourceTemplates();
    expect((resourceTemplates as Body[]).map(({ uriTemplate }) => uriTemplate)).toEqual([
      'notary://records/{id}',
      'notary://records/{id}/statement',
      'notary://records/{id}/proof',
      'notary://types/{type}',
    ]);
    const read = async (uri: string): Promise<Body> => {
      const { contents } = await principal.readResource({ uri });
      expect(contents).toHaveLength(1);
      return contents[0] as Body;
    };
    expect(
      JSON.parse((await read(`notary://records/${String(id)}`))['text'] as string),
    ).toMatchObject({
      id,
    });
    const proof = await read(`notary://records/${String(id)}/proof`);
    const report = await verifyAuditExport(String(proof['text']), {
      trust: trustOf({ kind: 'none' }),
      trustEmbedded: true,
    });
    expect(report.failures).toEqual([]);
    const { blob, mimeType } = await read(`notary://records/${String(id)}/statement`);
    expect(mimeType).toContain('application/cose');
    const { body } = await api.world.principal.client.get(`/v1/records/${String(id)}`);
    expect(blob).toBe(body['signedStatement'].coseSign1);
    expect(JSON.parse((await read('notary://types/job'))['text'] as string)).toMatchObject({
      type: 'job',
    });
    const { resources } = await principal.listResources();
    for (const { uri } of resources as Body[]) await read(String(uri));
    for (const uri of [
      `notary://records/${crypto.randomUUID()}`,
      'notary://records/',
      'notary://types/%ff',
      'file:///etc/passwd',
    ])
      await expect(principal.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });

  it('sees the tools that its credential may call, and is refused the others by name', async () => {
    const { admin, orgId } = api.world;
    const reader = await addAgent(admin, orgId, `reader-${name}`, 'agent-readonly');
    const client = await open(name, reader.client);
    const names = ((await client.listTools()).tools as Body[]).map((tool) => tool['name']);
    expect(names).toContain('get_record');
    expect(names).not.toContain('notarize');
    const refused = await call(client, 'notarize', { type: 'note', criteria: {} });
    expect(refused['_meta'][META.problem]).toMatchObject({ status: 403 });
    expect(refused['content'][0].text).toContain('records:write');
    const admins = await open(name, admin);
    const foreign = await call(admins, 'get_record', { recordId: crypto.randomUUID() });
    expect(foreign['_meta'][META.problem]).toMatchObject({ status: 404 });
  });
});

describe('the tools', () => {
  it('are listed with a title, a description, closed arguments and hints', async () => {
    const { body } = await mcp(api.world.principal.client, 'tools/list', {});
    const tools = body['result'].tools as Body[];
    const names = tools.map(({ name }) => name as string);
    expect(names.length).toBeGreaterThan(20);
    // In one order, so that hosts may keep what they put before a model.
    expect(names).toEqual(TOOLS.map(({ name }) => name).filter((name) => names.includes(name)));
    for (const tool of tools) {
      expect(tool['name']).toMatch(/^[a-z_]{1,64}$/);
      expect(tool['inputSchema']).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool['description'].length).toBeGreaterThan(10);
      const { operation } = TOOLS.find(({ name }) => name === tool['name'])!;
      expect(tool['annotations']).toMatchObject({ readOnlyHint: operation.effect === 'read' });
      expect('idempotencyKey' in tool['inputSchema'].properties).toBe(operation.effect === 'write');
      expect(JSON.stringify(tool)).not.toContain('x-shown-as');
    }
    expect(body['result']).toMatchObject({ cacheScope: 'private' });
    expect(JSON.stringify(tools).length).toBeLessThan(400_000);
  });

  it('bind operations that exist, each tool another name', () => {
    const ids = new Set(OPERATIONS.map(({ id }) => id));
    expect(TOOLS.filter(({ operation }) => !ids.has(operation.id))).toEqual([]);
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
    expect(TOOLS.filter(({ operation }) => operation.isLive)).toEqual([]);
  });

  it('leave a leaf in the log of reads, where an administrator or the platform reads', async () => {
    const { container } = api.service;
    const { admin, platform, principal, orgId } = api.world;
    const { id: recordId } = await ok(
      principal.client.post('/v1/records', { type: 'note', criteria: {} }),
    );
    const log = () => container.get(TOKENS.orgReadsLogs).from(orgId, 0, 10_000);
    const before = (await log()).length;
    await callTool(principal.client, 'get_record', { recordId });
    expect(await log()).toHaveLength(before);
    await callTool(admin, 'get_record', { recordId });
    await callTool(platform, 'list_records', { limit: 5 });
    await mcp(admin, 'resources/read', { uri: `notary://records/${String(recordId)}` });
    await mcp(platform, 'resources/read', { uri: `notary://records/${String(recordId)}/proof` });
    const { keyOf } = container.get(Vault);
    const added = (await log()).slice(before);
    expect(await Promise.all(added.map((read) => openOrgRead(read, keyOf)))).toMatchObject([
      { operation: 'getRecord', target: `record/${String(recordId)}`, actor: { kind: 'admin' } },
      { operation: 'listRecords', actor: { kind: 'platform' } },
      { operation: 'getRecord', actor: { kind: 'admin' } },
      { operation: 'exportAudit', actor: { kind: 'platform' }, protocol: 'mcp' },
    ]);
  });
});
