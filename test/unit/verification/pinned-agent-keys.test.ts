import { describe, expect, it } from 'vitest';
import {
  AgentKeysError,
  readPinnedAgentKeys,
} from '../../../domain/verification/keys/pinned-agent-keys.ts';

const KEY = 'A'.repeat(43);

describe('a file with the keys of agents', () => {
  it('gives the keys of each agent', () => {
    const pinned = readPinnedAgentKeys(JSON.stringify({ a: [KEY], b: [KEY, KEY] }));
    expect([...pinned]).toEqual([
      ['a', new Set([KEY])],
      ['b', new Set([KEY])],
    ]);
  });

  it.each([
    ['no JSON', 'a: b'],
    ['no object', '[]'],
    ['no keys', '{"a": []}'],
    ['a key of another length', '{"a": ["AAAA"]}'],
    ['a key in base64', `{"a": ["${'/'.repeat(43)}"]}`],
    ['a key that is no text', '{"a": [1]}'],
    ['an agent twice', `{"a": ["${KEY}"], "a": ["${KEY}"]}`],
  ])('is refused with %s', (_what, text) => {
    expect(() => readPinnedAgentKeys(text)).toThrow(AgentKeysError);
  });
});
