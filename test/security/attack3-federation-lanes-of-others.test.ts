import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Vault } from '../../application/vault/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import { encodeBase64 } from '../../domain/kernel/base64.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { toHex } from '../../domain/kernel/digest.ts';
import { recordStatement } from '../../domain/record/record-statement.ts';
import { sealEntry, signStatement } from '../../domain/vault/chain.ts';
import { statement } from '../../domain/vault/statement.ts';
import { ForgedOffers } from '../support/forged-bytes.ts';
import { HubPair, noting, type OpenRuntime } from '../support/hub-pair.ts';
import { Stranger } from '../support/stranger.ts';
import { GOAL, ok } from '../support/world.ts';

/** The hub of `home` is the attacker; that of `far` has a record with another peer, which is away just now. */
describe(
  'a peer that gives its own record the id of a record of this hub',
  { timeout: 90_000 },
  () => {
    const runtimes: OpenRuntime[] = [];
    let pair: HubPair;
    let offers: ForgedOffers;
    /** Of `far`, shared with the other peer. */
    let shared: string;
    beforeAll(async () => {
      pair = await HubPair.open(noting(runtimes));
      await pair.peer();
      offers = await ForgedOffers.by([runtimes[0]!, pair.home], [runtimes[1]!, pair.far], pair);
      const { platform, principal } = pair.far.world;
      const other = new Stranger();
      await ok(platform.post('/v1/admin/federation/peers', other.registration));
      await ok(other.greet({ service: { url: pair.far.door.hub } }));
      const federation = { peerHubId: other.hubId, performerAgentId: randomUUID() };
      const criteria = { ...GOAL, secret: 'for the other peer alone' };
      const made = await ok(
        principal.client.post('/v1/records', { type: 'job', criteria, federation }),
      );
      shared = String(made['id']);
    }, 60_000);
    afterAll(() => pair?.close());

    /** A genuine offer of the attacker in every way but for the id that it chooses. */
    const offerUnder = async (recordId: string): Promise<JsonObject> => {
      const { seal, hub } = runtimes[0]!.part(Vault);
      const before = offers.liar.predicateAt(0);
      const terms = { ...(before['terms'] as JsonObject), rootRecordId: recordId };
      const predicate: JsonObject = { ...before, recordId, terms };
      const at = String(predicate['at']);
      const stated = recordStatement(hub.predicateBase, predicate as never);
      const entry = await sealEntry(seal, recordId, null, stated, {
        entryType: 'RECORD_PROPOSED',
        recordId: null,
        orgId: null,
        at,
        oidcIss: null,
        oidcSub: null,
      });
      const headHash = toHex(entry.hash);
      const said = offers.body['projection'] as JsonObject;
      const projection = { ...said, recordId, headHash, position: 1 };
      const name = `record/${recordId}`;
      const told = statement(
        hub.predicateBase,
        'federation-projection',
        name,
        headHash,
        projection,
      );
      return {
        ...offers.body,
        messageId: randomUUID(),
        recordId,
        projection,
        statement: encodeBase64(await signStatement(seal, 'projection', recordId, told, at)),
        entries: [encodeBase64(entry.coseSign1)],
      };
    };

    it('gets none of the messages that wait for another peer', async () => {
      const waiting = await runtimes[1]!.part(TOKENS.federationReads).outgoingOf(shared);
      expect(waiting).toHaveLength(1);
      const { body } = await offers.liar.send(await offerUnder(shared));
      expect(JSON.stringify(body)).not.toContain('for the other peer alone');
      expect(body['messages']).toBeUndefined();
    });
  },
);
