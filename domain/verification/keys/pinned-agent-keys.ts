import { decodeBase64UrlStrict } from '../../kernel/base64.ts';
import { isObject, type JsonValue } from '../../kernel/canonical-json.ts';
import { parseStrictJson, StrictJsonError } from '../../kernel/strict-json.ts';

/** By agent id, keys in base64url that a reader got from the agents themselves, and not from the operator. */
export type PinnedAgentKeys = ReadonlyMap<string, ReadonlySet<string>>;

/** The text is no list of agents' keys. */
export class AgentKeysError extends Error {
  override readonly name = 'AgentKeysError';
}

/**
 * Reads `{"<agentId>": ["<Ed25519 public key, 32 bytes in base64url>", …], …}`.
 *
 * @throws AgentKeysError
 */
export const readPinnedAgentKeys = (text: string): PinnedAgentKeys => {
  const pinned = new Map<string, ReadonlySet<string>>();
  const value = parse(text);
  if (!isObject(value)) throw new AgentKeysError('the keys of agents are an object, by agent id');
  for (const [agentId, keys] of Object.entries(value)) {
    if (!Array.isArray(keys) || keys.length === 0)
      throw new AgentKeysError(`the keys of ${agentId} are an array of at least one`);
    pinned.set(agentId, new Set((keys as readonly JsonValue[]).map((key) => keyOf(agentId, key))));
  }
  return pinned;
};

const keyOf = (agentId: string, key: JsonValue): string => {
  if (typeof key === 'string' && decodeBase64UrlStrict(key)?.length === 32) return key;
  throw new AgentKeysError(`a key of ${agentId} is not 32 bytes in base64url`);
};

const parse = (text: string): JsonValue => {
  try {
    return parseStrictJson(text);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw new AgentKeysError(`the keys of agents cannot be read: ${cause.message}`, { cause });
  }
};
