import knex from 'knex';
import { describe, expect, it } from 'vitest';
import { disputeListing } from '../../../adapters/sql/records/dispute-reads.ts';
import { Lister } from '../../../adapters/sql/listing/keyset.ts';
import type { Dispute, DisputeEvidence } from '../../../domain/dispute/dispute.ts';
import type { DisputeFilter } from '../../../domain/dispute/dispute-store.port.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, fullRecord, hex, sampleRecord, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';
import { trustingReader } from '../../support/databases/row-keys.ts';

// Contract of domain/dispute/dispute-store.port.ts

export const disputesSuite = (kind: DatabaseKind): void => {
  describe(`disputes on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads.disputes;

    const insert = async (record: RecordState, ...disputes: Dispute[]): Promise<void> => {
      await unitOfWork().transaction(async (stores) => {
        await stores.records.insert(record);
        for (const dispute of disputes) await stores.disputes.insert(dispute, record);
      });
    };
    const opened = async (
      changes: Partial<Dispute> = {},
      record = fullRecord(),
    ): Promise<Dispute> => {
      const dispute = sampleDispute(record.id, changes);
      await insert(record, dispute);
      return dispute;
    };
    const ids = async (filter: DisputeFilter): Promise<readonly string[]> =>
      (await reads().list(filter, { limit: 50, after: null })).rows.map(({ id }) => id);

    it.each([
      ['open, with little in it', { grounds: null, statement: null }],
      [
        'open, with evidence',
        {
          evidence: [
            sampleEvidence(),
            sampleEvidence({
              side: 'performer',
              content: { note: 'naïve 🙂 \u0000', list: [1, { deep: null }] },
            }),
          ],
        },
      ],
      [
        'ended',
        {
          phase: 'RESOLVED',
          tier: 3,
          phaseDeadline: null,
          outcome: 'OVERTURNED',
          resolution: 'naïve 🙂',
          resolvedBy: { kind: 'system' },
          resolvedAt: at(9),
        },
      ],
    ] as const)('come back as they were stored: %s', async (_what, changes) => {
      const dispute = await opened(changes);
      expect(await reads().find(dispute.id)).toEqual(dispute);
      expect(await unitOfWork().transaction((stores) => stores.disputes.lock(dispute.id))).toEqual(
        dispute,
      );
      const { evidence, ...head } = dispute;
      expect(await reads().head(dispute.id)).toEqual(head);
      const { recordId, grounds, statement } = head;
      expect(await reads().openingOf(dispute.id)).toEqual({ recordId, grounds, statement });
      expect(evidence).toEqual(dispute.evidence);
    });

    it('that do not exist are null, and cannot be updated', async () => {
      expect([
        await reads().find(uuid()),
        await reads().head(uuid()),
        await reads().newestOf(uuid()),
        await reads().openingOf(uuid()),
      ]).toEqual([null, null, null, null]);
      expect(await unitOfWork().transaction((stores) => stores.disputes.lock(uuid()))).toBeNull();
      await expect(
        unitOfWork().transaction((stores) => stores.disputes.update(sampleDispute(uuid()))),
      ).rejects.toThrow('there is no dispute');
    });

    it('belong to a record that is there', async () => {
      await expect(
        unitOfWork().transaction((stores) =>
          stores.disputes.insert(sampleDispute(uuid()), sampleRecord()),
        ),
      ).rejects.toThrow();
    });

    it('change in their progress and in nothing else', async () => {
      const dispute = await opened({ evidence: [sampleEvidence()] });
      const progress = {
        phase: 'RESOLVED',
        tier: 2,
        phaseDeadline: null,
        outcome: 'UPHELD',
        resolution: 'It stands.',
        resolvedBy: { kind: 'admin', apiKeyId: uuid() },
        resolvedAt: at(50),
      } as const;
      await unitOfWork().transaction(async (stores) => {
        await stores.disputes.lock(dispute.id);
        await stores.disputes.update({
          ...dispute,
          ...progress,
          statement: 'another',
          side: 'performer',
          evidence: [],
        });
      });
      expect(await reads().find(dispute.id)).toEqual({ ...dispute, ...progress });
    });

    it('gather evidence in the order in which it comes, each place once', async () => {
      const dispute = await opened();
      const pieces = [sampleEvidence(), sampleEvidence(), sampleEvidence()];
      for (const [index, piece] of pieces.entries())
        await unitOfWork().transaction((stores) =>
          stores.disputes.addEvidence(dispute.id, piece, index + 1),
        );
      expect((await reads().find(dispute.id))?.evidence).toEqual(pieces);
      expect(
        await Promise.all([0, 1, 2, 3, 4].map((place) => reads().contentAt(dispute.id, place))),
      ).toEqual([null, ...pieces.map(({ content }) => content), null]);
      expect(await reads().contentAt(uuid(), 1)).toBeNull();
      await expect(
        unitOfWork().transaction((stores) =>
          stores.disputes.addEvidence(dispute.id, sampleEvidence(), 3),
        ),
      ).rejects.toThrow();
    });

    it('of one record: the newest one', async () => {
      const record = fullRecord();
      const [old, young] = [
        sampleDispute(record.id, { openedAt: at(1) }),
        sampleDispute(record.id, { openedAt: at(2) }),
      ];
      await insert(record, young, old);
      await opened({ openedAt: at(3) });
      expect(await reads().newestOf(record.id)).toEqual(young);
    });

    it('are listed newest first, with evidence but for its content, to the parties and to nobody else', async () => {
      const record = fullRecord();
      const piece = sampleEvidence();
      const [first, second] = [
        sampleDispute(record.id, { openedAt: at(1), evidence: [piece] }),
        sampleDispute(record.id, { openedAt: at(2) }),
      ];
      await insert(record, first, second);
      const readers = [
        { agentId: record.principalAgentId },
        { agentId: record.performerAgentId! },
        { orgId: record.orgId },
        { orgId: record.performerOrgId! },
      ];
      for (const reader of readers) expect(await ids({ reader })).toEqual([second.id, first.id]);
      expect(await ids({ reader: { agentId: uuid() } })).toEqual([]);
      expect(await ids({ reader: { orgId: uuid() } })).toEqual([]);
      const { rows, total } = await reads().list(
        { reader: null, recordId: record.id },
        { limit: 50, after: null },
      );
      const { content, ...listed } = piece;
      expect(content).toBeDefined();
      expect(total).toBe(2);
      const { orgId, performerOrgId } = record;
      expect(rows).toEqual([
        { ...second, orgId, performerOrgId },
        { ...first, orgId, performerOrgId, evidence: [listed] },
      ]);
    });

    it('are listed once to who is on both sides, page by page', async () => {
      const agentId = uuid();
      const record = { ...fullRecord(), principalAgentId: agentId, performerAgentId: agentId };
      const disputes = [1, 2, 3].map((time) => sampleDispute(record.id, { openedAt: at(time) }));
      await insert(record, ...disputes);
      const first = await reads().list({ reader: { agentId } }, { limit: 2, after: null });
      expect([first.rows.map(({ id }) => id), first.total]).toEqual([
        [disputes[2]!.id, disputes[1]!.id],
        3,
      ]);
      const rest = await reads().list({ reader: { agentId } }, { limit: 2, after: first.next });
      expect([rest.rows.map(({ id }) => id), rest.next]).toEqual([[disputes[0]!.id], null]);
    });

    it('are listed along an index that has the order: nothing is sorted, and no page reads the whole table', async () => {
      const record = fullRecord();
      await insert(record);
      await unitOfWork().transaction(async (stores) => {
        for (let n = 0; n < 1000; n++)
          await stores.disputes.insert(sampleDispute(record.id, { openedAt: at(n) }), {
            orgId: uuid(),
            performerOrgId: uuid(),
            principalAgentId: uuid(),
            performerAgentId: uuid(),
          });
      });
      if (kind.name === 'mysql') await database().raw('ANALYZE TABLE disputes');
      const lister = new Lister(
        knex({
          client: kind.name === 'mysql' ? 'mysql2' : 'better-sqlite3',
          useNullAsDefault: true,
        }),
        trustingReader(() => Promise.resolve([])),
      );
      for (const filter of [
        { reader: null },
        { reader: { orgId: uuid() } },
        { reader: { agentId: uuid() } },
        { reader: null, recordId: uuid() },
      ]) {
        const listing = disputeListing(filter);
        for (const walk of listing.walks) {
          const plan = JSON.stringify(
            await database().raw(
              `EXPLAIN ${kind.name === 'mysql' ? 'FORMAT=TRADITIONAL ' : 'QUERY PLAN '}${lister.pageQuery(listing, walk, { limit: 50, after: { key: at(500), id: uuid() } }).toString()}`,
            ),
          );
          expect(plan).not.toMatch(/filesort|TEMP B-TREE|"type":"ALL"|SCAN disputes(?! USING)/);
        }
      }
    });

    it('are filtered by phase, tier and whether they ended', async () => {
      const record = fullRecord();
      const reader = { orgId: record.orgId };
      const open = sampleDispute(record.id, { openedAt: at(1) });
      const raised = sampleDispute(record.id, { openedAt: at(2), phase: 'TIER_2_REVIEW', tier: 2 });
      const ended = sampleDispute(record.id, {
        openedAt: at(3),
        phase: 'WITHDRAWN',
        tier: 2,
        phaseDeadline: null,
        resolvedAt: at(5),
        resolvedBy: { kind: 'agent', agentId: uuid() },
      });
      await insert(record, open, raised, ended);
      expect(await ids({ reader, status: 'open' })).toEqual([raised.id, open.id]);
      expect(await ids({ reader, status: 'ended' })).toEqual([ended.id]);
      expect(await ids({ reader, phase: 'TIER_2_REVIEW' })).toEqual([raised.id]);
      expect(await ids({ reader, tier: 2 })).toEqual([ended.id, raised.id]);
      expect(await ids({ reader, tier: 2, status: 'open' })).toEqual([raised.id]);
    });
  });
};

const sampleDispute = (recordId: string, changes: Partial<Dispute> = {}): Dispute => ({
  id: uuid(),
  recordId,
  phase: 'EVIDENCE_WINDOW',
  tier: 1,
  initiatedBy: { kind: 'agent', agentId: uuid(), apiKeyId: uuid() },
  initiatorRole: 'principal',
  side: 'principal',
  grounds: 'OTHER',
  statement: "naïve 🙂 \\' --",
  evidence: [],
  evidenceDeadline: at(1000),
  phaseDeadline: at(1000),
  outcome: null,
  resolution: null,
  resolvedBy: null,
  openedAt: at(1),
  resolvedAt: null,
  ...changes,
});

const sampleEvidence = (changes: Partial<DisputeEvidence> = {}): DisputeEvidence => ({
  id: uuid(),
  submittedBy: { kind: 'agent', agentId: uuid(), apiKeyId: uuid() },
  side: 'principal',
  content: { note: 'n' },
  contentHash: hex('n'),
  submittedAt: at(2),
  ...changes,
});
