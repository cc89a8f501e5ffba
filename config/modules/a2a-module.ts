import { ContainerModule } from 'inversify';
import { refuse } from '../../adapters/http/refuse.ts';
import type { A2aRoutes } from '../../adapters/a2a/a2a-adapter.ts';
import { lazyRoute } from '../../adapters/http/lazy-route.ts';
import { Draining } from '../../adapters/http/draining.ts';
import { EventFeed } from '../../application/event/event-feed.ts';
import { CallGateway } from '../../application/call/call-gateway.ts';
import { SignDocument } from '../../application/sealing/sign-document.ts';
import { TOKENS as t } from '../tokens.ts';
import { VERSION } from '../build-version.ts';

/** If requests may take as long as they like. */
const LONGEST_WAIT_MS = 30_000;

/** Where clients look for the card: those of 1.0 and 0.3, and those of 0.2. */
const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/** The A2A front-end. All of it is loaded with the first request for it. */
export const a2aModule = new ContainerModule((options) => {
  options
    .bind(t.a2aRoutes)
    .toDynamicValue((container) => {
      const settings = container.get(t.settings);
      const refused = refuse(container.get(t.log));
      const load = once(async () => {
        const { a2aRoutes } = await import('../../adapters/a2a/a2a-adapter.ts');
        return a2aRoutes(
          {
            gateway: container.get(CallGateway),
            documents: container.get(SignDocument),
            inputs: container.get(t.inputCheck),
            json: container.get(t.jsonReader),
            feed: container.get(EventFeed),
            draining: container.get(Draining).signal,
            clientAddress: container.get(t.clientAddress),
            log: container.get(t.log),
            refuse: refused,
          },
          {
            baseUrl: settings.PUBLIC_URL,
            version: VERSION,
            maxBodyBytes: settings.MAX_BODY_BYTES,
            maxWaitMs: settings.HANDLER_TIMEOUT_MS || LONGEST_WAIT_MS,
          },
        );
      });
      return [
        ...CARD_PATHS.map((path) =>
          lazyRoute({ method: 'GET', path }, () => load().then(({ card }) => card), refused),
        ),
        lazyRoute({ method: 'POST', path: '/a2a' }, () => load().then(({ rpc }) => rpc), refused),
      ];
    })
    .inSingletonScope();
});

const once = (load: () => Promise<A2aRoutes>): (() => Promise<A2aRoutes>) => {
  let loading: Promise<A2aRoutes> | undefined;
  return () => (loading ??= load());
};
