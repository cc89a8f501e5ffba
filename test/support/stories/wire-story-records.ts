import { NOBODY } from './problems.ts';
import type { Cast, WireStory } from './wire-story.ts';
import { GOAL, type Answer, type Body } from '../service/world.ts';

const at = (id: unknown, step = ''): string =>
  `/v1/records/${String(id)}${step === '' ? '' : `/${step}`}`;

/** One record from its proposal to the end of its dispute, and those beside it. */
export const tellRecords = async ({
  recorder,
  ids,
  principal,
  performer,
  worker,
  admin,
  platform,
  anonymous,
}: WireStory): Promise<void> => {
  const named = ({ body }: Answer<Body>, name: string): string =>
    (ids[name] = recorder.name(String(body['id']), name));
  const note = { type: 'note', criteria: { text: 'ü', at: [1, 2.5, true, null] } };
  named(await principal.post('/v1/records', note, { 'idempotency-key': 'note' }), 'note');
  await principal.post('/v1/records', note, { 'idempotency-key': 'note' });
  await principal.post('/v1/records', { ...note, criteria: {} }, { 'idempotency-key': 'note' });
  const lost = { type: 'unknown', criteria: {} };
  for (const _again of [1, 2])
    await principal.post('/v1/records', lost, { 'idempotency-key': 'lost' });

  const ticket = { kind: 'ticket', uri: 'https://tickets.example/1', label: 'The ticket' };
  const proposal = {
    type: 'job',
    criteria: GOAL,
    performerAgentId: ids['performer'],
    ttlSeconds: 86_400,
    references: [ticket],
  };
  const job = named(await principal.post('/v1/records', proposal), 'job');
  const { headers } = await principal.get(at(job));
  await principal.get(at(job), { 'if-none-match': String(headers.get('etag')) });
  await principal.call('HEAD', at(job));
  await anonymous.get(at(job));
  await principal.post(at(job, 'accept'));
  await performer.post(at(job, 'counter-propose'), { criteria: {} });
  await performer.post(at(job, 'transition'), { action: 'counter-propose', criteria: {} });
  await performer.post(at(job, 'counter-propose'), {
    criteria: { goal: 'h', threshold: 3 },
    message: 'Less.',
  });
  await principal.post(at(job, 'accept-counter'), {}, { 'if-match': '"0"' });
  await principal.post(at(job, 'accept-counter'), {});
  await performer.post(at(job, 'transition'), { action: 'accept' });
  await performer.post(at(job, 'references'), {
    kind: 'log',
    uri: 'urn:example:log',
    digest: { alg: 'sha-256', value: 'ab'.repeat(32) },
  });
  await performer.post(at(job, 'references'), { kind: 'log', uri: 'urn:example:log' });
  await performer.get(at(job));
  await principal.post(at(job, 'transition'), { action: 'verify-cascade' });
  await principal.post('/v1/records', { type: 'job', criteria: GOAL, parentRecordId: job });

  const child = named(
    await performer.post('/v1/records', {
      type: 'job',
      criteria: GOAL,
      parentRecordId: job,
      performerAgentId: ids['worker'],
    }),
    'child',
  );
  await worker.post(at(child, 'accept'), {});
  await worker.post(at(child, 'completions'), { evidence: { score: 1 } });
  await performer.post(at(child, 'cancel'), { reason: 'Not needed.' });
  await worker.get(at(child, 'chain'));
  await principal.get(at(job, 'chain'));

  await performer.post(at(job, 'completions'), { evidence: { points: 9 } });
  named(
    await performer.post(at(job, 'completions'), { evidence: { score: 1, log: 'l' } }),
    'first completion',
  );
  await principal.get(at(job, 'gate-status'));
  await principal.post(at(job, 'revision'), { reason: 'More.' });
  const completion = named(
    await performer.post(at(job, 'completions'), {
      evidence: { score: 9 },
      claimedGateStatus: undefined,
    }),
    'completion',
  );
  await principal.get(at(job, `completions/${completion}`));
  await performer.post(at(job, 'verdict'), { verdict: 'accept', completionId: completion });
  await principal.post(at(job, 'verdict'), {
    verdict: 'accept',
    completionId: ids['first completion'],
  });
  await principal.post(at(job, 'verdict'), {
    verdict: 'accept',
    completionId: completion,
    reason: 'Good.',
  });
  await principal.post(at(job, 'cancel'));
  await performer.post(at(job, 'completions'), { evidence: { score: 9 } });

  await performer.post(at(job, 'dispute'));
  named(await principal.post(at(job, 'dispute'), { evidence: { note: 'n' } }), 'dispute');
  await principal.post(at(job, 'dispute'), {});
  await performer.post(at(job, 'dispute/evidence'), { evidence: { note: 'm' } });
  await principal.get(at(job, 'dispute'));
  await principal.get('/v1/disputes?limit=1');
  await performer.get(`/v1/disputes/${ids['dispute']}`);
  await principal.post(at(job, 'dispute/escalate'), { reason: 'Enough.' });
  await platform.post(at(job, 'dispute/resolve'), {
    outcome: 'OVERTURNED',
    resolution: 'It does not hold.',
  });
  await principal.get(at(job));
  await principal.get(at(job, 'audit-export?evidence=true'));
  await principal.get(at(ids['note'], 'audit-export'));
  await principal.get(at(ids['note'], 'audit-export?subtree=true'));
  await principal.get(at(ids['note'], 'attestation'));
  await principal.get(at(ids['note'], 'attestation.bundle'));

  const second = named(
    await principal.post('/v1/records', {
      type: 'auto-job',
      criteria: GOAL,
      performerAgentId: ids['performer'],
      autoActivate: true,
    }),
    'auto job',
  );
  await performer.post(at(second, 'completions'), { evidence: { score: 7 } });
  await principal.get(at(second, 'gate-status'));
  named(await principal.post(at(second, 'dispute'), {}), 'second dispute');
  await principal.post(at(second, 'dispute/withdraw'));
  await principal.post(at(second, 'dispute/withdraw'));

  const draft = named(
    await principal.post('/v1/records', { type: 'job', criteria: GOAL }),
    'draft',
  );
  await principal.post(at(draft, 'transition'), { action: 'fly' });
  await principal.post(at(draft, 'transition'), {
    action: 'propose',
    performerAgentId: ids['performer'],
  });
  await performer.post(at(draft, 'reject'), { reason: 'No capacity.' });

  await principal.post('/v1/records/bulk', [
    note,
    { type: 'unknown', criteria: {} },
    { type: 'job', criteria: {} },
    7,
  ]);
  const first = await principal.get('/v1/records?limit=1&type=job');
  await principal.get(`/v1/records?limit=1&type=job&cursor=${String(first.body['nextCursor'])}`);
  await performer.get(`/v1/records?limit=1&type=job&cursor=${String(first.body['nextCursor'])}`);
  await worker.get('/v1/records');
  await admin.get('/v1/records?limit=1');
  await refusedRecords({ principal, performer, anonymous });
};

/** Requests that never reach a record. */
const refusedRecords = async ({
  principal,
  performer,
  anonymous,
}: Pick<Cast, 'principal' | 'performer' | 'anonymous'>): Promise<void> => {
  await anonymous.get('/v1/records');
  await anonymous.get('/v1/records', { authorization: 'Bearer svc_agt_nothing' });
  await anonymous.get('/nowhere');
  await principal.get('/v1/admin/agents');
  await principal.get(at(NOBODY));
  await principal.get(at('x'));
  await principal.get('/v1/records?limit=0&nome=x');
  await principal.call('PUT', '/v1/records');
  await principal.call('OPTIONS', '/v1/records');
  await principal.get('/v1/records', { accept: 'text/plain' });
  await principal.post('/v1/records', '{}', { 'content-type': 'text/plain' });
  await principal.post('/v1/records', JSON.stringify({ text: 'x'.repeat(70_000) }));
  await principal.post('/v1/records', '{"type":');
  await principal.post('/v1/records', { typ: 'note' });
  await principal.post('/v1/records', { type: 'job', criteria: { goal: 1 } });
  await principal.post(
    '/v1/records',
    { type: 'note', criteria: {} },
    { 'x-agent-signature': 'AAAA' },
  );
  await principal.post(
    '/v1/records',
    { type: 'note', criteria: {} },
    { 'x-service-subject-token': 'a.b.c' },
  );
  await principal.post(
    '/v1/records',
    { type: 'note', criteria: {} },
    { 'idempotency-key': 'k'.repeat(257) },
  );
  await performer.post(
    '/v1/records/bulk',
    Array.from({ length: 101 }, () => ({})),
  );
};
