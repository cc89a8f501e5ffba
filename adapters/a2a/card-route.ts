import type { CallGateway } from '../../application/call/call-gateway.ts';
import { matchesAny } from '../http/etag.ts';
import { HttpCall, type ClientAddress } from '../http/http-call.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { HttpRoute } from '../http/http-route.ts';
import { chooseMediaType } from '../http/media-type.ts';
import { CARD_PATH, JSON_TYPE } from './agent-card.ts';
import { type A2aVersion } from './spoken-versions.ts';
import { versionOf } from './version.ts';
import type { SignedCard } from './signed-card.ts';

/** Short, so that a card which a rotation signed anew is soon the one that is read. */
const CACHED = 'public, max-age=60';

interface CardRouteParts {
  readonly gateway: Pick<CallGateway, 'admit'>;
  readonly clientAddress: ClientAddress;
  readonly cards: { readonly [version in A2aVersion]: SignedCard };
  refuse(exchange: HttpExchange, cause: unknown): void;
}

/** GET /.well-known/agent-card.json, for anybody. The module serves it at the path of 0.2 too. */
export class CardRoute implements HttpRoute {
  readonly method = 'GET';
  readonly path = CARD_PATH;

  constructor(private readonly parts: CardRouteParts) {}

  async run(exchange: HttpExchange): Promise<void> {
    const { gateway, clientAddress, cards, refuse } = this.parts;
    try {
      const call = new HttpCall(exchange, clientAddress, 0, 'a2a');
      await gateway.admit(call, 'public', 'default');
      const mediaType = chooseMediaType(exchange.request.header('accept'), [JSON_TYPE]);
      const { text, etag } = await cards[versionOf(exchange.request)].read();
      const answer = {
        status: 200,
        text: { mediaType, content: text },
        headers: { ETag: etag, 'Cache-Control': CACHED, Vary: 'A2A-Version' },
      };
      const held = exchange.request.header('if-none-match');
      if (held !== undefined && matchesAny(held, etag)) exchange.notModified(answer);
      else exchange.reply(answer);
    } catch (error) {
      refuse(exchange, error);
    }
  }
}
