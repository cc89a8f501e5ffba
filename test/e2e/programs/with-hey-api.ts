import { createClient, createConfig } from './generated/hey-api/client/index.js';
import {
  acceptProposal,
  createAgent,
  createRecord,
  exportAudit,
  getGateStatus,
  listRecords,
  mintApiKey,
  registerSchema,
  renderVerdict,
  submitCompletion,
  type NotaryRecord,
  type Problem,
  type ProblemCode,
} from './generated/hey-api/index.js';

/**
 * What a developer writes with the functions of @hey-api/openapi-ts. It is compiled strictly, and
 * run against the service, by test/e2e/generated-clients.long.test.ts.
 */
const [baseUrl = '', adminKey = '', orgId = ''] = process.argv.slice(2);
const clientOf = (auth: string) => createClient(createConfig({ baseUrl, auth }));
const admin = clientOf(adminKey);

/** The data of an answer, or an end with what was refused. */
const taken = <T>({ data, error }: { data?: T; error?: Problem }): NonNullable<T> => {
  if (error) throw new Error(`${error.code}: ${error.detail}`);
  if (data === undefined || data === null) throw new Error('an answer without a body');
  return data;
};

const hire = async (name: string) => {
  const agent = taken(await createAgent({ client: admin, body: { name, orgId } }));
  const key = taken(
    await mintApiKey({
      client: admin,
      body: { role: 'agent', ownerType: 'agent', ownerId: agent.id },
    }),
  );
  const shown: string = key.apiKey;
  return { id: agent.id, client: clientOf(shown) };
};

const principal = await hire('hey-principal');
const performer = await hire('hey-performer');

// Notarize.
const manifest = taken(
  await registerSchema({ client: admin, body: { type: 'hey.note', completionSchema: {} } }),
);
const note = taken(
  await createRecord({
    client: principal.client,
    body: { type: manifest.type, criteria: { sent: 'invoice 7', amount: 12.5, to: ['a', 'b'] } },
    headers: { 'Idempotency-Key': 'note-1' },
  }),
);
const receipt: string = note.signedStatement.coseSign1;

// The gate path.
taken(
  await registerSchema({
    client: admin,
    body: {
      type: 'hey.job',
      completionSchema: { type: 'object', required: ['score'] },
      gates: [{ id: 'enough', expression: 'evidence.score >= 5' }],
    },
  }),
);
const proposal = taken(
  await createRecord({
    client: principal.client,
    body: { type: 'hey.job', criteria: { goal: 'count' }, performerAgentId: performer.id },
  }),
);
const path = { id: proposal.id };
const accepted = taken(await acceptProposal({ client: performer.client, path, body: {} }));
const early = await renderVerdict({
  client: principal.client,
  path,
  body: { verdict: 'accept', completionId: proposal.id },
});
const refused: ProblemCode | undefined = early.error?.code;
const completion = taken(
  await submitCompletion({
    client: performer.client,
    path,
    body: { evidence: { score: 9, sources: [{ url: 'https://example.com' }] } },
  }),
);
const { phase2 } = taken(await getGateStatus({ client: principal.client, path }));
const decided: NotaryRecord = taken(
  await renderVerdict({
    client: principal.client,
    path,
    body: { verdict: 'accept', completionId: completion.id },
  }),
);
const page = taken(
  await listRecords({ client: principal.client, query: { status: 'FULFILLED', limit: 5 } }),
);
const file = taken(
  await exportAudit({
    client: principal.client,
    path: { recordId: proposal.id },
    query: { evidence: true },
  }),
);
// With subtree=true it would hold those below too.
if ('records' in file) throw new Error('one record was asked for');
const story = file.chain.entries.map(({ statement }) => statement.predicate.entryType);

console.log(
  JSON.stringify({
    registered: manifest.manifestDigest,
    receipt,
    note: note.status,
    accepted: accepted.signedStatement.entryType,
    refused,
    gates: phase2.results.map(({ gateId, outcome }) => `${gateId}: ${outcome}`),
    status: decided.status,
    found: page.data.map(({ id }) => id === proposal.id),
    performer: file.record.performerAgentId === performer.id,
    gateMode: file.manifest.gateMode,
    story,
  }),
);
