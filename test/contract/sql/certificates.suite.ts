import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import type { EphemeralCert } from '../../../domain/identity/ephemeral-cert.ts';
import { DEFAULT_MAPPING, type TrustedIssuer } from '../../../domain/identity/trusted-issuer.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, sampleAgent, sampleOrg, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

// Contract of domain/identity/certificate-store.port.ts

const bytes = (): Uint8Array => new Uint8Array(randomBytes(32));

export const certificatesSuite = (kind: DatabaseKind): void => {
  describe(`trusted issuers and certificates on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unit = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads;
    const world = async (): Promise<{ orgId: string; agentId: string }> => {
      const org = sampleOrg();
      const agent = sampleAgent(org.id);
      await unit().transaction(async (stores) => {
        await stores.orgs.insert(org);
        await stores.agents.insert(agent);
      });
      return { orgId: org.id, agentId: agent.id };
    };
    const issuer = (orgId: string | null, changes: Partial<TrustedIssuer> = {}): TrustedIssuer => ({
      id: uuid(),
      orgId,
      issuerUrl: `https://${uuid()}.example/ü`,
      jwksUri: null,
      expectedAudience: 'aud',
      appliesTo: 'agent',
      claimMapping: DEFAULT_MAPPING,
      maxCredentialTtlSeconds: 600,
      enabled: true,
      subjectAllowlist: [],
      requireProof: 'none',
      requireCoSignature: 'none',
      managedBy: null,
      createdAt: at(1),
      updatedAt: at(1),
      version: 1,
      ...changes,
    });
    const cert = (
      issuerId: string,
      { orgId, agentId }: { orgId: string; agentId: string },
      changes: Partial<EphemeralCert> = {},
    ): EphemeralCert => ({
      id: uuid(),
      issuerId,
      orgId,
      agentId,
      oidcIss: 'https://idp.example',
      oidcSub: 'süb',
      publicKey: bytes(),
      scopes: ['records:write'],
      issuedAt: at(1),
      expiresAt: at(100),
      revokedAt: null,
      ...changes,
    });
    const add = async (...issuers: readonly TrustedIssuer[]): Promise<void> =>
      unit().transaction(async (stores) => {
        for (const one of issuers) await stores.trustedIssuers.insert(one);
      });

    it('an issuer comes back whole, and as it was changed', async () => {
      const { orgId } = await world();
      const [one, hub] = [
        issuer(orgId, {
          jwksUri: 'https://x.example/k',
          subjectAllowlist: ['a', 'ü'],
          requireProof: 'dpop',
          managedBy: 'provisioning',
          claimMapping: { scopes: '/a~1b', agent_id: 'x', role: 'y' },
        }),
        issuer(null),
      ];
      await add(one, hub);
      expect(await reads().trustedIssuers.find(one.id)).toEqual(one);
      expect(await reads().trustedIssuers.find(hub.id)).toEqual(hub);
      expect(await reads().trustedIssuers.find(uuid())).toBeNull();
      const changed: TrustedIssuer = {
        ...one,
        jwksUri: null,
        expectedAudience: 'other',
        enabled: false,
        subjectAllowlist: [],
        requireProof: 'none',
        requireCoSignature: 'request',
        maxCredentialTtlSeconds: 60,
        claimMapping: DEFAULT_MAPPING,
        updatedAt: at(9),
        version: 2,
      };
      await unit().transaction(async (stores) => {
        expect(await stores.trustedIssuers.lock(one.id)).toEqual(one);
        await stores.trustedIssuers.update(changed);
      });
      expect(await reads().trustedIssuers.find(one.id)).toEqual(changed);
      expect(await reads().trustedIssuers.find(hub.id)).toEqual(hub);
      await unit().transaction((stores) => stores.trustedIssuers.delete(one.id));
      expect(await reads().trustedIssuers.find(one.id)).toBeNull();
      await expect(
        unit().transaction((stores) => stores.trustedIssuers.update(changed)),
      ).rejects.toThrow('no trusted issuer');
    });

    it('the URL and the audience of an issuer are taken once, by insert and by update', async () => {
      const one = issuer(null);
      const two = issuer(null, {
        issuerUrl: one.issuerUrl,
        expectedAudience: 'b',
        createdAt: at(2),
      });
      await add(one, two);
      await expect(add(issuer(null, { issuerUrl: one.issuerUrl }))).rejects.toBeInstanceOf(
        DuplicateError,
      );
      await expect(
        unit().transaction((stores) =>
          stores.trustedIssuers.update({ ...two, expectedAudience: 'aud' }),
        ),
      ).rejects.toMatchObject({
        name: 'DuplicateError',
        constraint: expect.stringContaining('trusted_issuers'),
      });
      expect(await reads().trustedIssuers.ofUrl(one.issuerUrl)).toEqual([one, two]);
    });

    it('an issuer is found by its URL, character by character', async () => {
      const one = issuer(null);
      await add(one);
      for (const other of [
        `${one.issuerUrl}/`,
        `${one.issuerUrl} `,
        one.issuerUrl.toUpperCase(),
        one.issuerUrl.replace('ü', 'u'),
      ])
        expect(await reads().trustedIssuers.ofUrl(other)).toEqual([]);
    });

    it('issuers are listed newest first, of one org or of all', async () => {
      const { orgId } = await world();
      const [old, young, foreign] = [
        issuer(orgId, { createdAt: at(10) }),
        issuer(orgId, { createdAt: at(20) }),
        issuer(null, { createdAt: at(15) }),
      ];
      await add(old, young, foreign);
      const page = await reads().trustedIssuers.list({ orgId }, { limit: 1, after: null });
      expect([page.rows, page.total]).toEqual([[young], 2]);
      expect(
        (await reads().trustedIssuers.list({ orgId }, { limit: 5, after: page.next })).rows,
      ).toEqual([old]);
      expect((await reads().trustedIssuers.list({}, { limit: 200, after: null })).rows).toEqual(
        expect.arrayContaining([old, young, foreign]),
      );
    });

    it('an org has admin access where an enabled issuer of it lets some admin in', async () => {
      const { orgId } = await world();
      const hasAccess = (): Promise<boolean> =>
        unit().transaction((stores) => stores.trustedIssuers.hasAdminAccess(orgId));
      await add(
        issuer(orgId),
        issuer(orgId, { appliesTo: 'admin' }),
        issuer(orgId, { appliesTo: 'admin', enabled: false, subjectAllowlist: ['a'] }),
        issuer(null, { appliesTo: 'admin', subjectAllowlist: ['a'] }),
      );
      expect(await hasAccess()).toBe(false);
      await add(issuer(orgId, { appliesTo: 'admin', subjectAllowlist: ['a'] }));
      expect(await hasAccess()).toBe(true);
    });

    it('a certificate comes back whole, and those that are active are revoked together', async () => {
      const who = await world();
      const one = issuer(who.orgId);
      await add(one);
      const active = [
        cert(one.id, who, { expiresAt: at(50) }),
        cert(one.id, who, { expiresAt: at(60) }),
      ];
      const others = [
        cert(one.id, who, { expiresAt: at(5) }),
        cert(one.id, who, { revokedAt: at(2) }),
      ];
      await unit().transaction(async (stores) => {
        expect(await stores.certs.hasMinted(one.id)).toBe(false);
        for (const each of [...active, ...others]) await stores.certs.insert(each);
      });
      expect(await reads().certs.find(active[0]!.id)).toEqual(active[0]);
      expect(await reads().certs.find(uuid())).toBeNull();
      await unit().transaction(async (stores) => {
        expect(await stores.certs.hasMinted(one.id)).toBe(true);
        expect(await stores.certs.lock(active[0]!.id)).toEqual(active[0]);
        expect(await stores.certs.lockActiveOf(one.id, at(10))).toEqual(active);
        await stores.certs.revoke(
          active.map(({ id }) => id),
          at(11),
        );
        await stores.certs.revoke([], at(12));
        expect(await stores.certs.lockActiveOf(one.id, at(10))).toEqual([]);
      });
      expect((await reads().certs.find(active[1]!.id))?.revokedAt).toBe(at(11));
      expect((await reads().certs.find(others[0]!.id))?.revokedAt).toBeNull();
    });

    it('a public key has one holder', async () => {
      const { agentId } = await world();
      const key = bytes();
      const holder = { oidcIss: 'https://idp.example', oidcSub: 's', agentId };
      await unit().transaction(async (stores) => {
        expect(await stores.certs.keyHolder(key)).toBeNull();
        await stores.certs.bindKey(key, holder);
        expect(await stores.certs.keyHolder(key)).toEqual(holder);
      });
      await expect(
        unit().transaction((stores) => stores.certs.bindKey(key, holder)),
      ).rejects.toMatchObject({
        name: 'DuplicateError',
        constraint: expect.stringContaining('cert_keys'),
      });
    });

    it('a token is spent once, also by two processes at once, and forgotten when nobody would take it', async () => {
      const other = database().another({ now: () => new Date(Date.parse(at(50))) });
      for (let round = 0; round < 10; round++) {
        const token = bytes();
        const outcomes = await Promise.allSettled(
          [unit(), other.unitOfWork].map((of) =>
            of.transaction((stores) => stores.certs.spend(token, at(49))),
          ),
        );
        expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
          reason: { name: 'DuplicateError', constraint: expect.stringContaining('spent_tokens') },
        });
        expect(await unit().transaction((stores) => stores.certs.isSpent(token))).toBe(true);
      }
      const kept = bytes();
      await unit().transaction((stores) => stores.certs.spend(kept, at(51)));
      expect(await other.housekeeping.deleteSpentTokens()).toBe(10);
      expect(await unit().transaction((stores) => stores.certs.isSpent(kept))).toBe(true);
    });
  });
};
