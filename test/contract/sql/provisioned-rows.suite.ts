import { beforeAll, describe, expect, it } from 'vitest';
import type { ProvisionedRow } from '../../../application/ports/provisioned-rows.port.ts';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, sampleAgent, sampleApiKey, sampleOrg, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of application/ports/provisioned-rows.port.ts

const byKind = (a: { readonly kind: string }, b: { readonly kind: string }): number =>
  a.kind < b.kind ? -1 : 1;

export const provisionedRowsSuite = (kind: DatabaseKind): void => {
  describe(`rows that files made on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const row = (name: string, orgSlug = 'acme'): ProvisionedRow => ({
      id: uuid(),
      kind: 'agents',
      orgSlug,
      name,
      createdAt: at(1),
    });
    const insert = (...rows: readonly ProvisionedRow[]): Promise<void> =>
      database().adapter.unitOfWork.transaction(async (stores) => {
        for (const one of rows) await stores.provisionedRows.insert(one);
      });
    const [clerk, other, ofNone] = [row('clerk'), row('clerk', 'globex'), row('clerk', '')];
    beforeAll(() => insert(clerk, other, ofNone));

    it('are all read, and told from those that no file made', async () => {
      const { provisionedRows } = database().adapter.reads;
      const byId = (rows: readonly ProvisionedRow[]) =>
        rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(byId(await provisionedRows.all())).toEqual(byId([clerk, other, ofNone]));
      expect(await provisionedRows.among([clerk.id, uuid()])).toEqual(new Set([clerk.id]));
      expect(await provisionedRows.among([])).toEqual(new Set());
      const within = await database().adapter.unitOfWork.transaction((stores) =>
        stores.provisionedRows.among([uuid(), other.id]),
      );
      expect(within).toEqual(new Set([other.id]));
    });

    it('tell what is in use and has lost its row', async () => {
      const { unitOfWork, reads } = database().adapter;
      const org = sampleOrg({ managedBy: 'provisioning' });
      const [agent, left, by] = [
        sampleAgent(org.id, { managedBy: 'provisioning' }),
        sampleAgent(org.id, { managedBy: 'provisioning', deactivatedAt: at(2) }),
        sampleAgent(org.id),
      ];
      const key = sampleApiKey({ ownerId: by.id, orgId: org.id, managedBy: 'provisioning' });
      await unitOfWork.transaction(async (stores) => {
        await stores.orgs.insert(org);
        for (const one of [agent, left, by]) await stores.agents.insert(one);
        await stores.apiKeys.insert(key);
        await stores.provisionedRows.insert({ ...row(org.slug), id: org.id, kind: 'orgs' });
      });
      expect((await reads.provisionedRows.forgotten()).toSorted(byKind)).toEqual([
        { kind: 'agents', id: agent.id },
        { kind: 'api-keys', id: key.id },
      ]);
    });

    it('have each natural key once, on however many nodes', async () => {
      await expect(insert(row('clerk'))).rejects.toBeInstanceOf(DuplicateError);
      const made = await Promise.allSettled([insert(row('page')), insert(row('page'))]);
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  });
};
