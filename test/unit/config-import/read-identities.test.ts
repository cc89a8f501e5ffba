import { describe, expect, it } from 'vitest';
import { AjvInputCheck } from '../../../adapters/json-schema/ajv-input-check.ts';
import type { ConfigSource } from '../../../application/config-import/config-source.port.ts';
import {
  readIdentities,
  type Identities,
} from '../../../application/config-import/read-identities.ts';
import { UsableInput } from '../../../application/config-import/usable-input.ts';
import { ConfigFacts } from '../../../domain/identity/config-facts.ts';
import type { JsonObject, JsonValue } from '../../../domain/kernel/canonical-json.ts';

const usable = new UsableInput(new AjvInputCheck());
const id = (n: number): string => `0190b6f2-5a6e-7c3d-8e4f-${String(n).padStart(12, '0')}`;

async function* none(): AsyncGenerator<never> {
  await Promise.resolve();
}
const NO_ROWS = { orgs: none, agents: none } as unknown as ConfigSource;

/** Of a source whose keys are those of somebody else, who signed whatever they like. */
const read = (...entries: readonly JsonObject[]): Promise<Identities> => {
  const facts = new ConfigFacts();
  entries.forEach((entry, index) => facts.take(entry, index + 1));
  return readIdentities(NO_ROWS, facts, usable);
};

const org = (n: number, members: JsonObject = {}): JsonObject => ({
  entryType: 'ORG_CREATED',
  orgId: id(n),
  slug: `org-${n}`,
  name: 'An org',
  settings: { requireCoSignature: 'none' },
  ...members,
});
const agent = (n: number, members: JsonObject = {}): JsonObject => ({
  entryType: 'AGENT_CREATED',
  agentId: id(n),
  orgId: id(1),
  name: 'An agent',
  ...members,
});

const reasons = ({ findings }: Identities): readonly string[] =>
  findings.filter(({ code }) => code === 'unusable').map(({ subject }) => subject);

describe('what another hub sealed', () => {
  it('is taken as its newest entries say it, older forms of them too', async () => {
    const found = await read(
      org(1, { settings: undefined as unknown as JsonValue }),
      agent(10),
      agent(11, { capabilities: ['note'] }),
      { entryType: 'ORG_UPDATED', orgId: id(1), settings: { requireCoSignature: 'body' } },
      { entryType: 'AGENT_CAPABILITIES_CHANGED', agentId: id(10), capabilities: ['a', 'b'] },
      { entryType: 'AGENT_DEACTIVATED', agentId: id(10), reason: 'left' },
      { entryType: 'AGENT_DEACTIVATED', agentId: id(11), reason: null },
      { entryType: 'AGENT_REACTIVATED', agentId: id(11) },
      { entryType: 'PUBLISHER_CLAIMED', orgId: id(1), publisher: 'label.one' },
    );
    expect(found.orgs).toEqual([
      {
        id: id(1),
        slug: 'org-1',
        name: 'An org',
        settings: { requireCoSignature: 'body' },
        publishers: ['label.one'],
        position: 1,
      },
    ]);
    expect(found.agents).toMatchObject([
      { id: id(10), capabilities: ['a', 'b'], isDeactivated: true, deactivationReason: 'left' },
      { id: id(11), capabilities: ['note'], isDeactivated: false, deactivationReason: null },
    ]);
  });

  it('leaves out the system org with its agents, which each notary has of its own', async () => {
    const found = await read(
      org(1, { slug: 'system' }),
      agent(10),
      org(2),
      agent(11, { orgId: id(2) }),
    );
    expect(found.orgs.map(({ slug }) => slug)).toEqual(['org-2']);
    expect(found.agents.map((one) => one.id)).toEqual([id(11)]);
    expect(found.operators).toBe(1);
  });

  it.each<[string, JsonObject]>([
    ['an id that is none', { orgId: 'x' }],
    ['the id of the platform chain', { orgId: '00000000-0000-0000-0000-000000000000' }],
    ['no id', { orgId: null }],
    ['a reserved slug', { slug: 'platform' }],
    ['a slug that is none', { slug: '../../etc' }],
    ['a name that is no text', { name: 7 }],
    ['a name of control characters', { name: 'a\u0000b' }],
    ['a huge name', { name: 'x'.repeat(5_000_000) }],
    ['settings that are unknown', { settings: { requireCoSignature: 'perhaps' } }],
    ['settings of another kind', { settings: [] }],
  ])('leaves out an org with %s, and its agents', async (_, members) => {
    const found = await read(org(1, members), agent(10), org(2));
    expect(found.orgs.map((one) => one.id)).toEqual([id(2)]);
    expect(found.agents).toEqual([]);
    expect(reasons(found)).toContain(id(10));
  });

  it.each<[string, JsonObject]>([
    ['of an org that is none', { orgId: id(9) }],
    ['with an org of another kind', { orgId: { a: 1 } }],
    ['with capabilities that are none', { capabilities: ['Not A Type'] }],
    ['with very many capabilities', { capabilities: Array<string>(100_000).fill('note') }],
    ['with a name of another kind', { name: ['x'] }],
  ])('leaves out an agent %s', async (_, members) => {
    const found = await read(org(1), agent(10, members), agent(11));
    expect(found.agents.map((one) => one.id)).toEqual([id(11)]);
    expect(reasons(found)).toEqual([id(10)]);
  });

  it('takes an id and a slug once, and no label that is reserved or the slug of an org', async () => {
    const found = await read(
      org(1),
      org(1, { name: 'Again' }),
      org(2, { slug: 'org-1' }),
      org(3),
      agent(10),
      agent(10, { orgId: id(3) }),
      ...['org-3', 'system', 'Not A Label', 'fine'].map((publisher) => ({
        entryType: 'PUBLISHER_CLAIMED',
        orgId: id(1),
        publisher,
      })),
      { entryType: 'PUBLISHER_CLAIMED', orgId: id(3), publisher: 'fine' },
    );
    expect(found.orgs.map(({ name, publishers }) => [name, publishers])).toEqual([
      ['An org', ['fine']],
      ['An org', []],
    ]);
    expect(found.agents).toMatchObject([{ id: id(10), orgId: id(1) }]);
    expect(reasons(found).toSorted()).toEqual([id(2), 'Not A Label', 'org-3', 'system'].toSorted());
  });
});
