import { ContainerModule } from 'inversify';
import { lazyRoute } from '../../adapters/http/lazy-route.ts';
import type { HttpRoute } from '../../adapters/http/http-route.ts';
import { refuse } from '../../adapters/http/refuse.ts';
import { limitKeyOfAddress } from '../../adapters/limits/client-address.ts';
import { Budgets } from '../../application/call/budgets.ts';
import { AdmitPeer } from '../../application/federation/admit-peer.ts';
import { HubIdentity } from '../../application/federation/hub-identity.ts';
import { ReceiveHandshake } from '../../application/federation/receive-handshake.ts';
import { RefusedMessages } from '../../application/federation/refused-messages.ts';
import { UnprovenBodies } from '../../application/federation/unproven-bodies.ts';
import { PEER_PATHS } from '../../domain/federation/request-signature.ts';
import { peerBodyBytes } from '../peer-bodies.ts';
import { TOKENS as t } from '../tokens.ts';

/** What other hubs call here. All of it is loaded with the first request for it. */
export const federationRoutesModule = new ContainerModule((options) => {
  options
    .bind(t.federationRoutes)
    .toDynamicValue((container) => {
      const settings = container.get(t.settings);
      const refused = refuse(container.get(t.log));
      let loading: Promise<readonly HttpRoute[]> | undefined;
      const load = async (): Promise<readonly HttpRoute[]> => {
        const { inboundRoutes } = await import('../../adapters/federation/inbound.ts');
        return inboundRoutes(
          {
            admit: container.get(AdmitPeer),
            handshakes: container.get(ReceiveHandshake),
            receivers: container.get(t.peerReceivers),
            budgets: container.get(Budgets),
            bodies: container.get(UnprovenBodies),
            refused: container.get(RefusedMessages),
            json: container.get(t.peerJsonReader),
            clientAddress: container.get(t.clientAddress),
            addressKey: limitKeyOfAddress,
            hub: container.get(HubIdentity),
            refuse: refused,
          },
          peerBodyBytes(settings.MAX_BODY_BYTES),
        );
      };
      const paths = container.get(t.peerReceivers)
        ? Object.values(PEER_PATHS)
        : [PEER_PATHS.handshake];
      return paths.map((path) =>
        lazyRoute(
          { method: 'POST', path },
          async () => {
            const routes = await (loading ??= load());
            return routes.find((route) => route.path === path)!;
          },
          refused,
        ),
      );
    })
    .inSingletonScope();
});
