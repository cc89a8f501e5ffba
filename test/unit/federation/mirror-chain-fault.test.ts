import { describe, expect, it } from 'vitest';
import {
  mirrorChainFault,
  type ToldMessage,
} from '../../../domain/federation/mirror-chain-fault.ts';
import type { PeerEntry } from '../../../domain/federation/peer-chain.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';

const PEER = { kind: 'peer', peerHubId: 'h' };
const terms = { platform: 'api', platformRef: null, gateMode: 'auto', depth: 0 };
const offer: JsonObject = {
  entryType: 'RECORD_PROPOSED',
  actor: { kind: 'agent' },
  transition: { action: 'create', from: null, to: 'PROPOSED' },
  schema: { type: 'job' },
  principalAgentId: 'p',
  performerAgentId: 'q',
  criteriaHash: 'a',
  expiresAt: null,
  terms: { ...terms, operatingMode: 'cleartext', federation: { role: 'home' } },
};
const verdict: JsonObject = {
  entryType: 'VERDICT_RENDERED',
  actor: { kind: 'agent' },
  transition: { action: 'render-verdict', from: 'ACTIVE', to: 'FULFILLED' },
  verdict: 'accept',
  reason: 'Good work.',
};
const told = new Map<number, ToldMessage>([
  [1, { isSignal: false, predicate: offer }],
  [2, { isSignal: false, predicate: verdict }],
  [3, { isSignal: true, predicate: { entryType: 'SIGNAL_EMITTED' } }],
]);
let position = 0;
const entry = (predicate: JsonObject): PeerEntry =>
  ({ position: ++position, entryType: predicate['entryType'], predicate }) as unknown as PeerEntry;
const followed = (said: JsonObject, changes: JsonObject = {}): PeerEntry =>
  entry({ ...said, actor: PEER, ...changes });
const attested = (sequence: number, outcome = 'applied'): PeerEntry =>
  entry({ entryType: 'PEER_STATEMENT_ATTESTED', actor: { kind: 'system' }, sequence, outcome });
const step = (): PeerEntry =>
  entry({ entryType: 'STEP_OFFERED', actor: { kind: 'agent' }, transition: {} });
const faultOf = (make: () => readonly PeerEntry[]): string | null => {
  position = 0;
  return mirrorChainFault(make(), (sequence) => told.get(sequence) ?? null);
};
const whole = () => [followed(offer), attested(1), step()];

describe('what a mirror says of its home', () => {
  it('is what home told it', () => {
    expect(faultOf(whole)).toBeNull();
    expect(
      faultOf(() => [...whole(), followed(verdict), attested(2), attested(3), step()]),
    ).toBeNull();
    expect(faultOf(() => [step(), attested(9, 'refused'), step()])).toBeNull();
  });

  it.each<readonly [string, JsonObject]>([
    ['criteriaHash', { criteriaHash: 'b' }],
    ['principalAgentId', { principalAgentId: 'x' }],
    ['schema', { schema: { type: 'other' } }],
    ['expiresAt', { expiresAt: '2027-01-01T00:00:00.000Z' }],
    ['platformRef', { terms: { ...(offer['terms'] as JsonObject), platformRef: 'x' } }],
    ['messageHash', { messageHash: 'm' }],
    ['terms', { terms: null }],
  ])('begins with the offer: another %s is none', (name, changes) => {
    const fault = faultOf(() => [followed(offer, changes), attested(1), step()]);
    expect(fault).toContain(`(${name})`);
  });

  it.each<readonly [string, () => readonly PeerEntry[]]>([
    ['an entry without an attestation', () => [...whole(), followed(verdict), step()]],
    ['one that another follows', () => [followed(verdict), followed(verdict), attested(2)]],
    ['another verdict', () => [followed(verdict, { verdict: 'reject' }), attested(2)]],
    ['another reason', () => [followed(verdict, { reason: 'x' }), attested(2)]],
    ['an entry at a signal', () => [followed(verdict), attested(3)]],
    ['an entry at a refusal', () => [followed(verdict), attested(2, 'refused')]],
    ['an attestation that nothing stands before', () => [attested(2)]],
    ['what was never told', () => [followed(verdict), attested(9)]],
  ])('is not %s', (_, make) => {
    expect(faultOf(make)).not.toBeNull();
  });
});
