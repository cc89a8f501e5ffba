import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import type { Reference } from '../../../domain/record/reference.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, fullRecord, sampleRecord, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

export const referencesSuite = (kind: DatabaseKind): void => {
  describe(`references on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads;
    const sample = (recordId: string, changes: Partial<Reference> = {}): Reference => ({
      id: uuid(),
      recordId,
      kind: 'ticket',
      uri: `urn:example:${uuid()}`,
      digest: null,
      label: null,
      addedBy: { kind: 'agent', agentId: uuid(), apiKeyId: uuid() },
      addedAt: at(9),
      ...changes,
    });
    const insert = (...records: RecordState[]): Promise<void> =>
      unitOfWork().transaction(async (stores) => {
        for (const record of records) await stores.records.insert(record);
      });
    const add = (record: RecordState, ...added: Reference[]): Promise<RecordState> =>
      unitOfWork().transaction(async (stores) => {
        const held = (await stores.records.lock(record.id))!.record;
        for (const [index, reference] of added.entries())
          await stores.references.insert(reference, held.version + 1 + index);
        const after = {
          ...held,
          references: [...held.references, ...added],
          version: held.version + 1,
        };
        await stores.records.update(after);
        return after;
      });

    it('come with their record, in the order of their entries, wherever it is read', async () => {
      const record = sampleRecord();
      await insert(record);
      const first = sample(record.id, {
        digest: { alg: 'sha-256', value: 'e3b0' },
        label: 'naïve 🙂',
      });
      const [second, third] = [sample(record.id), sample(record.id)];
      const after = await add(await add(record, first), second, third);
      expect(after.references).toEqual([first, second, third]);
      expect((await reads().records.find(record.id))!.record).toEqual(after);
      expect(
        (await unitOfWork().transaction((stores) => stores.records.lock(record.id)))!.record,
      ).toEqual(after);
      const page = await reads().records.list(
        { reader: null, sort: '-createdAt', q: record.id },
        { limit: 5, after: null },
      );
      expect(page.rows).toEqual([after]);
    });

    it('come with each record of a listing, and only with their own', async () => {
      const orgId = uuid();
      const records = [
        sampleRecord({ orgId, createdAt: at(1) }),
        { ...fullRecord(), orgId, createdAt: at(2) },
        sampleRecord({ orgId, createdAt: at(3) }),
      ];
      await insert(...records);
      const [one, two] = [sample(records[0]!.id), sample(records[2]!.id)];
      await add(records[0]!, one);
      await add(records[2]!, two);
      const { rows } = await reads().records.list(
        { reader: { orgId }, sort: 'createdAt' },
        { limit: 5, after: null },
      );
      expect(rows.map(({ references }) => references)).toEqual([[one], [], [two]]);
    });

    it('stay with the record when it changes otherwise', async () => {
      const record = sampleRecord({ status: 'ACTIVE', terminalAt: null });
      await insert(record);
      const reference = sample(record.id);
      await add(record, reference);
      await unitOfWork().transaction(async (stores) => {
        const held = (await stores.records.lock(record.id))!.record;
        await stores.records.update({ ...held, status: 'CANCELLED', version: held.version + 1 });
      });
      expect((await reads().records.find(record.id))!.record).toMatchObject({
        status: 'CANCELLED',
        references: [reference],
      });
    });

    it('hold a kind and a URI once a record, told apart to the last byte', async () => {
      const [record, other] = [sampleRecord(), sampleRecord()];
      await insert(record, other);
      const uri = `https://example.org/${'a'.repeat(2000)}`;
      const after = await add(
        record,
        sample(record.id, { kind: 'a', uri }),
        sample(record.id, { kind: 'A', uri }),
        sample(record.id, { kind: 'a', uri: `${uri}b` }),
      );
      await expect(
        add(after, sample(record.id, { kind: 'a', uri, label: 'again' })),
      ).rejects.toBeInstanceOf(DuplicateError);
      await add(other, sample(other.id, { kind: 'a', uri }));
      expect((await reads().records.find(record.id))!.record.references).toHaveLength(3);
    });

    it('belong to a record that is there', async () => {
      await expect(
        unitOfWork().transaction((stores) => stores.references.insert(sample(uuid()), 2)),
      ).rejects.toThrow();
    });

    it('that land between the reading of a record and of its references belong to the next version', async () => {
      const record = sampleRecord();
      await insert(record);
      const [first, second] = [sample(record.id), sample(record.id)];
      await add(record, first);
      // A row that is there without being counted is what such a reader sees.
      await unitOfWork().transaction((stores) => stores.references.insert(second, 99));
      expect((await reads().records.find(record.id))!.record.references).toEqual([first]);
    });
  });
};
