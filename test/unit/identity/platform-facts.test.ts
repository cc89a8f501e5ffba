import { describe, expect, it } from 'vitest';
import { PlatformFacts } from '../../../domain/identity/platform-facts.ts';

const T = (minutes: number): string => new Date(minutes * 60_000).toISOString();

describe('what the platform chain says of rows', () => {
  it('is their newest version, and 1 where no entry changed them', () => {
    const facts = new PlatformFacts();
    facts.take({ entryType: 'AGENT_CREATED', at: T(0), rowVersions: { a: 1 } }, 1);
    expect([facts.versionOf('a'), facts.size]).toEqual([1, 0]);
    facts.take({ entryType: 'AGENT_DEACTIVATED', at: T(1), rowVersions: { a: 2 } }, 2);
    facts.take({ entryType: 'KEY_ACTIVATED', at: T(1) }, 3);
    expect([facts.versionOf('a'), facts.versionOf('b'), facts.size]).toEqual([2, 1, 1]);
  });

  it('is not changed by facts that a unit of work adds to it', () => {
    const facts = new PlatformFacts();
    facts.take(
      { entryType: 'ORG_CREATED', at: T(0), orgId: 'o', slug: 'acme', rowVersions: {} },
      4,
    );
    const beyond = new PlatformFacts(facts);
    beyond.take(
      {
        entryType: 'PUBLISHER_CLAIMED',
        at: T(1),
        orgId: 'o',
        publisher: 'p',
        rowVersions: { a: 2 },
      },
      5,
    );
    expect([beyond.versionOf('a'), beyond.publisherOf('p'), beyond.orgOfSlug('acme')]).toEqual([
      2,
      'o',
      'o',
    ]);
    expect([facts.versionOf('a'), facts.publisherOf('p')]).toEqual([1, null]);
  });

  it('holds a revoked certificate for as long as it could be valid, and no longer', () => {
    const facts = new PlatformFacts();
    facts.take({ entryType: 'CERT_REVOKED', at: T(0), rowVersions: { c: 2 } }, 6);
    facts.take({ entryType: 'AGENT_DEACTIVATED', at: T(61), rowVersions: { a: 2 } }, 7);
    expect(facts.versionOf('c')).toBe(2);
    facts.take({ entryType: 'AGENT_REACTIVATED', at: T(62), rowVersions: { a: 3 } }, 8);
    expect([facts.versionOf('c'), facts.versionOf('a'), facts.size]).toEqual([1, 3, 1]);
  });

  it('is where a loss was acknowledged, and what was lost by then', () => {
    const facts = new PlatformFacts();
    const lost = (from: number, to: number, at: string) => ({
      entryType: 'REWIND_ACKNOWLEDGED',
      at,
      chainKey: 'r',
      lostRange: { from, to },
      lostHead: 'a'.repeat(64),
      checkpoint: 'c'.repeat(64),
      reason: null,
      rowVersions: {},
    });
    facts.take(lost(2, 3, T(5)), 7);
    const beyond = new PlatformFacts(facts);
    beyond.take(lost(4, 4, T(6)), 9);
    expect(facts.acknowledgementsOf('r')).toEqual([7]);
    expect(beyond.acknowledgementsOf('r')).toEqual([7, 9]);
    expect(beyond.acknowledgementsOf('q')).toEqual([]);
    expect([1, 2, 3, 4].map((position) => facts.isLost('r', position, T(4)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(facts.isLost('r', 2, T(5))).toBe(false);
  });
});
