import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../../config/service.ts';
import { sha256 } from '../../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { quickDatabases } from '../../support/databases/databases.ts';
import { es256Twin } from '../../support/attackers/make-export.ts';
import { literal, VaultRig } from '../../support/service/vault-rig.ts';
import { ok, type Answer, type Body, type Client } from '../../support/service/world.ts';
import { signedIn } from '../../support/databases/stored-values.ts';

const idLiteral = (id: string): string => `x'${id.replaceAll('-', '')}'`;
const drift = ({ status, body }: Answer<Body>): unknown => [
  status,
  body['code'],
  body['reason'],
  status < 300 ? body : null,
];
const REFUSED = [409, 'CONFLICT', 'payload_drift', null];

const openRecord = async (rig: VaultRig, client: Client): Promise<string> =>
  String(
    (
      await ok(
        client.post('/v1/records', {
          type: 'job',
          criteria: { goal: 'g' },
          performerAgentId: rig.world.performer.id,
          autoActivate: true,
        }),
      )
    )['id'],
  );

const signed = async (rig: VaultRig): Promise<unknown> => [
  await rig.database.raw('SELECT COUNT(*) AS n FROM chain_entries'),
  await rig.database.raw('SELECT COUNT(*) AS n FROM vault_checkpoints'),
  await rig.database.raw("SELECT COUNT(*) AS n FROM outbox WHERE type <> 'key.used'"),
];

describe.each(quickDatabases())(
  'a record row with an id that names no chain of a record, on $name',
  (kind) => {
    const rig = new VaultRig(kind);
    beforeAll(() => rig.prepare(), 60_000);
    afterAll(() => rig.end());

    /** Everything that would show or sign something of it. */
    const refusesAll = async (service: RunningService): Promise<void> => {
      const { world } = rig;
      const [principal, performer, platform] = [
        rig.at(service, world.principal.client),
        rig.at(service, world.performer.client),
        rig.at(service, world.platform),
      ];
      const path = `/v1/records/${PLATFORM_CHAIN}`;
      const before = await signed(rig);
      for (const [what, call] of Object.entries({
        read: () => principal.get(path),
        export: () => platform.get(`${path}/audit-export`),
        cancel: () => principal.post(`${path}/cancel`, {}),
        deliver: () => performer.post(`${path}/completions`, { evidence: { score: 1 } }),
        delegate: () =>
          performer.post('/v1/records', {
            type: 'job',
            criteria: { goal: 'g' },
            parentRecordId: PLATFORM_CHAIN,
            performerAgentId: world.principal.id,
          }),
        refer: () =>
          principal.post(`${path}/references`, { kind: 'document', uri: 'https://example.org/a' }),
      }))
        expect([what, drift(await call())]).toEqual([what, REFUSED]);
      expect(await signed(rig)).toEqual(before);
    };

    it('the zero id: nothing is shown, signed or exported, whether this process wrote the platform chain or found it', async () => {
      await rig.run(async (service) => {
        const id = await openRecord(rig, rig.at(service, rig.world.principal.client));
        await rig.database.raw(
          `UPDATE records SET id = ${idLiteral(PLATFORM_CHAIN)}, root_record_id = ${idLiteral(PLATFORM_CHAIN)} WHERE id = ${idLiteral(id)}`,
        );
        // Its own head: it knows it, and has nothing to compare the row with.
        await ok(
          rig.at(service, rig.world.admin).post('/v1/admin/agents', {
            name: 'late',
            orgId: rig.world.orgId,
          }),
        );
        await refusesAll(service);
      });
      await rig.run(refusesAll);
    });
  },
);

describe.each(quickDatabases())(
  'the ES256 twin (r, n − s) of the head of a chain, on $name',
  (kind) => {
    const rig = new VaultRig(kind, { VAULT_ALGORITHM: 'ES256' });
    beforeAll(() => rig.prepare(), 60_000);
    afterAll(() => rig.end());

    it('is not built upon: 409, and nothing is signed', async () => {
      const id = await rig.run((service) =>
        openRecord(rig, rig.at(service, rig.world.principal.client)),
      );
      const [row] = await rig.database.raw(
        `SELECT cose_sign1 FROM chain_entries WHERE chain_key = '${id}'`,
      );
      const cose = signedIn(row!);
      const twin = Uint8Array.of(
        ...cose.subarray(0, -64),
        ...es256Twin(cose.subarray(cose.length - 64)),
      );
      await rig.database.raw(
        `UPDATE chain_entries SET cose_sign1 = ${literal(twin)}, hash = ${literal(sha256(twin))} WHERE chain_key = '${id}'`,
      );
      await rig.database.raw(
        `UPDATE chain_heads SET hash = ${literal(sha256(twin))} WHERE chain_key = '${id}'`,
      );
      await rig.run(async (service) => {
        const before = await signed(rig);
        const [principal, platform] = [
          rig.at(service, rig.world.principal.client),
          rig.at(service, rig.world.platform),
        ];
        expect(drift(await principal.post(`/v1/records/${id}/cancel`, {}))).toEqual(REFUSED);
        expect(drift(await platform.get(`/v1/records/${id}/audit-export`))).toEqual(REFUSED);
        expect(await signed(rig)).toEqual(before);
      });
    });
  },
);
