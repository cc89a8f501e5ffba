import { describe, expect, it } from 'vitest';
import { ChangeNotices } from '../../adapters/cache/change-notices.ts';
import { cachedAgents } from '../../adapters/cache/cached-reads.ts';
import { TtlCache } from '../../adapters/cache/ttl-cache.ts';
import type { Agent } from '../../domain/identity/agent.ts';
import type { AgentReads } from '../../domain/identity/identity-store.port.ts';

// Contract of application/ports/change-notice.port.ts

const agent = (deactivatedAt: string | null): Agent => ({
  id: 'a',
  orgId: 'o',
  name: 'n',
  displayName: 'n',
  capabilities: [],
  deactivatedAt,
  deactivationReason: null,
  absences: [],
  managedBy: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  version: 1,
});
const kept = (): boolean => true;

describe('a cache over reads', () => {
  it('forgets at once what the node itself changed', async () => {
    let stored: Agent | null = agent(null);
    const notices = new ChangeNotices();
    const agents = cachedAgents({ find: async () => stored } as unknown as AgentReads, notices);
    expect((await agents.find('a'))?.deactivatedAt).toBeNull();
    stored = agent('2026-02-01T00:00:00.000Z');
    expect((await agents.find('a'))?.deactivatedAt).toBeNull();
    notices.changed('agent');
    expect((await agents.find('a'))?.deactivatedAt).not.toBeNull();
  });

  it('learns of a change elsewhere within a second', async () => {
    let stored: Agent | null = agent(null);
    const agents = cachedAgents(
      { find: async () => stored } as unknown as AgentReads,
      new ChangeNotices(),
    );
    await agents.find('a');
    stored = agent('2026-02-01T00:00:00.000Z');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await agents.find('a'))?.deactivatedAt).not.toBeNull();
  });

  it('remembers nothing that is missing, and no failure', async () => {
    const cache = new TtlCache<string, string | null>(60_000, 10);
    const answers: (() => Promise<string | null>)[] = [
      () => Promise.resolve(null),
      () => Promise.reject(new Error('away')),
      () => Promise.resolve('there'),
    ];
    const load = (): Promise<string | null> => answers.shift()!();
    const found = (value: string | null): boolean => value !== null;
    expect(await cache.get('k', load, found)).toBeNull();
    await expect(cache.get('k', load, found)).rejects.toThrow('away');
    expect(await cache.get('k', load, found)).toBe('there');
    expect(await cache.get('k', load, found)).toBe('there');
  });

  it('does not keep what was read before a change and arrived after it', async () => {
    const cache = new TtlCache<string, string>(60_000, 10);
    let arrive: (value: string) => void = () => undefined;
    const slow = cache.get('k', () => new Promise((resolve) => (arrive = resolve)), kept);
    cache.clear();
    arrive('old');
    expect(await slow).toBe('old');
    expect(await cache.get('k', () => Promise.resolve('new'), kept)).toBe('new');
  });

  it('shares one load among those who ask at once', async () => {
    const cache = new TtlCache<string, number>(60_000, 10);
    let loads = 0;
    const load = async (): Promise<number> => ++loads;
    expect(await Promise.all([1, 2, 3].map(() => cache.get('k', load, kept)))).toEqual([1, 1, 1]);
  });

  it('stays within its capacity', async () => {
    const cache = new TtlCache<number, number>(60_000, 100);
    let loads = 0;
    for (let key = 0; key < 1000; key++) await cache.get(key, async () => ++loads, kept);
    await cache.get(0, async () => ++loads, kept);
    expect(loads).toBe(1001);
    await cache.get(999, async () => ++loads, kept);
    expect(loads).toBe(1001);
  });
});
