import { randomUUID } from 'node:crypto';
import type { RunningService } from '../../../config/service.ts';
import { TOKENS } from '../../../config/tokens.ts';
import type { FederationReads } from '../../../domain/federation/federation-store.port.ts';
import { CLOSED_BREAKER } from '../../../domain/federation/peer-breaker.ts';
import type { Prepare } from '../attackers/column-scenes.ts';
import type { EditedHub } from '../attackers/edited-hub.ts';
import { Stranger } from './stranger.ts';
import { GOAL, ok, type Answer, type Body, type World } from '../service/world.ts';

const PEERS = '/v1/admin/federation/peers';
const bytes = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

/** A record that was offered to another hub, which has not answered yet. */
const offered = async (
  hub: EditedHub,
): Promise<{ readonly id: string; readonly peerHubId: string }> => {
  const { platform, principal } = hub.world;
  const peer = new Stranger();
  await ok(platform.post(PEERS, peer.registration));
  await ok(peer.greet(hub));
  const federation = { peerHubId: peer.hubId, performerAgentId: randomUUID() };
  const { id } = await ok(
    principal.client.post('/v1/records', { type: 'job', criteria: GOAL, federation }),
  );
  return { id: String(id), peerHubId: peer.hubId };
};

/** What a message, or the answer to one, relies on. */
const relied = async (
  { container }: RunningService,
  ask: (reads: FederationReads) => Promise<boolean>,
): Promise<Answer<Body>> => {
  const isWhole = await ask(container.get(TOKENS.federationReads)).catch(() => false);
  const body = { reason: 'payload_drift' };
  return { status: isWhole ? 200 : 409, body, headers: new Headers() };
};

const refer = ({ platform }: World, id: string): Promise<Answer<Body>> =>
  platform.post(`/v1/records/${id}/references`, {
    kind: 'ticket',
    uri: `https://tickets.example/${Math.random()}`,
  });

/** A row that decides nothing. */
const nothing = (): Promise<Answer<Body>> =>
  Promise.resolve({ status: 200, body: {}, headers: new Headers() });

/** What there is to edit of records that two hubs share. */
export const FEDERATION_SCENES: Readonly<Record<string, Prepare>> = {
  federation_outgoing: async (hub) => {
    const { id } = await offered(hub);
    return {
      where: `${hub.is('record_id', bytes(id))} AND ${hub.is('sequence', 1)}`,
      act: (world) => refer(world, id),
    };
  },
  federation_incoming: async (hub) => {
    const { id, peerHubId } = await offered(hub);
    await hub.service.container.get(TOKENS.unitOfWork).transaction(({ federation }) =>
      federation.keep({
        messageId: randomUUID(),
        recordId: id,
        peerHubId,
        sequence: 1,
        route: 'state-transitions',
        statement: bytes(randomUUID()),
        payloadHash: 'ab'.repeat(32),
        entries: [bytes(randomUUID())],
        outcome: 'refused',
        attestation: bytes(randomUUID()),
        refusal: { code: 'BROKEN', detail: 'It is.', currentState: null, attemptedState: null },
        receivedAt: '2026-01-01T00:00:00.000Z',
        equivocation: null,
      }),
    );
    return {
      where: `${hub.is('record_id', bytes(id))} AND ${hub.is('sequence', 1)}`,
      act: (_world, node) =>
        relied(node, async (reads) => (await reads.incomingOf(id)).length === 1),
    };
  },
  federation_mirrors: async (hub) => {
    const { id, peerHubId } = await offered(hub);
    await hub.service.container
      .get(TOKENS.unitOfWork)
      .transaction(({ federation }) =>
        federation.follow({ recordId: id, peerHubId, homeRecordId: randomUUID(), manifest: '{}' }),
      );
    return {
      where: hub.is('record_id', bytes(id)),
      act: (_world, node) => relied(node, async (reads) => (await reads.mirror(id)) !== null),
    };
  },
  federation_lanes: async (hub) => {
    const { id, peerHubId } = await offered(hub);
    const at = '2026-01-01T00:00:00.000Z';
    await hub.service.container
      .get(TOKENS.unitOfWork)
      .transaction((stores) => stores.federationLanes.stopAll(peerHubId, 'peer_revoked', at));
    return { where: hub.is('record_id', bytes(id)), act: nothing, exported: id };
  },
  federation_breakers: async (hub) => {
    const { id, peerHubId } = await offered(hub);
    await hub.service.container.get(TOKENS.unitOfWork).transaction(async ({ federationLanes }) => {
      await federationLanes.lockPeer(peerHubId);
      await federationLanes.saveBreaker(peerHubId, { ...CLOSED_BREAKER, consecutiveFailures: 1 });
    });
    return { where: hub.is('peer_hub_id', bytes(peerHubId)), act: nothing, exported: id };
  },
};
