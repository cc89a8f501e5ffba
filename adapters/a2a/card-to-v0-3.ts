import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';

/** The card as 0.3 has it, for a client of that version which asks for the extended one. */
export const cardTo03 = (card: JsonObject): JsonObject => {
  const { supportedInterfaces, capabilities, securitySchemes: _, signatures: __, ...rest } = card;
  const { securityRequirements: ___, skills, ...common } = rest;
  const [{ url }] = supportedInterfaces as readonly [JsonObject];
  const { extendedAgentCard, ...able } = capabilities as JsonObject;
  return {
    ...common,
    protocolVersion: '0.3.0',
    url: url!,
    preferredTransport: 'JSONRPC',
    capabilities: able,
    supportsAuthenticatedExtendedCard: extendedAgentCard ?? false,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    security: [{ bearer: [] }],
    skills: (skills as readonly JsonValue[]).map((skill) => {
      const { securityRequirements: ____, ...shown } = skill as JsonObject;
      return shown;
    }),
  };
};
