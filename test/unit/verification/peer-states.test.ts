import { expect, it } from 'vitest';
import { PEER_TRANSITIONS } from '../../../domain/federation/peer-transitions.ts';
import { PEER_STATES_BEFORE } from '../../../domain/verification/dump/registry/changed-values.ts';

it('the verifier lets a peer go from the states that the service lets it go from', () => {
  const before = new Map<string, Set<string>>();
  for (const { entryType, from } of Object.values(PEER_TRANSITIONS)) {
    const states = before.get(entryType) ?? new Set();
    // A handshake that waits for approval has left no entry.
    for (const state of from) if (state !== null && state !== 'PENDING') states.add(state);
    before.set(entryType, states);
  }
  const verified = [...PEER_STATES_BEFORE].map(
    ([type, states]) => [type, new Set(states)] as const,
  );
  expect(new Map(verified)).toEqual(before);
});
