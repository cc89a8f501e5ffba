import { describe, expect, it } from 'vitest';
import type { ComplianceExport } from '../../../application/ports/compliance-export.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of application/ports/compliance-export-store.port.ts

const sample = (changes: Partial<ComplianceExport> = {}): ComplianceExport => ({
  id: uuid(),
  orgId: uuid(),
  format: 'ndjson',
  filters: { from: at(0), to: at(9), type: 'note' },
  askedBy: { actor: { kind: 'system' }, requestId: 'r', protocol: 'rest' },
  createdAt: at(1),
  expiresAt: at(100),
  attempts: 0,
  claim: null,
  made: null,
  failure: null,
  ...changes,
});

const MADE = {
  total: 2,
  exported: 1,
  omitted: 1,
  omissions: [{ recordId: uuid(), reason: 'why' }],
  sha256: 'a'.repeat(64),
  pieces: ['b'.repeat(64)],
  orgs: [],
};

export const complianceExportsSuite = (kind: DatabaseKind): void => {
  describe(`compliance exports on ${kind.name}`, () => {
    const database = useDatabase(kind);

    it('come in their order, until they are made or given up, and are counted while they live', async () => {
      const { unitOfWork, reads } = database().another({});
      const { complianceExports } = reads;
      const orgId = uuid();
      const [old, newer, failed] = [
        sample({ orgId }),
        sample({ orgId, createdAt: at(2) }),
        sample({ orgId, createdAt: at(3), failure: 'why' }),
      ];
      await unitOfWork.transaction(async (stores) => {
        for (const one of [newer, failed, old]) await stores.complianceExports.insert(one);
      });
      expect(await complianceExports.find(old.id)).toEqual(old);
      expect(await complianceExports.find(uuid())).toBeNull();
      expect(await complianceExports.next()).toEqual(old);
      const { rows, total } = await complianceExports.list({ orgId }, { limit: 2, after: null });
      expect([rows.map(({ id }) => id), total]).toEqual([[failed.id, newer.id], 3]);
      await unitOfWork.transaction(async ({ complianceExports: store }) => {
        expect(await store.live(orgId, at(50))).toBe(2);
        expect(await store.live(orgId, at(100))).toBe(0);
        expect(await store.lock(old.id)).toEqual(old);
        await store.update({ ...old, attempts: 1, claim: newer.id, made: MADE });
      });
      expect(await complianceExports.find(old.id)).toMatchObject({ made: MADE, claim: newer.id });
      expect(await complianceExports.next()).toEqual(newer);
      expect(await complianceExports.expired(at(99), 10)).toEqual([]);
      expect(await complianceExports.expired(at(100), 10)).toHaveLength(3);
      await unitOfWork.transaction(({ complianceExports: store }) => store.delete(old.id));
      expect(await complianceExports.find(old.id)).toBeNull();
    });

    it('keep the pieces of one attempt apart from those of another', async () => {
      const { unitOfWork, reads } = database().another({});
      const { complianceExports } = reads;
      const [id, one, other] = [uuid(), uuid(), uuid()];
      const large = new Uint8Array(1_048_576).fill(7);
      await unitOfWork.transaction(async ({ complianceExports: store }) => {
        await store.addPiece(id, one, 0, large);
        await store.addPiece(id, other, 0, new Uint8Array([1]));
      });
      expect(await complianceExports.piece(id, one, 0)).toEqual(large);
      expect(await complianceExports.piece(id, one, 1)).toBeNull();
      await unitOfWork.transaction(({ complianceExports: store }) => store.deletePieces(id, one));
      expect(await complianceExports.piece(id, other, 0)).toBeNull();
      expect(await complianceExports.piece(id, one, 0)).not.toBeNull();
      await unitOfWork.transaction(({ complianceExports: store }) => store.deletePieces(id));
      expect(await complianceExports.piece(id, one, 0)).toBeNull();
    });
  });
};
