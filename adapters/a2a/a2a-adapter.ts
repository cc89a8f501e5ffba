import type { SignDocument } from '../../application/sealing/sign-document.ts';
import { agentCard } from './agent-card.ts';
import { cardTo03 } from './card-to-v0-3.ts';
import { CardRoute } from './card-route.ts';
import { RpcRoute, type RpcRouteParts, type RpcSettings } from './rpc-route.ts';
import { SignedCard } from './signed-card.ts';

export interface A2aParts extends Omit<RpcRouteParts, 'documents'> {
  readonly documents: SignDocument;
}

export interface A2aRoutes {
  readonly card: CardRoute;
  readonly rpc: RpcRoute;
}

/** The A2A front-end: what it adds to the HTTP base. */
export const a2aRoutes = (parts: A2aParts, settings: RpcSettings): A2aRoutes => {
  const card = agentCard(settings);
  const cards = {
    '1.0': new SignedCard(card, parts.documents),
    '0.3': new SignedCard(cardTo03(card), parts.documents, card),
  };
  return { card: new CardRoute({ ...parts, cards }), rpc: new RpcRoute(parts, settings) };
};
