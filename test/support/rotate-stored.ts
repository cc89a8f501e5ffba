import { toHex } from '../../domain/kernel/digest.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { KeyStatement } from '../../domain/vault/key-statement.ts';
import { Vault } from '../../application/vault/vault.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import type { VaultAlgorithm } from '../../domain/vault/algorithm.ts';
import type { Signer } from '../../domain/vault/signer.port.ts';
import { sealRotation } from './key-rotation.ts';
import type { TestDatabase } from './databases.ts';

const literal = (bytes: Uint8Array): string => `x'${toHex(bytes)}'`;

/**
 * Rotates the key of a running service in its database, as a rotation will. The service knows nothing of it: start it anew.
 *
 * @returns the key that was retired, as whoever it leaked to would hold it.
 */
export const rotateStored = async (
  { container }: RunningService,
  database: Pick<TestDatabase, 'raw'>,
  algorithm: VaultAlgorithm = 'Ed25519',
): Promise<Signer> => {
  const vault = container.get(Vault);
  const sql = container.get(TOKENS.sql);
  const { signer, sealed } = await container.get(TOKENS.keySource).generate(algorithm);
  const { seal, hub, keyStatements } = vault;
  const old = seal.signer;
  const last = await container
    .get(TOKENS.chainReads)
    .entries(PLATFORM_CHAIN, keyStatements.at(-1)!.chainPosition, 1);
  const retired = await sql.unitOfWork.transaction(async (stores) => {
    const head = await stores.chains.lockHead(PLATFORM_CHAIN);
    const at = new Date(Math.max(Date.now(), Date.parse(head!.at))).toISOString();
    const rotation = await sealRotation(
      {
        ...hub,
        canonicalization: seal.canonicalization,
        head: head!,
        lastStatement: last[0]!.hash,
        at,
      },
      old,
      signer,
    );
    await stores.sealedKeys.insert(sealed);
    await stores.vaultKeys.insertKey(
      {
        keyId: signer.keyId,
        algorithm,
        publicKey: signer.publicKey,
        status: 'active',
        activatedAt: at,
        retiredAt: null,
      },
      copyOf('activated', signer.keyId, rotation.activated),
    );
    await stores.chains.append(rotation.activated, rotation.retired);
    return rotation.retired;
  });
  const copy = copyOf('retired', old.keyId, retired);
  const at = Date.parse(retired.at);
  await database.raw(
    `INSERT INTO vault_key_statements (chain_position, key_id, statement, cose_sign1, created_at) VALUES (${copy.chainPosition}, '${copy.keyId}', 'retired', ${literal(copy.coseSign1)}, ${at})`,
  );
  await database.raw(
    `UPDATE vault_signing_keys SET status = 'retired', retired_at = ${at} WHERE key_id = '${old.keyId}'`,
  );
  return old;
};

const copyOf = (
  statement: KeyStatement['statement'],
  keyId: string,
  { position: chainPosition, coseSign1, at: createdAt }: ChainEntry,
): KeyStatement => ({ keyId, statement, chainPosition, coseSign1, createdAt });
