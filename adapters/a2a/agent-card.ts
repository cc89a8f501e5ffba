import { scopesOf } from '../../application/call/access.ts';
import type { Operation } from '../../application/call/operation.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { SKILLS, type Skill } from './skills.ts';
import { A2A_VERSIONS } from './spoken-versions.ts';

export interface CardSettings {
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly version: string;
}

export const A2A_PATH = '/a2a';
/** Where 1.0 and 0.3 look for the card. */
export const CARD_PATH = '/.well-known/agent-card.json';
/** The only transport that is spoken here. */
export const A2A_BINDING = 'JSONRPC';

export const JSON_TYPE = 'application/json';

/** How the service is called: the name of the one scheme. */
const BEARER = 'bearer';

/**
 * The agent card of A2A 1.0, without its signatures. It holds no empty list, object or text: libraries differ on whether
 * those are signed.
 *
 * @param skills those that are shown.
 */
export const agentCard = (
  { baseUrl, version }: CardSettings,
  skills: readonly Skill[] = SKILLS,
): JsonObject => ({
  name: 'Notary',
  description:
    'A cryptographic notary for automated work: authorizations, delegations, completions and verdicts as a tamper-evident chain that anyone can verify offline.',
  version,
  documentationUrl: `${baseUrl}/docs`,
  supportedInterfaces: A2A_VERSIONS.map((protocolVersion) => ({
    url: `${baseUrl}${A2A_PATH}`,
    protocolBinding: A2A_BINDING,
    protocolVersion,
  })),
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  securitySchemes: {
    [BEARER]: {
      httpAuthSecurityScheme: {
        scheme: 'Bearer',
        description: 'An API key, a certificate or a token, as over REST',
      },
    },
  },
  securityRequirements: [requirement(['records:read'])],
  defaultInputModes: [JSON_TYPE],
  defaultOutputModes: [JSON_TYPE],
  skills: skills.map(skillView),
});

const skillView = ({ id, name, description, operations }: Skill): JsonObject => {
  const [first] = operations;
  const scopes = scopesOf(first.access({}));
  const examples = operations.flatMap((operation) =>
    Object.values(operation.examples)
      .slice(0, 1)
      .map((input) => JSON.stringify({ skill: id, operation: operation.id, input })),
  );
  return {
    id,
    name,
    description: [description, 'Operations:', ...operations.map(operationWords)].join('\n'),
    tags: [...new Set(operations.map(({ words }) => words.group))],
    ...(examples.length === 0 ? {} : { examples }),
    ...(scopes.length === 0 ? {} : { securityRequirements: [requirement(scopes)] }),
  };
};

const operationWords = ({ id, words, input }: Operation): string => {
  const { required = [] } = input;
  const needs = required.length === 0 ? '' : ` Needs ${required.join(', ')}.`;
  return `- ${id}: ${words.summary}.${needs}`;
};

const requirement = (scopes: readonly string[]): JsonObject => ({
  schemes: { [BEARER]: { list: scopes } },
});
