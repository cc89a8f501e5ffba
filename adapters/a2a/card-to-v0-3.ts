import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { A2A_BINDING } from './agent-card.ts';

/**
 * The card for a client that speaks 0.3 or names no version: the card of 1.0 with the members that 0.3 reads added to it.
 * A client of 1.0 that sends no version when it fetches the card still finds its interface in `supportedInterfaces`.
 */
export const cardTo03 = (card: JsonObject): JsonObject => {
  const { supportedInterfaces, capabilities, securitySchemes } = card;
  const [{ url }] = supportedInterfaces as readonly [{ readonly url: string }];
  const { extendedAgentCard } = capabilities as JsonObject;
  const schemes = Object.entries(securitySchemes as JsonObject);
  return {
    ...card,
    protocolVersion: '0.3.0',
    url,
    preferredTransport: A2A_BINDING,
    additionalInterfaces: [{ url, transport: A2A_BINDING }],
    supportsAuthenticatedExtendedCard: extendedAgentCard ?? false,
    securitySchemes: Object.fromEntries(
      schemes.map(([name, scheme]) => [name, schemeTo03(scheme as JsonObject)]),
    ),
    // OpenAPI 3.0 allows scopes for OAuth 2.0 and OpenID Connect only.
    security: [Object.fromEntries(schemes.map(([name]) => [name, []]))],
  };
};

/** A scheme in both forms. 0.3 reads `type` and the members beside it, 1.0 reads the wrapper. */
const schemeTo03 = (scheme: JsonObject): { readonly [member: string]: JsonValue } => ({
  ...scheme,
  type: 'http',
  ...(scheme['httpAuthSecurityScheme'] as JsonObject),
});
