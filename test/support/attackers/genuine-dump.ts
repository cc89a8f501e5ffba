import { generateKeyPairSync, sign } from 'node:crypto';
import { TakeDump } from '../../../application/vault/take-dump.ts';
import { Vault } from '../../../application/sealing/vault.ts';
import type { RunningService } from '../../../config/service.ts';
import { cosignatureBytes } from '../../../domain/transparency/cosignature.ts';
import type { VaultAlgorithm } from '../../../domain/vault/algorithm.ts';
import type { Seal } from '../../../domain/vault/chain.ts';
import type { Trust } from '../../../domain/verification/keys/trust.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { databases } from '../databases/databases.ts';
import { dumpCollector, type DumpTexts } from './dump-files.ts';
import { VaultRig } from '../service/vault-rig.ts';
import { ok, type Body } from '../service/world.ts';

export interface GenuineDump {
  readonly texts: DumpTexts;
  /** One that was taken before it, of the same vault. */
  readonly older: DumpTexts;
  /** The root that its round sealed. */
  readonly root: string;
  readonly predicateBase: string;
  /** Under the first key. */
  readonly trust: Trust;
  /** The seals of its keys, the first one first: the last is the active one. */
  readonly seals: readonly [Seal, Seal, Seal];
}

/** Makes one with the real service: chains of all kinds and logs of reads of two orgs, across two rotations. */
export const makeGenuineDump = async (
  records: number,
  algorithm: VaultAlgorithm = 'Ed25519',
): Promise<GenuineDump> => {
  const settings = { CHECKPOINT_INTERVAL: '1440', VAULT_ALGORITHM: algorithm };
  const rig = new VaultRig(databases()[0]!, settings);
  try {
    await rig.prepare();
    return await rig.run((service) => live(rig, service, records));
  } finally {
    await rig.end();
  }
};

const live = async (
  rig: VaultRig,
  service: RunningService,
  records: number,
): Promise<GenuineDump> => {
  const vault = service.container.get(Vault);
  const seals: Seal[] = [vault.seal];
  const trust = trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint });
  const witness = await ok(
    rig.at(service, rig.world.platform).post('/v1/admin/witnesses', {
      name: 'Auditors',
      publicKeyJwk: WITNESS.publicKey.export({ format: 'jwk' }),
    }),
  );
  const dump = async (): Promise<{ texts: DumpTexts; root: string }> => {
    const { write, texts } = dumpCollector();
    const { log } = await service.container.get(TakeDump).execute({ withRound: true, write });
    return { texts: texts(), root: log!.root };
  };
  let older = await dump();
  for (let part = 0; part < 3; part++) {
    for (let count = 0; count < records; count++) await (count % 4 ? job : note)(rig, service);
    for (let count = 0; count < 5; count++)
      await ok(rig.at(service, rig.world.admin).get('/v1/records?limit=1'));
    older = await dump();
    if (part === 1) await cosign(rig, service, witness['witnessKeyId']);
    if (part === 2) break;
    await ok(rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate'));
    seals.push(vault.seal);
  }
  await job(rig, service);
  return {
    ...(await dump()),
    older: older.texts,
    trust,
    predicateBase: vault.hub.predicateBase,
    seals: seals as unknown as GenuineDump['seals'],
  };
};

/** Somebody outside, who sees one checkpoint of the reads of the org. */
const WITNESS = generateKeyPairSync('ed25519');

const cosign = async (
  rig: VaultRig,
  service: RunningService,
  witnessKeyId: unknown,
): Promise<void> => {
  const admin = rig.at(service, rig.world.admin);
  const path = '/v1/audit/org-reads/checkpoints';
  const [checkpoint] = (await ok(admin.get(path)))['data'] as Body[];
  const seen = cosignatureBytes(Buffer.from(String(checkpoint!['coseSign1']), 'base64'));
  const signature = sign(null, seen, WITNESS.privateKey).toString('base64');
  await ok(admin.post(`${path}/${String(checkpoint!['id'])}/cosign`, { witnessKeyId, signature }));
};

const note = (rig: VaultRig, service: RunningService): Promise<Body> =>
  ok(
    rig.at(service, rig.world.principal.client).post('/v1/records', {
      type: 'note',
      criteria: { text: 'a note' },
    }),
  );

const job = async (rig: VaultRig, service: RunningService): Promise<void> => {
  const principal = rig.at(service, rig.world.principal.client);
  const performer = rig.at(service, rig.world.performer.client);
  const { id } = await ok(
    principal.post('/v1/records', {
      type: 'job',
      criteria: { goal: 'a job', threshold: 3 },
      performerAgentId: rig.world.performer.id,
    }),
  );
  const path = `/v1/records/${String(id)}`;
  await performer.post(`${path}/accept`);
  const completed = await ok(performer.post(`${path}/completions`, { evidence: { score: 5 } }));
  await principal.post(`${path}/verdict`, {
    completionId: completed['id'],
    verdict: 'accept',
  });
};
