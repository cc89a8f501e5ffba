import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { useApi } from '../support/service/api.ts';
import { disputePath, openDisputed } from '../support/stories/disputes.ts';
import { ok, openDecided, proposeJob, type Body } from '../support/service/world.ts';

const directory = mkdtempSync(join(tmpdir(), 'notary-content-'));
const api = useApi({ DATA_DIR: directory });
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const exportOf = (id: unknown, query = '?evidence=true'): Promise<Body> =>
  ok(api.world.principal.client.get(`/v1/records/${String(id)}/audit-export${query}`));
const contentsOf = (document: Body): unknown[] =>
  (document['chain'].entries as Body[]).flatMap(({ entryType, content }) =>
    content === undefined ? [] : [[entryType, content]],
  );
const verify = (document: Body) =>
  verifyFile(JSON.stringify(document), {
    trust: trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint }),
    story: { maxSteps: 50 },
  });
const COUNTER = { goal: 'other', threshold: 6 };

describe('what parties said stands in an export with evidence=true, at the entry that seals it', () => {
  it('of a dispute that was opened with evidence, and of every later piece', async () => {
    const { id } = await openDisputed(
      api.world,
      {},
      { grounds: 'QUALITY', statement: 'It is bad.', evidence: { first: 1 } },
    );
    const { principal, performer } = api.world;
    await ok(performer.client.post(disputePath(id, 'evidence'), { evidence: { second: 2 } }));
    await ok(principal.client.post(disputePath(id, 'evidence'), { evidence: { third: 3 } }));
    const document = await exportOf(id);
    expect(contentsOf(document)).toEqual([
      ['DISPUTE_OPENED', { grounds: 'QUALITY', statement: 'It is bad.', evidence: { first: 1 } }],
      ['DISPUTE_EVIDENCE_SUBMITTED', { evidence: { second: 2 } }],
      ['DISPUTE_EVIDENCE_SUBMITTED', { evidence: { third: 3 } }],
    ]);
    const { verdict, failures, subject, checks, story } = await verify(document);
    expect({ verdict, failures, evidence: subject.evidence }).toEqual({
      verdict: 'valid',
      failures: [],
      evidence: { sealed: 4, present: 4, missing: [] },
    });
    expect(checks.evidenceBinding).toEqual({ result: 'passed', count: 4 });
    expect(story?.steps.map(({ details }) => details[0])).toEqual(
      expect.arrayContaining([
        'grounds "QUALITY"',
        'evidence {"second":2}',
        'evidence {"third":3}',
      ]),
    );
    expect(story?.steps.find(({ entryType }) => entryType === 'DISPUTE_OPENED')?.details).toEqual([
      'grounds "QUALITY"',
      'statement "It is bad."',
      'evidence {"first":1}',
      expect.stringMatching(/^tier 1 lasts until /),
    ]);
  });

  it('of a dispute that was opened with nothing', async () => {
    const { id } = await openDisputed(api.world);
    await ok(
      api.world.performer.client.post(disputePath(id, 'evidence'), { evidence: { only: 1 } }),
    );
    const document = await exportOf(id);
    expect(contentsOf(document)).toEqual([
      ['DISPUTE_OPENED', { grounds: 'OTHER', statement: null, evidence: null }],
      ['DISPUTE_EVIDENCE_SUBMITTED', { evidence: { only: 1 } }],
    ]);
    expect(await verify(document)).toMatchObject({ verdict: 'valid' });
  });

  it('of a proposal and of the counter-proposal that is on the table; one that was replaced is counted', async () => {
    const { id } = await proposeJob(api.world, { message: 'Please “do” it.' });
    const { principal, performer } = api.world;
    const counter = (message: string) => ({ criteria: COUNTER, message });
    await ok(performer.client.post(`/v1/records/${id}/counter-propose`, counter('Rather this.')));
    const first = await exportOf(id);
    expect(contentsOf(first)).toEqual([
      ['RECORD_PROPOSED', { message: 'Please “do” it.' }],
      ['COUNTER_PROPOSED', { message: 'Rather this.' }],
    ]);
    expect(await verify(first)).toMatchObject({
      verdict: 'valid',
      subject: { evidence: { sealed: 2, present: 2 } },
    });
    await ok(principal.client.post(`/v1/records/${id}/counter-propose`, counter('No, that.')));
    const second = await exportOf(id);
    expect(contentsOf(second)).toEqual([
      ['RECORD_PROPOSED', { message: 'Please “do” it.' }],
      ['COUNTER_PROPOSED', { message: 'No, that.' }],
    ]);
    expect(await verify(second)).toMatchObject({
      verdict: 'valid',
      subject: {
        evidence: {
          sealed: 3,
          present: 2,
          missing: [{ position: 2, entryType: 'COUNTER_PROPOSED' }],
        },
      },
    });
  });

  it('and without evidence=true nowhere; what is sealed is counted', async () => {
    const { id } = await openDisputed(api.world, {}, { statement: 'It is bad.' });
    const document = await exportOf(id, '');
    expect(contentsOf(document)).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('It is bad.');
    expect(await verify(document)).toMatchObject({
      verdict: 'valid',
      subject: { evidence: { sealed: 2, present: 0 } },
      checks: { evidenceBinding: { result: 'skipped_no_input' } },
    });
  });

  it('changed in the file is refused, and not told', async () => {
    const { id } = await openDisputed(api.world, {}, { statement: 'It is bad.' });
    const document = await exportOf(id);
    const opening = (document['chain'].entries as Body[]).find((entry) => entry['content'])!;
    opening['content'].statement = 'It is forged.';
    const { story, ...report } = await verify(document);
    expect(report).toMatchObject({
      verdict: 'invalid',
      failures: [
        {
          class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
          position: opening['position'],
          detail: 'the content shown is not the one whose hash was sealed',
        },
      ],
    });
    expect(JSON.stringify(story)).not.toContain('forged');
  });

  it.each([
    ['the statement', "UPDATE disputes SET statement = 'edited' WHERE id = ?"],
    ['a first piece', `UPDATE dispute_evidence SET content = '{"edited":1}' WHERE dispute_id = ?`],
    ['a piece taken away', 'DELETE FROM dispute_evidence WHERE dispute_id = ?'],
  ])('edited in the database after its dispute ended shows: %s', async (_what, edit) => {
    const { id, dispute } = await openDisputed(api.world, {}, { evidence: { first: 1 } });
    await ok(api.world.principal.client.post(disputePath(id, 'withdraw')));
    const database = new DatabaseSync(join(directory, 'notary.sqlite'));
    const key = Buffer.from(String(dispute['id']).replaceAll('-', ''), 'hex');
    expect(database.prepare(edit).run(key).changes).toBe(1);
    database.close();
    expect(await verify(await exportOf(id))).toMatchObject({
      verdict: 'invalid',
      failures: [
        {
          class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
          detail: 'the content shown is not the one whose hash was sealed',
        },
      ],
    });
  });

  it('stands at an entry that seals it, or the file is refused', async () => {
    const { id } = await openDecided(api.world, 'accept');
    for (const content of [{}, { message: 'x' }, { evidence: {} }]) {
      const document = await exportOf(id);
      document['chain'].entries[0].content = content;
      expect(await verify(document)).toMatchObject({
        verdict: 'invalid',
        brokenAt: {
          class: 'CHAIN_PAYLOAD_BINDING_MISMATCH',
          position: 1,
          detail: 'content stands at an entry that seals the hash of none',
        },
      });
    }
    for (const content of [null, 'x', [], 1]) {
      const document = await exportOf(id);
      document['chain'].entries[0].content = content;
      expect(await verify(document)).toMatchObject({
        verdict: 'invalid',
        brokenAt: { class: 'CHAIN_COSE_DECODE_FAILED', position: 1 },
      });
    }
  });

  it('a message stands alone: what is put beside it is refused', async () => {
    const { id } = await proposeJob(api.world, { message: 'Please.' });
    for (const content of [{ message: 'Please.', more: 1 }, { message: 1 }, {}]) {
      const document = await exportOf(id);
      document['chain'].entries[0].content = content;
      expect(await verify(document)).toMatchObject({
        verdict: 'invalid',
        brokenAt: { detail: 'the content shown is not the one whose hash was sealed' },
      });
    }
  });
});
