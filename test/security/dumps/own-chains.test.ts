import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { sha256 } from '../../../domain/kernel/digest.ts';
import { GrowingTree, leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import { schemaChain } from '../../../domain/vault/chain-key.ts';
import { sealEntry, type ChainEntry } from '../../../domain/vault/chain.ts';
import { sealCheckpoint, type TreeHead } from '../../../domain/vault/checkpoint.ts';
import type { PlatformEntryType } from '../../../domain/vault/entry-type.ts';
import { schemaStatement, type SchemaEventPredicate } from '../../../domain/vault/statement.ts';
import { checkpointRow } from '../../../domain/verification/dump/rows/dump-rows.ts';
import { textOf, type DumpTexts } from '../../support/attackers/dump-files.ts';
import { BASE, headOf, TestHub, type TestChain } from '../../support/attackers/make-export.ts';
import { dumpOf, verifyUnder } from '../../support/attackers/signed-dump.ts';

const OTHER = '0190ffff-0000-7000-8000-000000000001';
const RECORDED = { action: 'create', from: null, to: 'RECORDED' } as const;
const HOUR = 3_600_000;
const OIDC = { iss: 'https://idp.example', sub: 'workload' };

/** Of every test hub. */
const ORG_ID = '0190a000-0000-7000-8000-000000000002';
const AGENT = '0190ffff-0000-7000-8000-000000000002';
const KEY = '0190ffff-0000-7000-8000-000000000003';

type Act = readonly [PlatformEntryType, JsonObject];

let hub: TestHub;
beforeEach(async () => {
  hub = await TestHub.start();
});

/** One note whose entry says something else than the platform chain or the schema chain. */
const noted = async (edit: (sealed: JsonObject) => JsonObject): Promise<TestChain> => {
  const chain = hub.chain();
  await hub.append(chain, 'RECORD_RECORDED', RECORDED, {}, undefined, edit);
  return chain;
};
const dumped = async (chains: readonly TestChain[]): Promise<DumpTexts> => {
  hub.pass(2 * HOUR);
  return dumpOf(hub, chains);
};
const verified = async (...chains: readonly TestChain[]) => verifyUnder(hub, await dumped(chains));
const invalid = (detail: RegExp, failureClass = 'CHAIN_PAYLOAD_BINDING_MISMATCH') => ({
  verdict: 'invalid',
  failures: [{ class: failureClass, detail: expect.stringMatching(detail) }],
});
const actorOf = (sealed: JsonObject): JsonObject => sealed['actor'] as JsonObject;
const withActor =
  (members: JsonObject) =>
  (sealed: JsonObject): JsonObject => ({ ...sealed, actor: { ...actorOf(sealed), ...members } });
const withSchema =
  (members: JsonObject) =>
  (sealed: JsonObject): JsonObject => ({
    ...sealed,
    schema: { ...(sealed['schema'] as JsonObject), ...members },
  });

it('a dump that its own platform chain and schema chain bear out is valid', async () => {
  const report = await verified(await hub.notarize(), await hub.gate());
  expect(report).toMatchObject({ verdict: 'valid', failures: [], reasons: [] });
});

describe('a record of whom the platform chain does not know', () => {
  it.each([
    ['an API key never minted', withActor({ apiKeyId: OTHER }), /establishes the API key/],
    [
      'an API key of another agent',
      (sealed: JsonObject) => withActor({ apiKeyId: hub.actor('performer').apiKeyId! })(sealed),
      /establishes the API key/,
    ],
    [
      'an API key of another role',
      (sealed: JsonObject) => withActor({ kind: 'admin' })(sealed),
      /establishes the API key/,
    ],
    [
      'a performer that was never created',
      (sealed: JsonObject) => ({ ...sealed, performerAgentId: OTHER }),
      /establishes the agent 0190ffff/,
    ],
  ])('with %s', async (_what, edit, detail) => {
    expect(await verified(await noted(edit))).toMatchObject(invalid(detail));
  });

  it('with an org that was never created', async () => {
    const edit = (sealed: JsonObject): JsonObject => ({
      ...sealed,
      orgId: OTHER,
      performerOrgId: OTHER,
      actor: { ...actorOf(sealed), orgId: OTHER },
    });
    const { verdict, failures } = await verified(await noted(edit));
    expect(verdict).toBe('invalid');
    expect(failures.map(({ detail }) => detail)).toContainEqual(
      expect.stringContaining(`no entry of the platform chain establishes the org ${OTHER}`),
    );
  });

  it('is believed with a key that was revoked before by the times of two chains', async () => {
    await hub.platformEntry('API_KEY_REVOKED', {
      orgId: hub.orgId,
      apiKeyId: hub.actor('principal').apiKeyId!,
      role: 'agent',
      ownerId: hub.principal,
      reason: null,
    });
    hub.pass(2 * HOUR);
    // The clock of the service may have been hours ahead when this was sealed, before the revocation.
    expect(await verified(await hub.notarize())).toMatchObject({ verdict: 'valid' });
  });

  it('is believed with a key that was revoked and brought back', async () => {
    const end = {
      orgId: hub.orgId,
      apiKeyId: hub.actor('principal').apiKeyId!,
      role: 'agent',
      ownerId: hub.principal,
      reason: null,
    };
    await hub.platformEntry('API_KEY_REVOKED', end);
    hub.pass(2 * HOUR);
    await hub.platformEntry('API_KEY_REENABLED', { ...end, reenabled: true });
    expect(await verified(await hub.notarize())).toMatchObject({ verdict: 'valid' });
  });
});

describe('an actor with', () => {
  it.each([
    [
      'two credentials',
      (sealed: JsonObject) => withActor({ certId: OTHER, oidc: OIDC })(sealed),
      /two credentials/,
    ],
    [
      'the identity of a provider and no certificate, as an agent',
      (sealed: JsonObject) => {
        const { apiKeyId: _, ...actor } = actorOf(sealed);
        return { ...sealed, actor: { ...actor, oidc: OIDC } };
      },
      /an agent acts by a certificate/,
    ],
    [
      'a certificate and no identity',
      (sealed: JsonObject) => {
        const { apiKeyId: _, ...actor } = actorOf(sealed);
        return { ...sealed, actor: { ...actor, certId: OTHER } };
      },
      /a certificate is that of an agent/,
    ],
  ])('%s', async (_what, edit, detail) => {
    const { verdict, failures } = await verified(await noted(edit));
    expect(verdict).toBe('invalid');
    expect(failures[0]).toMatchObject(invalid(detail).failures[0]!);
  });
});

describe('a record of a type that no schema chain registers', () => {
  it.each([
    ['another type', { type: 'never-registered' }],
    ['another version', { version: 2 }],
    ['another digest', { manifestDigest: 'd'.repeat(64) }],
    ['a type of another publisher', { publisher: 'other' }],
  ])('%s', async (_what, members) => {
    const chains = [await hub.notarize(), await noted(withSchema(members))];
    expect(await verified(...chains)).toMatchObject(invalid(/no schema chain registers the type/));
  });
});

/** A schema chain of the hub's org in which one more entry stands. */
const registered = async (
  members: Partial<SchemaEventPredicate>,
): Promise<readonly ChainEntry[]> => {
  const entries = await hub.typesRegistered();
  const at = hub.now();
  const { orgId } = hub;
  const predicate = {
    entryType: 'SCHEMA_REGISTERED',
    at,
    requestId: 'forged',
    actor: { kind: 'system' },
    orgId,
    publisher: 'acme',
    type: 'forged',
    version: 1,
    manifestDigest: 'e'.repeat(64),
    status: 'active',
    ...members,
  } as const;
  const names = { oidcIss: null, oidcSub: null, recordId: null, orgId, at };
  const row = { entryType: predicate.entryType, ...names };
  const statement = schemaStatement(BASE, predicate);
  const entry = await sealEntry(hub.seal, schemaChain(orgId), headOf(entries), statement, row);
  hub.schemas.push(entry);
  return hub.schemas;
};

describe('an entry of a schema chain', () => {
  it('in which an agent registers a type', async () => {
    const note = await hub.notarize();
    await registered({ actor: hub.actor('principal') });
    expect(await verified(note)).toMatchObject(invalid(/\/actor\/kind is none of the values/));
  });

  it('in which an admin of another org registers a type', async () => {
    const note = await hub.notarize();
    const agent = { orgId: OTHER, agentId: AGENT };
    await hub.platformEntry('ORG_CREATED', { orgId: OTHER, slug: 'other', name: 'Other' });
    await hub.platformEntry('AGENT_CREATED', { ...agent, name: 'a' });
    await hub.platformEntry('API_KEY_MINTED', {
      apiKeyId: KEY,
      role: 'admin',
      ownerId: AGENT,
      orgId: OTHER,
      expiresAt: null,
    });
    await registered({ actor: { kind: 'admin', ...agent, apiKeyId: KEY } });
    expect(await verified(note)).toMatchObject(invalid(/acts in the org/));
  });

  it('which changes the status of a version that was never registered', async () => {
    const note = await hub.notarize();
    await registered({ entryType: 'SCHEMA_STATUS_CHANGED', status: 'disabled' });
    expect(await verified(note)).toMatchObject(invalid(/which no entry before it registers/));
  });

  const changed = (status: 'active' | 'disabled') =>
    ({ entryType: 'SCHEMA_STATUS_CHANGED', status }) as const;
  const DELETED = { entryType: 'SCHEMA_DELETED' } as const;
  const OTHER_DIGEST = { manifestDigest: 'f'.repeat(64) };
  const found = async (acts: readonly Partial<SchemaEventPredicate>[]) => {
    const note = await hub.notarize();
    for (const act of acts) await registered(act);
    return (await verified(note)).failures.map(({ detail }) => detail);
  };

  it('is believed if a version was disabled and deleted before it is registered again', async () => {
    const acts = [{}, changed('disabled'), changed('active'), changed('disabled'), DELETED];
    expect(await found([...acts, OTHER_DIGEST])).toEqual([]);
  });

  it('is believed if the org claimed the label, or imported the type of another org', async () => {
    await hub.platformEntry('PUBLISHER_CLAIMED', { orgId: ORG_ID, publisher: 'label' });
    const imported = { entryType: 'SCHEMA_IMPORTED', publisher: 'foreign' } as const;
    expect(await found([{ publisher: 'label' }, imported])).toEqual([]);
  });

  it.each<[string, readonly Partial<SchemaEventPredicate>[], RegExp]>([
    ['registers a version twice', [{}, {}], /an earlier entry established the type/],
    ['gives a version two digests', [{}, OTHER_DIGEST], /an earlier entry established the type/],
    [
      'changes a version that was deleted',
      [{}, changed('disabled'), DELETED, changed('active')],
      /no entry before it registers/,
    ],
    [
      'changes the digest of a version',
      [{}, { ...changed('disabled'), ...OTHER_DIGEST }],
      /no entry before it registers/,
    ],
    ['deletes an active version', [{}, DELETED], /is deleted while it is active/],
    ['changes a status to itself', [{}, changed('active')], /was active before this/],
    [
      'registers a type under the label of another org',
      [{ publisher: 'foreign' }],
      /establishes the publisher foreign of the org/,
    ],
  ])('that %s', async (_what, acts, detail) => {
    expect(await found(acts)).toContainEqual(expect.stringMatching(detail));
  });
});

describe('an entry of the platform chain', () => {
  it.each([
    [
      'with a member that its kind does not have',
      'ORG_UPDATED',
      { orgId: ORG_ID, settings: {}, previousSettings: {}, remark: 'forged' },
      /unknown member "remark"/,
    ],
    [
      'about an agent that was never created',
      'AGENT_DEACTIVATED',
      { orgId: ORG_ID, agentId: OTHER, reason: null },
      /the agent 0190ffff/,
    ],
    [
      'about an org that was never created',
      'PUBLISHER_CLAIMED',
      { orgId: OTHER, publisher: 'p' },
      /the org 0190ffff/,
    ],
  ] as const)('%s', async (_what, entryType, members, detail) => {
    await hub.platformEntry(entryType, members);
    expect(await verified(await hub.notarize())).toMatchObject(invalid(detail));
  });

  /** @param acts a number lets so many milliseconds pass. */
  const found = async (...acts: readonly (Act | number)[]): Promise<readonly string[]> => {
    for (const act of acts)
      if (typeof act === 'number') hub.pass(act);
      else await hub.platformEntry(...act);
    const { failures } = await verified(await hub.notarize());
    return failures.map(({ detail }) => detail);
  };
  const by = (kind: string): JsonObject => ({
    actor: { ...(hub.actor('principal') as unknown as JsonObject), kind },
  });
  const org = (more: JsonObject = {}): Act => [
    'ORG_CREATED',
    { orgId: OTHER, slug: 'other', name: 'Other', settings: {}, ...more },
  ];
  const key = (more: JsonObject = {}): Act => [
    'API_KEY_MINTED',
    {
      apiKeyId: KEY,
      role: 'agent',
      ownerId: hub.principal,
      orgId: hub.orgId,
      expiresAt: null,
      ...more,
    },
  ];

  const performerKey = (): string => hub.actor('performer').apiKeyId!;
  const rotation = (more: JsonObject = {}): Act => [
    'API_KEY_ROTATED',
    { ...key()[1], previousApiKeyId: hub.actor('principal').apiKeyId!, ...more },
  ];
  const revocation = (): Act => [
    'API_KEY_REVOKED',
    {
      orgId: hub.orgId,
      apiKeyId: hub.actor('principal').apiKeyId!,
      role: 'agent',
      ownerId: hub.principal,
      reason: null,
    },
  ];
  const issuer = (more: JsonObject = {}): Act => [
    'ISSUER_CREATED',
    { orgId: hub.orgId, issuerId: OTHER, issuerUrl: OIDC.iss, ...more },
  ];
  const certificate = (more: JsonObject = {}): Act => [
    'CERT_ISSUED',
    {
      actor: { kind: 'agent', orgId: hub.orgId, agentId: hub.principal, certId: KEY, oidc: OIDC },
      orgId: hub.orgId,
      certId: KEY,
      issuerId: OTHER,
      agentId: hub.principal,
      issuedAt: '2026-11-20T10:00:00Z',
      expiresAt: '2026-11-20T10:10:00Z',
      ...more,
    },
  ];
  const subscription = (more: JsonObject): Act => [
    'WEBHOOK_CREATED',
    { orgId: hub.orgId, subscriptionId: KEY, ...more },
  ];
  const peer = (peerHubId: string): Act => ['PEER_APPROVED', { peerHubId }];

  it('is believed where each act names what came before', async () => {
    const agent: Act = ['AGENT_CREATED', { orgId: OTHER, agentId: AGENT, name: 'a' }];
    const acts = [org(), agent, key({ orgId: OTHER, ownerId: AGENT })];
    const handshake = { peerHubId: OTHER, actor: { kind: 'peer', peerHubId: OTHER } };
    expect(
      await found(...acts, issuer(), certificate(), peer(OTHER), ['PEER_UPDATED', handshake]),
    ).toEqual([]);
  });

  it('is believed where a key is rotated by its own agent', async () => {
    expect(await found(rotation(by('agent')))).toEqual([]);
  });

  const agent = (entryType: PlatformEntryType, members: JsonObject): Act => [
    entryType,
    { orgId: hub.orgId, agentId: hub.performer, ...members },
  ];
  const off = (): Act => agent('AGENT_DEACTIVATED', { reason: null });
  const on = (): Act => agent('AGENT_REACTIVATED', { deactivatedAt: null });
  const signingKey = (ended: boolean, members: JsonObject = {}): Act =>
    agent(ended ? 'SIGNING_KEY_REVOKED' : 'SIGNING_KEY_ADDED', { thumbprint: 't', ...members });
  const encryptionKey = (thumbprint: string, replacedThumbprint: string | null): Act =>
    agent('ENCRYPTION_KEY_SET', { thumbprint, replacedThumbprint });
  const capabilities = (now: readonly string[], before: readonly string[]): Act =>
    agent('AGENT_CAPABILITIES_CHANGED', { capabilities: now, previousCapabilities: before });
  const setting = (now: string, before: string): Act => [
    'ORG_UPDATED',
    {
      orgId: hub.orgId,
      settings: { requireCoSignature: now },
      previousSettings: { requireCoSignature: before },
    },
  ];
  const hubKey = (publicKeyThumbprint: string, previousThumbprint?: string): Act => [
    previousThumbprint === undefined ? 'HUB_KEY_CREATED' : 'HUB_KEY_CHANGED',
    {
      hubId: hub.hubId,
      publicKeyThumbprint,
      ...(previousThumbprint === undefined ? {} : { previousThumbprint }),
    },
  ];
  const peerAct = (
    act: 'REGISTERED' | 'UPDATED' | 'SUSPENDED' | 'RESUMED' | 'REVOKED' | 'KEY_CHANGED',
    state: string,
    publicKeyThumbprint = 'k1',
    more: JsonObject = {},
  ): Act => [`PEER_${act}`, { peerHubId: OTHER, state, publicKeyThumbprint, ...more }];
  const exempt = (entryType: 'RATE_LIMIT_EXEMPTED' | 'RATE_LIMIT_RESTORED'): Act => [
    entryType,
    { orgId: hub.orgId, ownerId: hub.performer },
  ];
  const reenabled = (): Act => ['API_KEY_REENABLED', revocation()[1]];
  const witness = (ended = false): Act => [
    ended ? 'WITNESS_REMOVED' : 'WITNESS_ADDED',
    { witnessKeyId: KEY },
  ];
  const ofAgent = (ownerId: string): JsonObject => ({ ownerType: 'agent', ownerId });
  const taken = (): Act => ['EXPORT_TAKEN', { exportId: KEY }];

  it('is believed where things end, come back and change in their order', async () => {
    const acts = [
      ...[off(), on(), off(), on()],
      ...[revocation(), reenabled(), revocation(), reenabled()],
      ...[signingKey(false), signingKey(true), signingKey(false, { thumbprint: 'u' })],
      ...[encryptionKey('a', null), encryptionKey('b', 'a'), encryptionKey('c', 'b')],
      ...[capabilities(['x'], []), capabilities(['y', 'z'], ['x']), capabilities([], ['y', 'z'])],
      ...[setting('always', 'never'), setting('never', 'always')],
      ...[hubKey('h1'), hubKey('h2', 'h1'), hubKey('h3', 'h2')],
      ...[peerAct('REGISTERED', 'REGISTERED'), peerAct('UPDATED', 'ACTIVE')],
      ...[peerAct('SUSPENDED', 'SUSPENDED'), peerAct('RESUMED', 'ACTIVE')],
      peerAct('KEY_CHANGED', 'ACTIVE', 'k2', { previousThumbprint: 'k1' }),
      ...[peerAct('REVOKED', 'REVOKED', 'k2'), peerAct('REGISTERED', 'REGISTERED', 'k3')],
      ...[exempt('RATE_LIMIT_EXEMPTED'), exempt('RATE_LIMIT_RESTORED')],
      ...[exempt('RATE_LIMIT_EXEMPTED'), witness(), witness(true), taken()],
      ...[issuer({ enabled: false }), ['ISSUER_UPDATED', issuer()[1]] as const, certificate()],
      subscription(ofAgent(hub.performer)),
      ['WEBHOOK_DELETED', subscription(ofAgent(hub.performer))[1]] as const,
    ];
    expect(await found(...acts)).toEqual([]);
  });

  const operator = (): Act => org({ orgId: AGENT, actor: { kind: 'platform', oidc: OIDC } });
  const ofPlatform = (more: JsonObject = {}): Act => [
    'ISSUER_CREATED',
    { issuerId: OTHER, issuerUrl: OIDC.iss, ...more },
  ];

  it('is believed where a key is rotated by a node whose clock is two hours behind', async () => {
    const earlier = new Date(Date.parse(hub.now()) - 2 * HOUR).toISOString();
    const used: Act = ['AGENT_CREATED', { orgId: hub.orgId, agentId: AGENT, name: 'a' }];
    expect(
      await found(used, rotation({ ...by('agent'), previousKeyDeactivatesAt: earlier })),
    ).toEqual([]);
  });

  it('is believed where one of two providers with a URL was disabled', async () => {
    const other = ofPlatform({ issuerId: AGENT });
    const disabled: Act = ['ISSUER_UPDATED', { ...other[1], enabled: false }];
    expect(await found(ofPlatform(), other, disabled, 2 * HOUR, operator())).toEqual([]);
  });

  it.each<[string, () => readonly (Act | number)[], RegExp]>([
    ['that deactivates an agent twice', () => [off(), off()], /ended the agent/],
    ['that reactivates an active agent', () => [on()], /no earlier entry ended the agent/],
    ['that brings back a key in force', () => [reenabled()], /no earlier entry ended the API key/],
    [
      'that mints a key of a deactivated agent',
      () => [off(), key({ ownerId: hub.performer })],
      /was deactivated before this/,
    ],
    [
      'that adds a signing key to a deactivated agent',
      () => [off(), signingKey(false)],
      /was deactivated before this/,
    ],
    ['that adds a signing key twice', () => [signingKey(false), signingKey(false)], /established/],
    ['that revokes a signing key never added', () => [signingKey(true)], /no earlier .* signing/],
    [
      'that revokes a signing key of another agent',
      () => [signingKey(false), signingKey(true, { agentId: hub.principal })],
      /the signing key t of the agent/,
    ],
    ['that replaces no encryption key', () => [encryptionKey('b', 'a')], /was another one before/],
    [
      'that replaces another encryption key',
      () => [encryptionKey('a', null), encryptionKey('b', 'x')],
      /the encryption key of .* was another one before this/,
    ],
    [
      'that states other capabilities before',
      () => [capabilities(['x'], []), capabilities([], ['y'])],
      /the capabilities of .* was another one/,
    ],
    [
      'that states another setting before',
      () => [setting('always', 'never'), setting('never', 'never')],
      /the setting requireCoSignature of/,
    ],
    ['that changes a hub key never created', () => [hubKey('h2', 'h1')], /establishes the hub key/],
    ['that creates a hub key twice', () => [hubKey('h1'), hubKey('h2')], /established the hub key/],
    [
      'that changes another hub key',
      () => [hubKey('h1'), hubKey('h3', 'h2')],
      /the hub key of .* was another one before this/,
    ],
    [
      'that registers an active peer again',
      () => [peerAct('REGISTERED', 'ACTIVE'), peerAct('REGISTERED', 'ACTIVE')],
      /takes no PEER_REGISTERED/,
    ],
    [
      'that resumes a peer that was not suspended',
      () => [peerAct('REGISTERED', 'ACTIVE'), peerAct('RESUMED', 'ACTIVE')],
      /takes no PEER_RESUMED/,
    ],
    [
      'that changes another key of a peer',
      () => [
        peerAct('REGISTERED', 'ACTIVE'),
        peerAct('KEY_CHANGED', 'ACTIVE', 'k3', { previousThumbprint: 'k2' }),
      ],
      /the key of .* was another one before this/,
    ],
    [
      'that changes the key of a peer without saying so',
      () => [peerAct('REGISTERED', 'ACTIVE'), peerAct('UPDATED', 'ACTIVE', 'k2')],
      /the key of .* was another one before this/,
    ],
    [
      'that leads a peer to another state',
      () => [peerAct('REGISTERED', 'ACTIVE'), peerAct('UPDATED', 'REVOKED')],
      /does not lead a peer to REVOKED/,
    ],
    [
      'that suspends a peer and leaves it active',
      () => [peerAct('REGISTERED', 'ACTIVE'), peerAct('SUSPENDED', 'ACTIVE')],
      /does not lead a peer to ACTIVE/,
    ],
    [
      'that rotates a key into one with more scopes',
      () => [
        key({ scopes: ['a'] }),
        rotation({ ...by('agent'), previousApiKeyId: KEY, apiKeyId: OTHER, scopes: ['a', 'b'] }),
      ],
      /the scopes of .* was another one before this/,
    ],
    [
      'that claims the slug of another org',
      () => [org(), ['PUBLISHER_CLAIMED', { orgId: hub.orgId, publisher: 'other' }]],
      /is the slug of another org/,
    ],
    [
      'of an operator whom a provider for agents lets in',
      () => [ofPlatform({ appliesTo: 'agent' }), operator()],
      /establishes the identity provider/,
    ],
    ['that restores limits in force', () => [exempt('RATE_LIMIT_RESTORED')], /no earlier .* exem/],
    ['that adds a witness twice', () => [witness(), witness(true), witness()], /the witness/],
    ['that takes an export twice', () => [taken(), taken()], /established the export/],
    [
      'that deletes a subscription of another owner',
      () => [
        subscription(ofAgent(hub.performer)),
        ['WEBHOOK_DELETED', subscription(ofAgent(hub.principal))[1]],
      ],
      /establishes the subscription .* of the agent/,
    ],
    [
      'that issues a certificate under a disabled issuer',
      () => [issuer(), ['ISSUER_UPDATED', { ...issuer()[1], enabled: false }], certificate()],
      /was disabled before this/,
    ],
    [
      'that issues a certificate under an issuer for admins',
      () => [issuer({ appliesTo: 'admin' }), certificate()],
      /lets in no agents/,
    ],
    [
      'that issues a certificate for too long',
      () => [issuer({ maxCredentialTtlSeconds: 599 }), certificate()],
      /lasts 600 s, and .* allows 599 s/,
    ],
    [
      'of an operator whose identity provider was deleted',
      () => [ofPlatform(), ['ISSUER_DELETED', ofPlatform()[1]], 2 * HOUR, operator()],
      /the identity provider .* ended/,
    ],
    [
      'of an operator whose identity provider was disabled',
      () => [
        ofPlatform(),
        ['ISSUER_UPDATED', { ...ofPlatform()[1], enabled: false }],
        2 * HOUR,
        operator(),
      ],
      /the identity provider .* ended/,
    ],
  ])('%s', async (_what, acts, detail) => {
    expect(await found(...acts())).toContainEqual(expect.stringMatching(detail));
  });

  it.each<[string, () => readonly Act[], RegExp]>([
    ['in which an agent creates an org', () => [org(by('agent'))], /\/actor\/kind is none of/],
    [
      'in which a peer creates an org',
      () => [org({ actor: { kind: 'peer', peerHubId: OTHER } })],
      /\/actor\/kind is none of/,
    ],
    [
      'in which an admin mints a platform key',
      () => [key({ ...by('admin'), role: 'platform' })],
      /\/actor\/kind is none of/,
    ],
    [
      'in which an agent acts in another org',
      () => [
        org(),
        ['AGENT_CREATED', { orgId: OTHER, agentId: AGENT, name: 'a' }],
        [
          'AGENT_CAPABILITIES_CHANGED',
          { orgId: OTHER, agentId: AGENT, capabilities: [], ...by('agent') },
        ],
      ],
      /acts in the org/,
    ],
    [
      'that names what a later entry establishes',
      () => [['AGENT_CREATED', { orgId: OTHER, agentId: AGENT, name: 'a' }], org()],
      /no earlier entry .* the org/,
    ],
    ['that creates an org again', () => [org({ orgId: hub.orgId })], /an earlier .* the org/],
    ['that gives a slug again', () => [org({ slug: 'acme' })], /an earlier .* the slug acme/],
    [
      'that creates an agent in a second org',
      () => [org(), ['AGENT_CREATED', { orgId: OTHER, agentId: hub.principal, name: 'a' }]],
      /an earlier .* the agent/,
    ],
    [
      'that mints a key again, for another agent',
      () => [key(), key({ ownerId: hub.performer })],
      /an earlier .* the API key/,
    ],
    [
      'that mints a key of an agent that was never created',
      () => [key({ ownerId: OTHER })],
      /establishes the agent/,
    ],
    [
      'that exempts an agent that was never created',
      () => [['RATE_LIMIT_EXEMPTED', { ownerId: OTHER }]],
      /establishes the agent/,
    ],
    [
      'that revokes a certificate that was never issued',
      () => [
        ['ISSUER_CREATED', { orgId: hub.orgId, issuerId: OTHER, issuerUrl: OIDC.iss }],
        ['CERT_REVOKED', { issuerId: OTHER, certIds: [KEY], reason: null }],
      ],
      /no earlier .* the certificate/,
    ],
    [
      'that removes a witness that was never added',
      () => [['WITNESS_REMOVED', { witnessKeyId: OTHER }]],
      /no earlier .* the witness/,
    ],
    [
      'that deletes a subscription that was never created',
      () => [['WEBHOOK_DELETED', { orgId: hub.orgId, subscriptionId: OTHER }]],
      /no earlier .* the subscription/,
    ],
    [
      'that ends a key under another owner',
      () => [
        [
          'API_KEY_REVOKED',
          {
            orgId: hub.orgId,
            apiKeyId: hub.actor('principal').apiKeyId!,
            role: 'agent',
            ownerId: hub.performer,
            reason: null,
          },
        ],
      ],
      /establishes the API key/,
    ],
    [
      'that rotates a key into another role',
      () => [rotation({ role: 'admin' })],
      /establishes the API key/,
    ],
    [
      'that rotates the key of another agent into its own',
      () => [
        rotation({ ...by('agent'), ownerId: hub.performer, previousApiKeyId: performerKey() }),
      ],
      /is rotated by another credential/,
    ],
    [
      'that rotates a key a second time',
      () => [rotation(by('agent')), rotation({ ...by('agent'), apiKeyId: OTHER })],
      /an earlier entry ended the API key/,
    ],
    [
      'that rotates a key after it was revoked',
      () => [revocation(), rotation(by('agent'))],
      /an earlier entry ended the API key/,
    ],
    [
      'of an operator whom the identity provider of an org lets in',
      () => [
        issuer(),
        org({
          orgId: AGENT,
          actor: { kind: 'platform', orgId: hub.orgId, oidc: { ...OIDC, sub: 'x' } },
        }),
      ],
      /the platform of the org .* has no identity provider/,
    ],
    [
      'in which an agent subscribes for its org',
      () => [subscription({ ...by('agent'), ownerType: 'org', ownerId: hub.orgId })],
      /acts for the "?org/,
    ],
    [
      'that revokes a certificate under an issuer that did not issue it',
      () => [
        issuer(),
        issuer({ issuerId: AGENT }),
        certificate(),
        ['CERT_REVOKED', { orgId: hub.orgId, issuerId: AGENT, certIds: [KEY], reason: null }],
      ],
      /establishes the certificate .* of the issuer/,
    ],
    [
      'that revokes a certificate of another org',
      () => [
        issuer(),
        certificate(),
        org(),
        ['CERT_REVOKED', { orgId: OTHER, issuerId: OTHER, certIds: [KEY], reason: null }],
      ],
      /establishes the certificate .* in the org/,
    ],
    [
      'in which an agent adds a signing key to another one',
      () => [
        [
          'SIGNING_KEY_ADDED',
          { orgId: hub.orgId, agentId: hub.performer, thumbprint: 't', ...by('agent') },
        ],
      ],
      /acts for the agent/,
    ],
    [
      'in which an admin leaves out the org',
      () => [['AGENT_DEACTIVATED', { agentId: hub.performer, reason: null, ...by('admin') }]],
      /it lacks orgId/,
    ],
    [
      'in which an admin brings an agent back',
      () => [
        [
          'AGENT_REACTIVATED',
          { orgId: hub.orgId, agentId: hub.performer, deactivatedAt: null, ...by('admin') },
        ],
      ],
      /\/actor\/kind is none of/,
    ],
    [
      'of an agent in an org that is not its own',
      () => [org(), ['AGENT_DEACTIVATED', { orgId: OTHER, agentId: hub.performer, reason: null }]],
      /establishes the agent/,
    ],
    [
      'that exempts an agent in an org that is not its own',
      () => [org(), ['RATE_LIMIT_EXEMPTED', { orgId: OTHER, ownerId: hub.performer }]],
      /establishes the agent/,
    ],
    [
      'that subscribes for an agent in an org that is not its own',
      () => [org(), subscription({ orgId: OTHER, ownerType: 'agent', ownerId: hub.performer })],
      /establishes the agent/,
    ],
    [
      'that subscribes for another org',
      () => [org(), subscription({ ownerType: 'org', ownerId: OTHER })],
      /a subscription of the org .* is in the org/,
    ],
    [
      'by a certificate that says of no org whose it is',
      () => [
        issuer(),
        certificate(),
        [
          'AGENT_CAPABILITIES_CHANGED',
          {
            orgId: hub.orgId,
            agentId: hub.principal,
            capabilities: [],
            previousCapabilities: [],
            actor: { kind: 'agent', agentId: hub.principal, certId: KEY, oidc: OIDC },
          },
        ],
      ],
      /of the org null acts in the org/,
    ],
    [
      'that revokes certificates after their issuer was deleted',
      () => [
        issuer(),
        certificate(),
        ['ISSUER_DELETED', issuer()[1]],
        ['CERT_REVOKED', { orgId: hub.orgId, issuerId: OTHER, certIds: [KEY], reason: null }],
      ],
      /an earlier entry ended the trusted issuer/,
    ],
    [
      'that issues a certificate to another credential',
      () => [issuer(), certificate(by('agent'))],
      /issued by another credential/,
    ],
    [
      'that issues a certificate after its issuer was deleted',
      () => [issuer(), ['ISSUER_DELETED', issuer()[1]], certificate()],
      /an earlier entry ended the trusted issuer/,
    ],
    [
      'that issues a certificate by the token of another provider',
      () => [issuer({ issuerUrl: 'https://other.example' }), certificate()],
      /establishes the trusted issuer/,
    ],
    [
      'that gives an issuer another URL',
      () => [issuer(), ['ISSUER_UPDATED', { ...issuer()[1], issuerUrl: 'https://x.example' }]],
      /establishes the trusted issuer/,
    ],
    [
      'in which a peer acts about another one',
      () => [
        peer(OTHER),
        peer(KEY),
        ['PEER_UPDATED', { peerHubId: KEY, actor: { kind: 'peer', peerHubId: OTHER } }],
      ],
      /acts about the peer/,
    ],
    [
      'in which a peer resumes itself',
      () => [
        peer(OTHER),
        ['PEER_RESUMED', { peerHubId: OTHER, actor: { kind: 'peer', peerHubId: OTHER } }],
      ],
      /\/actor\/kind is none of/,
    ],
    ['that mints an agent key without an org', () => [key({ orgId: null })], /is not one of/],
    ['that mints a key of another role', () => [key({ role: 'root' })], /is not one of/],
    [
      'that claims a publisher again, for another org',
      () => [
        org(),
        ['PUBLISHER_CLAIMED', { orgId: hub.orgId, publisher: 'p' }],
        ['PUBLISHER_CLAIMED', { orgId: OTHER, publisher: 'p' }],
      ],
      /an earlier .* the publisher p/,
    ],
    [
      'that changes a subscription after it was deleted',
      () => [
        ['WEBHOOK_CREATED', { orgId: hub.orgId, subscriptionId: KEY }],
        ['WEBHOOK_DELETED', { orgId: hub.orgId, subscriptionId: KEY }],
        ['WEBHOOK_SECRET_ROTATED', { orgId: hub.orgId, subscriptionId: KEY }],
      ],
      /ended the subscription/,
    ],
    [
      'that lacks what it is about',
      () => [['AGENT_DEACTIVATED', { orgId: hub.orgId, reason: null }]],
      /it lacks agentId/,
    ],
  ])('%s', async (_what, acts, detail) => {
    expect(await found(...acts())).toContainEqual(expect.stringMatching(detail));
  });
});

/** A dump whose log has these checkpoints of the schema chain, of a record and of the platform chain, in this order. */
const withLog = async (
  note: TestChain,
  heads: readonly (TreeHead | undefined)[],
  ofRecord?: TreeHead,
): Promise<DumpTexts> => {
  const texts = await dumped([note]);
  const tree = new GrowingTree(0, []);
  const rows: JsonObject[] = [];
  const cover = async (entries: readonly ChainEntry[], head?: TreeHead): Promise<void> => {
    const at = hub.now();
    const place = { id: hub.id(), logIndex: rows.length, at, ...(head ? { tree: head } : {}) };
    const leaf = await sealCheckpoint(hub.seal, BASE, entries.at(-1)!, place);
    rows.push(checkpointRow(leaf));
    tree.append(leafHash(leaf.coseSign1));
  };
  await cover(note.entries, ofRecord);
  for (const head of heads) await cover(hub.schemas, head);
  await cover(hub.platform, { size: tree.size, root: tree.root });
  return { ...texts, vault_checkpoints: textOf(rows) };
};
const headWith = (size: number, root: string): TreeHead => ({
  size,
  root: sha256(new TextEncoder().encode(root)),
});

describe('the heads of the log of an org, as the log of checkpoints has them', () => {
  it('may stay or grow', async () => {
    const heads = [headWith(1, 'a'), headWith(1, 'a'), headWith(2, 'b')];
    const texts = await withLog(await hub.notarize(), heads);
    expect(await verifyUnder(hub, texts)).toMatchObject({ verdict: 'valid', failures: [] });
  });

  it.each([
    ['fork', [headWith(2, 'a'), headWith(2, 'b')], /different roots/, 'CHECKPOINT_ROOT_MISMATCH'],
    ['shrink', [headWith(2, 'a'), headWith(1, 'b')], /had 2 before/, 'CHECKPOINT_LOG_GAP'],
    [
      'have one root with two sizes',
      [headWith(1, 'a'), headWith(2, 'a')],
      /the same root/,
      'CHECKPOINT_ROOT_MISMATCH',
    ],
    ['state no tree', [undefined], /lacks treeSize/, 'CHECKPOINT_DECODE_FAILED'],
  ] as const)('must not %s', async (_what, heads, detail, failureClass) => {
    const texts = await withLog(await hub.notarize(), heads);
    expect(await verifyUnder(hub, texts)).toMatchObject(invalid(detail, failureClass));
  });

  it('are not those of a record', async () => {
    const texts = await withLog(await hub.notarize(), [headWith(1, 'a')], headWith(1, 'a'));
    const found = invalid(/\/treeSize is not allowed here/, 'CHECKPOINT_DECODE_FAILED');
    expect(await verifyUnder(hub, texts)).toMatchObject(found);
  });
});

it('nothing is complete as of a time to come', async () => {
  const note = await hub.notarize();
  const texts = await dumped([note]);
  const { subject } = await verifyUnder(hub, texts);
  const now = new Date(Date.parse(subject.completeAsOf!) - 48 * HOUR).toISOString();
  expect(await verifyUnder(hub, texts, { now })).toMatchObject(invalid(/is complete as of/));
  const early = new Date(Date.parse(subject.completeAsOf!) - HOUR).toISOString();
  expect(await verifyUnder(hub, texts, { now: early })).toMatchObject({ verdict: 'valid' });
});
