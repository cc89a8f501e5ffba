import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { disputePath, openDisputed } from '../support/stories/disputes.ts';
import { createEncryptedWorld, type EncryptedWorld } from '../support/stories/encrypted-world.ts';
import { decryptWith } from '../support/vectors/jwe.ts';
import { eventsOf } from '../support/databases/outbox.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { chainOf, ok, type Body } from '../support/service/world.ts';

const api = useApi();
const principal = () => api.world.principal.client;
const performer = () => api.world.performer.client;
const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalize(value)!).digest('hex');
const entriesOf = async (id: unknown, entryType: string): Promise<Body[]> =>
  (await chainOf(principal(), id))
    .filter((entry) => entry['entryType'] === entryType)
    .map((entry) => entry['statement'].predicate as Body);

describe('what is said in a dispute', () => {
  it('is bound by its entries as a hash that anyone can compute again', async () => {
    const { id, dispute } = await openDisputed(
      api.world,
      {},
      { grounds: 'QUALITY', statement: 'It is bad.', evidence: { b: 1, a: [2] } },
    );
    const { evidence } = await ok(
      performer().post(disputePath(id, 'evidence'), { evidence: { url: 'urn:x' } }),
    );
    expect((await entriesOf(id, 'DISPUTE_OPENED'))[0]!['dispute'].contentHash).toBe(
      hashOf({ grounds: 'QUALITY', statement: 'It is bad.', evidence: { b: 1, a: [2] } }),
    );
    expect((await entriesOf(id, 'DISPUTE_EVIDENCE_SUBMITTED'))[0]!['dispute'].contentHash).toBe(
      hashOf({ evidence: { url: 'urn:x' } }),
    );
    expect((evidence as Body[]).map(({ contentHash }) => contentHash as string)).toEqual([
      hashOf({ b: 1, a: [2] }),
      hashOf({ url: 'urn:x' }),
    ]);
    const bare = await openDisputed(api.world);
    expect((await entriesOf(bare.id, 'DISPUTE_OPENED'))[0]!['dispute'].contentHash).toBe(
      hashOf({ grounds: 'OTHER', statement: null, evidence: null }),
    );
    expect(dispute['statement']).toBe('It is bad.');
  });

  it('never travels in an event: three are told, with where the dispute stands', async () => {
    const { id, dispute } = await openDisputed(
      api.world,
      {},
      { statement: 'classified', evidence: { note: 'classified' } },
    );
    await ok(performer().post(disputePath(id, 'evidence'), { evidence: { note: 'classified' } }));
    await ok(performer().post(disputePath(id, 'escalate'), { reason: 'classified' }));
    await ok(
      performer().post(disputePath(id, 'resolve'), {
        outcome: 'OVERTURNED',
        resolution: 'classified',
      }),
    );
    const withdrawn = await openDisputed(api.world);
    await ok(principal().post(disputePath(withdrawn.id, 'withdraw')));
    const told = [...eventsOf(api, id), ...eventsOf(api, withdrawn.id)].filter(({ type }) =>
      type.startsWith('dispute.'),
    );
    expect(
      told.map(({ type, data }) => [
        type,
        data['phase'],
        data['tier'],
        data['outcome'],
        data['initiatorRole'],
      ]),
    ).toEqual([
      ['dispute.opened', 'EVIDENCE_WINDOW', 1, null, 'principal'],
      ['dispute.resolved', 'RESOLVED', 2, 'OVERTURNED', 'principal'],
      ['dispute.opened', 'EVIDENCE_WINDOW', 1, null, 'principal'],
      ['dispute.withdrawn', 'WITHDRAWN', 1, null, 'principal'],
    ]);
    for (const { data } of told.slice(0, 2))
      expect(data).toMatchObject({ disputeId: dispute['id'], recordId: id, side: 'principal' });
    expect(JSON.stringify(eventsOf(api, id))).not.toContain('classified');
  });
});

describe('in an encrypted type', () => {
  let sealed: EncryptedWorld;
  let id: string;

  beforeAll(async () => {
    sealed = await createEncryptedWorld(api.world);
    const record = await ok(
      sealed.principal.client.post('/v1/records', {
        type: 'sealed-job',
        criteria: await sealed.encrypt({ goal: 'g' }),
        performerAgentId: sealed.performer.id,
        autoActivate: true,
      }),
    );
    id = String(record['id']);
    const completion = await ok(
      sealed.performer.client.post(`/v1/records/${id}/completions`, {
        evidence: await sealed.encrypt({ score: 9 }),
      }),
    );
    await ok(
      sealed.principal.client.post(`/v1/records/${id}/verdict`, {
        verdict: 'reject',
        completionId: completion['id'],
      }),
    );
  });

  it('evidence is a JWE that both parties can read, from the opening on, and in its turn behind side and state', async () => {
    const plain = { evidence: { note: 'in the clear' } };
    expectProblem(await sealed.principal.client.post(disputePath(id), plain), 403, 'FORBIDDEN');
    expectProblem(
      await sealed.performer.client.post(disputePath(id, 'evidence'), plain),
      422,
      'UNPROCESSABLE_STATE',
    );
    expectProblem(
      await sealed.performer.client.post(disputePath(id), plain),
      422,
      'SCHEMA_VALIDATION_ERROR',
    );
    await ok(
      sealed.performer.client.post(disputePath(id), {
        evidence: await sealed.encrypt({ note: 'first' }),
      }),
    );
    expectProblem(
      await sealed.principal.client.post(disputePath(id, 'evidence'), plain),
      422,
      'SCHEMA_VALIDATION_ERROR',
    );
    const { evidence } = await ok(
      sealed.principal.client.post(disputePath(id, 'evidence'), {
        evidence: await sealed.encrypt({ note: 'second' }),
      }),
    );
    expect(
      await Promise.all(
        (evidence as Body[]).map(({ content }) => decryptWith(sealed.performer.key, content)),
      ),
    ).toEqual([{ note: 'first' }, { note: 'second' }]);
    const recipients = [sealed.principal.key.kid, sealed.performer.key.kid];
    const chain = await chainOf(sealed.principal.client, id);
    for (const type of ['DISPUTE_OPENED', 'DISPUTE_EVIDENCE_SUBMITTED'])
      expect(
        chain.find(({ entryType }) => entryType === type)!['statement'].predicate.encryption,
      ).toEqual({ recipients });
  });
});
