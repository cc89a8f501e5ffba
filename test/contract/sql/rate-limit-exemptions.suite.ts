import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import {
  exemptionKey,
  type RateLimitExemption,
} from '../../../domain/identity/rate-limit-exemption.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/identity/rate-limit-exemption-store.port.ts

const hex = (id: string): string => `X'${id.replaceAll('-', '')}'`;
const exemption = (ownerId = uuid()): RateLimitExemption => ({
  ownerId,
  createdAt: at(1),
  version: 2,
});

export const rateLimitExemptionsSuite = (kind: DatabaseKind): void => {
  describe(`owners that no rate limit counts on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const insert = (...rows: readonly RateLimitExemption[]): Promise<void> =>
      database().adapter.unitOfWork.transaction(async (stores) => {
        for (const row of rows) await stores.rateLimitExemptions.insert(row);
      });

    it('are found one by one and all together, until their row is deleted', async () => {
      const { reads, unitOfWork } = database().adapter;
      const [one, other] = [exemption(), exemption()];
      await insert(one, other);
      expect(await reads.rateLimitExemptions.find(one.ownerId)).toEqual(one);
      expect(await reads.rateLimitExemptions.find(uuid())).toBeNull();
      const owners = await reads.rateLimitExemptions.owners();
      expect([one, other].map(({ ownerId }) => owners.has(ownerId))).toEqual([true, true]);
      await unitOfWork.transaction(async ({ rateLimitExemptions }) => {
        expect(await rateLimitExemptions.lock(uuid())).toBeNull();
        expect(await rateLimitExemptions.lock(one.ownerId)).toEqual(one);
        await rateLimitExemptions.delete(one.ownerId);
      });
      expect(await reads.rateLimitExemptions.find(one.ownerId)).toBeNull();
      const left = await reads.rateLimitExemptions.owners();
      expect([one, other].map(({ ownerId }) => left.has(ownerId))).toEqual([false, true]);
    });

    it('have one row each', async () => {
      const { ownerId } = exemption();
      await insert(exemption(ownerId));
      await expect(insert(exemption(ownerId))).rejects.toBeInstanceOf(DuplicateError);
    });

    it('an edited row takes nothing from the others, is told of once, and is believed again as it was', async () => {
      const alarms: unknown[] = [];
      const node = database().another({ onAlarm: (fields) => alarms.push(fields) });
      const [good, edited] = [exemption(), exemption()];
      await insert(good, edited);
      const known = async (): Promise<readonly boolean[]> => {
        const owners = await node.reads.rateLimitExemptions.owners();
        return [good, edited].map(({ ownerId }) => owners.has(ownerId));
      };
      expect(await known()).toEqual([true, true]);
      const set = (version: number): Promise<unknown> =>
        database().raw(
          `UPDATE rate_limit_exemptions SET row_version = ${version} WHERE owner_id = ${hex(edited.ownerId)}`,
        );
      await set(4);
      expect(await known()).toEqual([true, false]);
      const told = alarms.length;
      expect(told).toBeGreaterThan(0);
      expect(new Set(alarms.map((alarm) => JSON.stringify(alarm)))).toEqual(
        new Set([
          JSON.stringify({ alarm: 'row_mac', table: 'rate_limit_exemptions', id: edited.ownerId }),
        ]),
      );
      for (let n = 0; n < 5; n++) expect(await known()).toEqual([true, false]);
      expect(alarms).toHaveLength(told);
      await expect(node.reads.rateLimitExemptions.find(edited.ownerId)).rejects.toMatchObject({
        members: { reason: 'payload_drift' },
      });
      await set(2);
      expect(await known()).toEqual([true, true]);
    });

    it('a row that is older than the chain says is not believed', async () => {
      const [good, old] = [exemption(), exemption()];
      await insert(good, old);
      const node = database().another();
      const versionOf = (id: string): number => (id === exemptionKey(old.ownerId) ? 3 : 2);
      node.followVersions({
        recent: () => Promise.resolve(versionOf),
        now: () => Promise.resolve(versionOf),
        within: () => Promise.resolve(versionOf),
      });
      const owners = await node.reads.rateLimitExemptions.owners();
      expect([good, old].map(({ ownerId }) => owners.has(ownerId))).toEqual([true, false]);
    });
  });
};
