import type { Container } from 'inversify';
import { hasRowsUnderOlderKeys } from '../../adapters/sql/upkeep/inspect-database.ts';
import { lastBackup } from '../../adapters/sql/sqlite/sqlite-backup.ts';
import { rowKeysOf } from '../../adapters/keys/row-keys.ts';
import { MoveWebhookSecrets } from '../../application/delivery/move-webhook-secrets.ts';
import { MoveHubKeys } from '../../application/federation/move-hub-keys.ts';
import { ListKeysOnHost } from '../../application/operations/list-keys-on-host.ts';
import { Vault } from '../../application/sealing/vault.ts';
import type { ApiKey } from '../../domain/identity/api-key.ts';
import { ANCHORS } from '../../domain/vault/anchor-key.ts';
import { sqliteFile } from '../backup.ts';
import { callToRevoke, reachOf, readLostRevocations } from '../restored-revocations.ts';
import { TOKENS } from '../tokens.ts';
import { finding, type Check, type Finding } from './finding.ts';

/** What is asked of the vault and of the rows that its secrets vouch for. Nothing is sealed or written. */
export const vaultChecks = (container: Container, now: Date): readonly Check[] => [
  { name: 'signer', look: () => signer(container) },
  { name: 'retired keys', look: () => retiredKeys(container) },
  { name: 'anchors', look: () => anchors(container) },
  { name: 'revocations', look: () => revocations(container) },
  { name: 'backup', look: () => Promise.resolve(backup(container)) },
  { name: 'old SECRETS_KEY', look: () => oldSecretsKey(container) },
  { name: 'old API_KEY_PEPPER', look: () => oldPepper(container, now) },
  { name: 'platform keys', look: () => platformKeys(container, now) },
];

/** No structure of COSE begins so. */
const PROBE = new TextEncoder().encode('notary doctor: can this key sign?');

const signer = async (container: Container): Promise<readonly Finding[]> => {
  const vault = container.get(Vault);
  try {
    const { fingerprint, keyId, warnings } = await vault.open();
    await vault.seal.signer.sign(PROBE);
    return [
      finding(
        'fingerprint',
        `sha256:${fingerprint}`,
        `The fingerprint of the signing key ${keyId}. Auditors pin it: compare it with the one that was written down at the first start.`,
      ),
      ...warnings.map((warning) =>
        warning.startsWith('SIGNER_PREVIOUS')
          ? finding(
              'signer-previous-spent',
              'SIGNER_PREVIOUS',
              `${warning}. The retired private key is where the service cannot erase it: erase or disable it there.`,
            )
          : finding('predicate-base-ignored', 'PREDICATE_BASE', `${warning}.`),
      ),
    ];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      finding(
        'signer-unusable',
        'SIGNER',
        `The service cannot sign, so it stores nothing. ${reason}`,
      ),
    ];
  }
};

const retiredKeys = async (container: Container): Promise<readonly Finding[]> => {
  const retired = new Set(container.get(Vault).retirements.keys());
  const kept = (await container.get(TOKENS.sealedKeys).load()).filter(({ keyId }) =>
    retired.has(keyId),
  );
  return kept.map(({ keyId }) =>
    finding(
      'retired-key-not-erased',
      keyId,
      `The private key was retired, and the table sealed_keys still holds it: an old row was put back. Whoever has SIGNER_KEK can sign with it. Delete the row of sealed_keys with the key_id ${keyId}, and find out who wrote it.`,
    ),
  );
};

/** Whether the store of anchors answers; an empty one does. */
const anchors = async (container: Container): Promise<readonly Finding[]> => {
  const store = container.get(TOKENS.anchorStore);
  if (store === null) return [];
  try {
    for await (const _first of store.list(ANCHORS)) break;
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      finding(
        'anchors-unusable',
        'ANCHOR',
        `The anchors cannot be read, so nothing is signed after the next start until they can. ${reason}`,
      ),
    ];
  }
};

/** What a restore brought back: a revoked key can be used again. */
const revocations = async (container: Container): Promise<readonly Finding[]> => {
  const report = await readLostRevocations(container);
  return report.lost
    .slice(0, MAX_NAMED)
    .map((one) =>
      finding(
        'revocation-lost',
        `${one.kind} ${one.id}`,
        `It was revoked at ${one.at} (${one.entryType}). An older copy of the database was put back, so it can be used again. Revoke it again: ${callToRevoke(one)}. ${report.lost.length > MAX_NAMED ? `${report.lost.length} are to be revoked again in all. ` : ''}${reachOf(report)}`,
      ),
    );
};

const MAX_NAMED = 100;

const backup = (container: Container): readonly Finding[] => {
  const { keys } = container.get(Vault);
  const file = sqliteFile(container.get(TOKENS.settings));
  const [active] = keys;
  if (file === null || !active || keys.length < 2) return [];
  const taken = lastBackup(file);
  if (taken !== null && taken.at > active.activatedAt) return [];
  return [
    finding(
      'backup-due',
      'notary backup',
      `The signing key was rotated at ${active.activatedAt}, and ${taken === null ? 'no backup is known' : `the newest backup that is known is of ${taken.at}`}. An older one cannot be restored without losing the key: run notary backup --out FILE.`,
    ),
  ];
};

const oldSecretsKey = async (container: Container): Promise<readonly Finding[]> => {
  const { secretsKey } = container.get(TOKENS.secrets);
  const [newest, ...older] = rowKeysOf(secretsKey);
  if (!newest || older.length === 0) return [];
  const isNeeded =
    (await hasRowsUnderOlderKeys(container.get(TOKENS.settings).DATABASE_URL, newest.id)) ||
    (await container.get(MoveWebhookSecrets).isNeeded()) ||
    (await container.get(MoveHubKeys).isNeeded());
  return isNeeded ? [] : [canGo('SECRETS_KEY', 'Every row is under the newest value.')];
};

/** A key moves to the newest pepper when it is used. */
const oldPepper = async (container: Container, now: Date): Promise<readonly Finding[]> => {
  if (container.get(TOKENS.secrets).pepper.length < 2) return [];
  const checks = await container.get(TOKENS.sql).secretChecks.load();
  const since = checks.filter(({ secret }) => secret === 'API_KEY_PEPPER').at(-1)?.createdAt;
  if (since === undefined) return [];
  for (const role of ['platform', 'admin', 'agent'] as const)
    for await (const key of container.get(ListKeysOnHost).execute(role))
      if (isUsable(key, now) && (key.lastUsedAt ?? key.createdAt) < since) return [];
  return [canGo('API_KEY_PEPPER', `Every usable key was made or used since ${since}.`)];
};

const canGo = (name: string, why: string): Finding =>
  finding(
    'old-secret-can-go',
    name,
    `${name} has older values that nothing needs any more. ${why} Set ${name} to the first value alone, on every node.`,
  );

const platformKeys = async (container: Container, now: Date): Promise<readonly Finding[]> => {
  const usable: ApiKey[] = [];
  for await (const key of container.get(ListKeysOnHost).execute('platform'))
    if (isUsable(key, now)) usable.push(key);
  if (usable.length === 0)
    return [
      finding(
        'platform-key-none',
        'notary keys',
        'No platform key can be used, so nobody governs the service. Mint one: notary keys mint, or before the first one notary bootstrap.',
      ),
    ];
  const named = ({ id, label }: ApiKey): string => (label ? `${id} (${label})` : id);
  return usable.flatMap((key) => [
    ...(key.expiresAt === null
      ? [
          finding(
            'platform-key-without-expiry',
            named(key),
            `This platform key never expires. Mint one that does, and revoke this one: notary keys mint --expires-in 7776000, notary keys revoke ${key.id}`,
          ),
        ]
      : []),
    ...(key.allowedIps === null || key.allowedIps.length === 0
      ? [
          finding(
            'platform-key-from-anywhere',
            named(key),
            `This platform key may be used from any address. Mint one for the addresses of the operators: notary keys mint --allowed-ips RANGES, notary keys revoke ${key.id}`,
          ),
        ]
      : []),
  ]);
};

const isUsable = ({ isActive, expiresAt }: ApiKey, now: Date): boolean =>
  isActive && (expiresAt === null || expiresAt > now.toISOString());
