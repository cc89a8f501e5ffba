import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { databases } from '../support/databases.ts';
import { useForgedOffers } from '../support/offers-on.ts';

describe.each(databases())('offers of a home that lies, on $name', { timeout: 60_000 }, (kind) => {
  const hubs = useForgedOffers(kind);

  const statusOf = async (
    edit: (predicate: JsonObject) => JsonObject,
    content?: JsonObject,
  ): Promise<number> =>
    (await hubs().offers.liar.send(await hubs().offers.message(edit, content))).status;
  const withTerms = (more: JsonObject) => (predicate: JsonObject) => ({
    ...predicate,
    terms: { ...(predicate['terms'] as JsonObject), ...more },
  });

  it('control: an offer as home makes it is taken', async () => {
    expect(await statusOf((predicate) => predicate)).toBe(200);
  });

  // Taken on SQLite and shown by the performer's hub; 500 on MySQL, again at each repetition.
  it('no platform of 300 letters', async () => {
    expect(await statusOf(withTerms({ platform: '\u202e'.padEnd(300, 'x') }))).toBe(422);
  });
  it('no platformRef of 300 letters', async () => {
    expect(await statusOf(withTerms({ platformRef: 'y'.repeat(300) }))).toBe(422);
  });

  // The mirror shows a type of the performer's own org, which never registered it.
  it("no type of the performer's own org", async () => {
    const own = (predicate: JsonObject) => ({
      ...predicate,
      schema: { ...(predicate['schema'] as JsonObject), orgId: hubs().pair.far.world.orgId },
    });
    expect(await statusOf(own)).toBe(422);
  });

  // A principal of this hub is refused by the same manifest.
  it('no criteria that the manifest forbids', async () => {
    const value = { nothing: 'of the kind' };
    const criteriaHash = hashJson(value);
    const manifest = hubs().offers.liar.first.content.manifest!;
    const items = [{ kind: 'criteria', hash: criteriaHash, value }];
    const status = await statusOf((predicate) => ({ ...predicate, criteriaHash }), {
      manifest,
      items,
    });
    const local = await hubs().pair.home.world.principal.client.post('/v1/records', {
      type: 'job',
      criteria: value,
    });
    expect([status, local.status]).toEqual([422, 422]);
  });

  // What is no chain costs its receiver no signature: a body of the same size whose statement is forged is no cheaper.
  it('none that costs the processor much more than another', async () => {
    const genuine = await hubs().offers.message((predicate) => predicate);
    const [entry] = genuine.entries;
    const entries = Array.from({ length: 1_000 }, () => entry!);
    const forged = Buffer.from(genuine.statement, 'base64');
    forged[forged.length - 1]! ^= 1;
    const cpuOf = async (statement: string): Promise<number> => {
      const before = process.cpuUsage();
      for (let turn = 0; turn < 3; turn++) {
        const message = { ...genuine, statement, messageId: randomUUID(), entries };
        expect((await hubs().offers.liar.send(message)).status).toBe(422);
      }
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const cheap = await cpuOf(forged.toString('base64'));
    expect(await cpuOf(genuine.statement)).toBeLessThan(2 * cheap + 100_000);
  });
});
