/**
 * Two hubs in one terminal, and the story of one record that they share: the principal acts on one, the performer on the
 * other, and at the end the files of both are held against each other. Run it with `npm run example:federation`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { startService } from '../../config/service.ts';
import { loadSettings } from '../../config/settings.ts';
import { verifyBothSides } from '../../domain/verification/verify-both-sides.ts';
import { trustOf } from '../../domain/verification/keys/trust.ts';
import { HubDoor } from '../../test/support/hubs/hub-door.ts';
import { TlsAuthority } from '../../test/support/peers/tls-authority.ts';

/** JSON whose members the example knows. */
type Json = ReturnType<typeof JSON.parse>;
type Call = (method: string, path: string, body?: Json) => Promise<Json>;

const say = (who: string, what: string): void => console.log(`${who.padEnd(10)} ${what}`);

const callerAt =
  (url: string, key = ''): Call =>
  async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  };

/** A hub behind TLS, with an org, an agent and, where it is asked for, a record type. */
const openHub = async (name: string, folder: string, authority: TlsAuthority) => {
  // A reverse proxy with a certificate, as in front of every hub; both ends of it are on this machine.
  const door = await HubDoor.open(authority);
  const { settings } = loadSettings(
    {
      PORT: '0',
      GRPC_PORT: 'off',
      PUBLIC_URL: door.url,
      DATA_DIR: join(folder, name, 'data'),
      KEYS_DIR: join(folder, name, 'keys'),
      EGRESS_CA_FILE: join(folder, 'ca.pem'),
      EGRESS_ALLOW_CIDRS_PEER: '127.0.0.0/8',
    },
    { cwd: folder },
  );
  const service = await startService(settings, new PinoLog('error', process.stderr));
  door.hub = String(service.url);
  const { apiKey } = await service.container.get(BootstrapPlatform).execute();
  const platform = callerAt(door.hub, apiKey);
  const org = await platform('POST', '/v1/admin/orgs', { name, bootstrapAdmin: true });
  const admin = callerAt(door.hub, org.bootstrapKey.apiKey);
  const { id } = await admin('POST', '/v1/admin/agents', { name: `${name}-agent`, orgId: org.id });
  const minted = await admin('POST', '/v1/admin/api-keys', {
    role: 'agent',
    ownerType: 'agent',
    ownerId: id,
    scopeProfile: 'agent-full',
    label: name,
  });
  const identity = await callerAt(door.hub)('GET', '/federation/v1/identity');
  const { hubId, baseUrl, publicKeyJwk, vaultRoot } = identity;
  return {
    platform,
    admin,
    agentId: String(id),
    agent: callerAt(door.hub, minted.apiKey),
    claim: { hubId, baseUrl, publicKeyJwk, vaultRoot },
    close: async () => {
      await service.stop();
      await door.close();
    },
  };
};
type Hub = Awaited<ReturnType<typeof openHub>>;

/** Each administrator registers what the other one read out. */
const peer = async (a: Hub, b: Hub): Promise<void> => {
  const peers = '/v1/admin/federation/peers';
  await a.platform('POST', peers, b.claim);
  await b.platform('POST', peers, a.claim);
  for (const [hub, other] of [[a, b] as const, [b, a] as const])
    await until(
      async () => (await hub.platform('GET', `${peers}/${other.claim.hubId}`)).status === 'ACTIVE',
    );
};

const until = async (met: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await met()); tries++) {
    if (tries > 200) throw new Error('it did not come to pass');
    await sleep(50);
  }
};

const tell = async (home: Hub, far: Hub): Promise<{ homeId: string; mirrorId: string }> => {
  const { id: homeId } = await home.agent('POST', '/v1/records', {
    type: 'job',
    criteria: { goal: 'Summarise the report', threshold: 5 },
    federation: { peerHubId: far.claim.hubId, performerAgentId: far.agentId },
  });
  const at = `/v1/records/${homeId}`;
  say('principal', `proposed ${homeId}, on hub A`);
  let mirrorId = '';
  await until(async () => {
    const { data } = await far.agent('GET', '/v1/records');
    mirrorId = data.find(({ federation }: Json) => federation?.recordId === homeId)?.id ?? '';
    return mirrorId !== '';
  });
  const there = `/v1/records/${mirrorId}`;
  say('performer', `found it on hub B, as ${mirrorId}`);
  await far.agent('POST', `${there}/counter-propose`, {
    criteria: { goal: 'Summarise the report', threshold: 7 },
    message: 'Give me more time.',
  });
  say('performer', 'made a counter-proposal; hub A applied it');
  await home.agent('POST', `${at}/accept-counter`);
  say('principal', 'accepted it');
  await until(async () => (await far.agent('GET', there)).status === 'ACTIVE');
  const { id: completionId } = await far.agent('POST', `${there}/completions`, {
    evidence: { score: 9 },
  });
  say('performer', 'delivered');
  await home.agent('POST', `${at}/verdict`, { verdict: 'accept', completionId });
  say('principal', 'accepted the work');
  await until(async () => (await far.agent('GET', there)).status === 'FULFILLED');
  say('hub B', 'the mirror is FULFILLED too');
  return { homeId, mirrorId };
};

const folder = mkdtempSync(join(tmpdir(), 'notary-federation-'));
const authority = await TlsAuthority.create('CA of the example');
writeFileSync(join(folder, 'ca.pem'), authority.pem);
const home = await openHub('A', folder, authority);
const far = await openHub('B', folder, authority);
try {
  await home.admin('POST', '/v1/schemas', {
    type: 'job',
    criteriaSchema: { type: 'object', required: ['goal'] },
    completionSchema: { type: 'object', properties: { score: { type: 'integer' } } },
  });
  await peer(home, far);
  say('operators', 'compared the keys and the roots, and registered each other');
  const { homeId, mirrorId } = await tell(home, far);
  // Each file under the root that the operator of its hub read out.
  const sideOf = async ({ agent, claim }: Hub, id: string) => ({
    input: JSON.stringify(await agent('GET', `/v1/records/${id}/audit-export?evidence=true`)),
    options: { trust: trustOf({ kind: 'fingerprint', sha256Hex: String(claim.vaultRoot) }) },
  });
  let verdict = 'cannot_tell';
  // The answer to the last message may still be on its way.
  await until(async () => {
    ({ verdict } = await verifyBothSides(await sideOf(home, homeId), await sideOf(far, mirrorId)));
    return verdict !== 'cannot_tell';
  });
  say('offline', `the two files together are ${verdict}`);
} finally {
  await home.close();
  await far.close();
  rmSync(folder, { recursive: true, force: true });
}
