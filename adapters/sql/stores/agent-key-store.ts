import type { EncryptionKey, SigningKey } from '../../../domain/identity/agent-key.ts';
import type { AgentKeyStore } from '../../../domain/identity/identity-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import {
  AGENT_KEYS,
  encryptionKeyToRow,
  rowToEncryptionKey,
  rowToSigningKey,
  signingKeyToRow,
  type AgentKeyRow,
} from '../rows/agent-key-row.ts';
import { columnsOf, firstOf } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { hexToSql, orNull, timeToSql, uuidToSql } from '../values.ts';

export class SqlAgentKeyStore implements AgentKeyStore {
  constructor(private readonly unit: UnitContext) {}

  async insertSigningKey(key: SigningKey, entryPosition: number): Promise<void> {
    this.unit.insert(AGENT_KEYS, signingKeyToRow(key, entryPosition));
  }

  async setEncryptionKey(key: EncryptionKey, entryPosition: number): Promise<void> {
    await this.unit.run(
      "UPDATE agent_keys SET ended_at = ? WHERE agent_id = ? AND purpose = 'encryption' AND ended_at IS NULL",
      [timeToSql(key.setAt), uuidToSql(key.agentId)],
    );
    this.unit.insert(AGENT_KEYS, encryptionKeyToRow(key, entryPosition));
  }

  async isTaken(coseThumbprint: Uint8Array): Promise<boolean> {
    return (
      (await this.unit.all('SELECT 1 FROM agent_keys WHERE thumbprint = ?', [coseThumbprint]))
        .length > 0
    );
  }

  async encryptionKey(agentId: Uuid): Promise<EncryptionKey | null> {
    const row = firstOf(
      await this.unit.all<AgentKeyRow>(encryptionKeysOf(1), [uuidToSql(agentId)]),
    );
    return row && rowToEncryptionKey(row);
  }

  async signingKeys(agentId: Uuid): Promise<readonly SigningKey[]> {
    return (await this.unit.all<AgentKeyRow>(signingKeysOf(1), [uuidToSql(agentId)])).map(
      rowToSigningKey,
    );
  }

  /** @throws Error where there is no such row. */
  async revokeSigningKey(key: SigningKey): Promise<void> {
    const changed = await this.unit.run(
      "UPDATE agent_keys SET ended_at = ? WHERE thumbprint = ? AND agent_id = ? AND purpose = 'signing'",
      [orNull(key.revokedAt, timeToSql), hexToSql(key.thumbprint), uuidToSql(key.agentId)],
    );
    if (changed !== 1)
      throw new Error(`the agent ${key.agentId} has no signing key ${key.thumbprint}`);
  }
}

const keysOf = (condition: string, agents: number): string =>
  `SELECT ${columnsOf(AGENT_KEYS)} FROM agent_keys WHERE agent_id IN (${Array<string>(agents).fill('?').join(', ')}) AND ${condition} ORDER BY agent_id, entry_position`;

/** Takes the ids of as many agents. */
export const encryptionKeysOf = (agents: number): string =>
  keysOf("purpose = 'encryption' AND ended_at IS NULL", agents);
export const signingKeysOf = (agents: number): string => keysOf("purpose = 'signing'", agents);
