import type { EncryptionKey, SigningKey } from '../../../domain/identity/agent-key.ts';
import type { AgentKeyStore } from '../../../domain/identity/identity-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { AGENT_KEYS, ENCRYPTION_KEYS, SIGNING_KEYS } from './agent-key-row.ts';
import { exists, findAll, findOne } from '../tables/find.ts';
import { placeholders } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { reseal } from '../tables/reseal.ts';
import { hexToSql, orNull, timeToSql, uuidToSql } from '../base/values.ts';

export class SqlAgentKeyStore implements AgentKeyStore {
  constructor(private readonly unit: UnitContext) {}

  async insertSigningKey(key: SigningKey, entryPosition: number): Promise<void> {
    this.unit.insert(AGENT_KEYS, SIGNING_KEYS.toRow(key, entryPosition));
  }

  async setEncryptionKey(key: EncryptionKey, entryPosition: number): Promise<void> {
    const current = [
      "agent_id = ? AND purpose = 'encryption' AND ended_at IS NULL",
      uuidToSql(key.agentId),
    ] as const;
    await reseal(this.unit, AGENT_KEYS, current, { ended_at: timeToSql(key.setAt) });
    this.unit.insert(AGENT_KEYS, ENCRYPTION_KEYS.toRow(key, entryPosition));
  }

  isTaken(coseThumbprint: Uint8Array): Promise<boolean> {
    return exists(this.unit, 'SELECT 1 FROM agent_keys WHERE thumbprint = ?', [coseThumbprint]);
  }

  encryptionKey(agentId: Uuid): Promise<EncryptionKey | null> {
    return findOne(this.unit, ENCRYPTION_KEYS, encryptionKeysOf(1), [uuidToSql(agentId)]);
  }

  signingKeys(agentId: Uuid): Promise<readonly SigningKey[]> {
    return findAll(this.unit, SIGNING_KEYS, signingKeysOf(1), [uuidToSql(agentId)]);
  }

  /** @throws Error where there is no such row. */
  async revokeSigningKey(key: SigningKey): Promise<void> {
    const row = [
      "thumbprint = ? AND agent_id = ? AND purpose = 'signing'",
      hexToSql(key.thumbprint),
      uuidToSql(key.agentId),
    ] as const;
    const ended = { ended_at: orNull(key.revokedAt, timeToSql) };
    const changed = await reseal(this.unit, AGENT_KEYS, row, ended);
    if (changed !== 1)
      throw new Error(`the agent ${key.agentId} has no signing key ${key.thumbprint}`);
  }
}

const keysOf = (condition: string, agents: number): string =>
  `${AGENT_KEYS.select} WHERE agent_id IN (${placeholders(agents)}) AND ${condition} ORDER BY agent_id, entry_position`;

/** The statement takes the ids of this many agents. */
export const encryptionKeysOf = (agents: number): string =>
  keysOf("purpose = 'encryption' AND ended_at IS NULL", agents);
export const signingKeysOf = (agents: number): string => keysOf("purpose = 'signing'", agents);
