import { randomUUID } from 'node:crypto';
import { Vault } from '../../../application/sealing/vault.ts';
import { encodeBase64 } from '../../../domain/kernel/base64.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { sha256 } from '../../../domain/kernel/digest.ts';
import { counterAttestationStatement } from '../../../domain/record/record-statement.ts';
import { signStatement, type ChainHead } from '../../../domain/vault/chain.ts';
import { readEntry } from '../../../domain/vault/open-entry.ts';
import type { Statement } from '../../../domain/vault/statement.ts';
import type { OpenRuntime } from '../hubs/hub-pair.ts';
import type { Body } from '../service/world.ts';
import { sealedBy } from './forged-bytes.ts';

/** The predicate in which a hub attests the first message of its peer. `members` replaces or adds to what is honest. */
export const attestation = (members: JsonObject): JsonObject => ({
  entryType: 'PEER_STATEMENT_ATTESTED',
  at: new Date().toISOString(),
  requestId: randomUUID(),
  actor: { kind: 'system' },
  sequence: 1,
  ...members,
});

export const attestationStatement = (runtime: OpenRuntime, members: JsonObject): Statement =>
  counterAttestationStatement(runtime.part(Vault).hub.predicateBase, attestation(members) as never);

/** Signs a refusal of an offer as an honest hub does: on no chain, because no record exists. */
export const signedRefusal = async (
  runtime: OpenRuntime,
  stated: Statement,
): Promise<Uint8Array> => {
  const { at, recordId } = stated.predicate as { readonly at: string; readonly recordId: string };
  return signStatement(runtime.part(Vault).seal, 'projection', recordId, stated, at);
};

/** Seals an attestation on a chain that the database of the hub never has. */
export const sealedAttestation = async (
  runtime: OpenRuntime,
  stated: Statement,
  head: ChainHead | null = null,
): Promise<string> =>
  encodeBase64(await sealedBy(runtime, stated, String(stated.predicate['recordId']), head));

/** The body of a refusal. */
export const refusalBy = (signed: string, code = 'NO') =>
  ({
    outcome: 'refused',
    attestation: signed,
    code,
    detail: '',
    currentState: null,
    attemptedState: null,
  }) as const;

/** The newest entry of a chain, which the next one follows. */
export const headOf = (chain: readonly Body[]): ChainHead => {
  const bytes = Buffer.from(String(chain.at(-1)!['coseSign1']), 'base64');
  const { header, predicate } = readEntry(bytes)!;
  const { chainKey, position } = header.chain!;
  return { chainKey, position, hash: sha256(bytes), at: String(predicate['at']) };
};
