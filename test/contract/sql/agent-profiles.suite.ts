import { ed25519, x25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import { encryptionKey, signingKey } from '../../../domain/identity/agent-key.ts';
import { coseThumbprint, type AgentPublicKey } from '../../../domain/identity/agent-public-key.ts';
import type { AgentReference } from '../../../domain/identity/agent-reference.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { at, sampleAgent, sampleOrg, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

const edKey = (): AgentPublicKey => ({ curve: 'Ed25519', raw: ed25519.keygen().publicKey });
const xKey = (): AgentPublicKey => ({ curve: 'X25519', raw: x25519.keygen().publicKey });
const pKey = (): AgentPublicKey => ({
  curve: 'P-256',
  raw: p256.getPublicKey(p256.keygen().secretKey, false),
});

export const agentProfilesSuite = (kind: DatabaseKind): void => {
  describe(`what agents publish, on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const unitOfWork = () => database().adapter.unitOfWork;
    const reads = () => database().adapter.reads;
    const addAgents = async (count: number): Promise<readonly string[]> => {
      const org = sampleOrg();
      const agents = Array.from({ length: count }, () => sampleAgent(org.id));
      await unitOfWork().transaction(async (stores) => {
        await stores.orgs.insert(org);
        for (const agent of agents) await stores.agents.insert(agent);
      });
      return agents.map(({ id }) => id);
    };
    const reference = (agentId: string, changes: Partial<AgentReference> = {}): AgentReference => ({
      id: uuid(),
      agentId,
      kind: 'card',
      uri: `urn:example:${uuid()}`,
      digest: null,
      label: null,
      addedBy: { kind: 'agent', agentId },
      addedAt: at(9),
      ...changes,
    });

    it('signing keys come back whole and in the order of their entries, each with its own agent', async () => {
      const [one, two, none] = (await addAgents(3)) as [string, string, string];
      const [first, second] = [
        signingKey(one, pKey(), [], at(2)),
        signingKey(one, edKey(), ['https://a.example', 'urn:ü'], at(1)),
      ];
      const other = signingKey(two, edKey(), ['https://b.example'], at(3));
      await unitOfWork().transaction(async (stores) => {
        await stores.agentKeys.insertSigningKey(second, 8);
        await stores.agentKeys.insertSigningKey(first, 7);
        await stores.agentKeys.insertSigningKey(other, 9);
        expect(await stores.agentKeys.signingKeys(one)).toEqual([first, second]);
        expect(await stores.agentKeys.signingKeys(none)).toEqual([]);
      });
      expect(await reads().agentKeys.signingKeys([two, none, one, one])).toEqual(
        new Map([
          [one, [first, second]],
          [two, [other]],
        ]),
      );
      expect(await reads().agentKeys.signingKeys([])).toEqual(new Map());
      expect(await reads().agentKeys.encryptionKeys([one, two])).toEqual(new Map());
    });

    it('a revoked signing key stays, with the time of its end, and no other is touched', async () => {
      const [agent, stranger] = (await addAgents(2)) as [string, string];
      const [key, kept] = [
        signingKey(agent, edKey(), ['urn:a'], at(1)),
        signingKey(agent, edKey(), [], at(2)),
      ];
      await unitOfWork().transaction(async (stores) => {
        await stores.agentKeys.insertSigningKey(key, 1);
        await stores.agentKeys.insertSigningKey(kept, 2);
      });
      const revoked = { ...key, revokedAt: at(5) };
      await unitOfWork().transaction((stores) => stores.agentKeys.revokeSigningKey(revoked));
      expect((await reads().agentKeys.signingKeys([agent])).get(agent)).toEqual([revoked, kept]);
      await expect(
        unitOfWork().transaction((stores) =>
          stores.agentKeys.revokeSigningKey({ ...revoked, agentId: stranger }),
        ),
      ).rejects.toThrow('no signing key');
    });

    it('an agent has one encryption key: the newest', async () => {
      const [one, two] = (await addAgents(2)) as [string, string];
      const [before, after, other] = [
        encryptionKey(one, xKey(), at(1)),
        encryptionKey(one, pKey(), at(2)),
        encryptionKey(two, xKey(), at(1)),
      ];
      for (const [position, key] of [before, other, after].entries())
        await unitOfWork().transaction((stores) =>
          stores.agentKeys.setEncryptionKey(key, position + 1),
        );
      expect(await reads().agentKeys.encryptionKeys([one, two])).toEqual(
        new Map([
          [one, after],
          [two, other],
        ]),
      );
      await unitOfWork().transaction(async (stores) => {
        expect(await stores.agentKeys.encryptionKey(one)).toEqual(after);
        expect(await stores.agentKeys.encryptionKey(uuid())).toBeNull();
        expect(await stores.agentKeys.signingKeys(one)).toEqual([]);
        for (const { key } of [before, after, other])
          expect(await stores.agentKeys.isTaken(coseThumbprint(key))).toBe(true);
        expect(await stores.agentKeys.isTaken(coseThumbprint(xKey()))).toBe(false);
      });
    });

    it('a key is there once, whoever has it, whatever for, ended or not; the refusal names the table', async () => {
      const [one, two] = (await addAgents(2)) as [string, string];
      const key = pKey();
      await unitOfWork().transaction((stores) =>
        stores.agentKeys.setEncryptionKey(encryptionKey(one, key, at(1)), 1),
      );
      await unitOfWork().transaction((stores) =>
        stores.agentKeys.setEncryptionKey(encryptionKey(one, xKey(), at(2)), 2),
      );
      for (const agentId of [one, two]) {
        const again = unitOfWork().transaction((stores) =>
          stores.agentKeys.insertSigningKey(signingKey(agentId, key, [], at(3)), 3),
        );
        await expect(again).rejects.toBeInstanceOf(DuplicateError);
        await expect(again).rejects.toMatchObject({
          constraint: expect.stringContaining('agent_keys'),
        });
        await expect(
          unitOfWork().transaction((stores) =>
            stores.agentKeys.setEncryptionKey(encryptionKey(agentId, key, at(3)), 3),
          ),
        ).rejects.toBeInstanceOf(DuplicateError);
      }
      expect((await reads().agentKeys.encryptionKeys([one, two])).size).toBe(1);
    });

    it('keys and references belong to an agent that is there', async () => {
      await expect(
        unitOfWork().transaction((stores) =>
          stores.agentKeys.insertSigningKey(signingKey(uuid(), edKey(), [], at(1)), 1),
        ),
      ).rejects.toThrow();
      await expect(
        unitOfWork().transaction((stores) => stores.agentReferences.insert(reference(uuid()), 1)),
      ).rejects.toThrow();
    });

    it('references come back whole, in the order of their entries, each with its own agent', async () => {
      const [one, two] = (await addAgents(2)) as [string, string];
      const first = reference(one, {
        digest: { alg: 'sha-256', value: 'e3b0' },
        label: 'naïve 🙂',
      });
      const [second, other] = [reference(one), reference(two, { uri: first.uri })];
      await unitOfWork().transaction(async (stores) => {
        await stores.agentReferences.insert(second, 12);
        await stores.agentReferences.insert(first, 11);
        await stores.agentReferences.insert(other, 13);
        expect(await stores.agentReferences.of(one)).toEqual([first, second]);
        expect(await stores.agentReferences.of(uuid())).toEqual([]);
      });
      expect(await reads().agentReferences.of([two, one])).toEqual(
        new Map([
          [one, [first, second]],
          [two, [other]],
        ]),
      );
      expect(await reads().agentReferences.of([])).toEqual(new Map());
    });

    it('hold a kind and a URI once an agent, told apart to the last byte', async () => {
      const [agent] = (await addAgents(1)) as [string];
      const uri = `https://example.org/${'a'.repeat(2000)}`;
      const insert = (changes: Partial<AgentReference>, position: number) =>
        unitOfWork().transaction((stores) =>
          stores.agentReferences.insert(reference(agent, changes), position),
        );
      await insert({ kind: 'a', uri }, 1);
      await insert({ kind: 'A', uri }, 2);
      await insert({ kind: 'a', uri: `${uri}b` }, 3);
      await expect(insert({ kind: 'a', uri, label: 'again' }, 4)).rejects.toBeInstanceOf(
        DuplicateError,
      );
    });
  });
};
