import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript.ts';

/**
 * What a developer writes with the types of openapi-typescript. It is compiled strictly, and run
 * against the service, by test/e2e/generated-clients.long.test.ts.
 */
type Schemas = components['schemas'];

const [baseUrl = '', adminKey = '', orgId = ''] = process.argv.slice(2);
const clientOf = (key: string) =>
  createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const admin = clientOf(adminKey);

/** The data of an answer, or an end with what was refused. */
const taken = <T>({ data, error }: { data?: T; error?: Schemas['Problem'] }): T => {
  if (error) throw new Error(`${error.code}: ${error.detail}`);
  if (data === undefined) throw new Error('an answer without a body');
  return data;
};

const hire = async (name: string) => {
  const agent = taken(await admin.POST('/v1/admin/agents', { body: { name, orgId } }));
  const key = taken(
    await admin.POST('/v1/admin/api-keys', {
      body: { role: 'agent', ownerType: 'agent', ownerId: agent.id },
    }),
  );
  const shown: string = key.apiKey;
  return { id: agent.id, client: clientOf(shown) };
};

const principal = await hire('fetch-principal');
const performer = await hire('fetch-performer');

// Notarize.
const manifest = taken(
  await admin.POST('/v1/schemas', { body: { type: 'fetch.note', completionSchema: {} } }),
);
const note = taken(
  await principal.client.POST('/v1/records', {
    body: { type: manifest.type, criteria: { sent: 'invoice 7', amount: 12.5, to: ['a', 'b'] } },
    params: { header: { 'Idempotency-Key': 'note-1' } },
  }),
);
const receipt: string = note.signedStatement.coseSign1;

// The gate path.
taken(
  await admin.POST('/v1/schemas', {
    body: {
      type: 'fetch.job',
      completionSchema: { type: 'object', required: ['score'] },
      gates: [{ id: 'enough', expression: 'evidence.score >= 5' }],
    },
  }),
);
const proposal = taken(
  await principal.client.POST('/v1/records', {
    body: { type: 'fetch.job', criteria: { goal: 'count' }, performerAgentId: performer.id },
  }),
);
const path = { id: proposal.id };
const accepted = taken(
  await performer.client.POST('/v1/records/{id}/accept', { params: { path }, body: {} }),
);
const early = await principal.client.POST('/v1/records/{id}/verdict', {
  params: { path },
  body: { verdict: 'accept', completionId: proposal.id },
});
const refused: Schemas['ProblemCode'] | undefined = early.error?.code;
const completion = taken(
  await performer.client.POST('/v1/records/{id}/completions', {
    params: { path },
    body: { evidence: { score: 9, sources: [{ url: 'https://example.com' }] } },
  }),
);
const { phase2 } = taken(
  await principal.client.GET('/v1/records/{id}/gate-status', { params: { path } }),
);
const decided = taken(
  await principal.client.POST('/v1/records/{id}/verdict', {
    params: { path },
    body: { verdict: 'accept', completionId: completion.id },
  }),
);
const status: Schemas['RecordStatus'] = decided.status;
const page = taken(
  await principal.client.GET('/v1/records', {
    params: { query: { status: 'FULFILLED', limit: 5 } },
  }),
);
const file = taken(
  await principal.client.GET('/v1/records/{recordId}/audit-export', {
    params: { path: { recordId: proposal.id }, query: { evidence: true } },
  }),
);
// NDJSON and CSV would be text; with subtree=true it would hold those below too.
if (typeof file === 'string' || 'records' in file) throw new Error('one record was asked for');
const story = file.chain.entries.map(({ statement }) => statement.predicate.entryType);

console.log(
  JSON.stringify({
    registered: manifest.manifestDigest,
    receipt,
    note: note.status,
    accepted: accepted.signedStatement.entryType,
    refused,
    gates: phase2.results.map(({ gateId, outcome }) => `${gateId}: ${outcome}`),
    status,
    found: page.data.map(({ id }) => id === proposal.id),
    performer: file.record.performerAgentId === performer.id,
    gateMode: file.manifest.gateMode,
    story,
  }),
);
