import type { EncryptionKey, SigningKey } from '../../../domain/identity/agent-key.ts';
import type { AgentReference } from '../../../domain/identity/agent-reference.ts';
import type {
  AgentKeyReads,
  AgentReferenceReads,
} from '../../../domain/identity/identity-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { AGENT_KEYS, ENCRYPTION_KEYS, SIGNING_KEYS } from './agent-key-row.ts';
import { findAll, type RowReader } from '../tables/find.ts';
import { AGENT_REFERENCES } from '../records/reference-row.ts';
import type { Reader } from '../tables/reader.ts';
import { encryptionKeysOf, signingKeysOf } from './agent-key-store.ts';
import { agentReferencesOf } from './agent-reference-store.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlAgentKeyReads implements AgentKeyReads {
  constructor(private readonly reader: Reader) {}

  async signingKeyBy(thumbprint: Uint8Array): Promise<SigningKey | null> {
    const [from, to] = [new Uint8Array(32), new Uint8Array(32).fill(0xff)];
    from.set(thumbprint);
    to.set(thumbprint);
    const found = await findAll(this.reader, SIGNING_KEYS, SIGNING_KEY_BETWEEN, [from, to]);
    return found.length === 1 ? found[0]! : null;
  }

  async encryptionKeys(agentIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, EncryptionKey>> {
    const keys = await ofAgents(this.reader, ENCRYPTION_KEYS, encryptionKeysOf, agentIds);
    return new Map(keys.map((key) => [key.agentId, key]));
  }

  async signingKeys(agentIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly SigningKey[]>> {
    return byAgent(await ofAgents(this.reader, SIGNING_KEYS, signingKeysOf, agentIds));
  }
}

const SIGNING_KEY_BETWEEN = `${AGENT_KEYS.select} WHERE purpose = 'signing' AND thumbprint >= ? AND thumbprint <= ? LIMIT 2`;

export class SqlAgentReferenceReads implements AgentReferenceReads {
  constructor(private readonly reader: Reader) {}

  async of(agentIds: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly AgentReference[]>> {
    return byAgent(await ofAgents(this.reader, AGENT_REFERENCES, agentReferencesOf, agentIds));
  }
}

/** One statement for all ids, and none for an empty list, which SQL cannot express. */
const ofAgents = async <Row, Value>(
  reader: Reader,
  map: RowReader<Row, Value>,
  sqlFor: (agents: number) => string,
  agentIds: readonly Uuid[],
): Promise<readonly Value[]> => {
  const ids = [...new Set(agentIds)];
  return ids.length === 0 ? [] : findAll(reader, map, sqlFor(ids.length), ids.map(uuidToSql));
};

const byAgent = <T extends { readonly agentId: Uuid }>(
  rows: readonly T[],
): ReadonlyMap<Uuid, readonly T[]> => {
  const found = new Map<Uuid, T[]>();
  for (const row of rows) {
    const others = found.get(row.agentId);
    if (others) others.push(row);
    else found.set(row.agentId, [row]);
  }
  return found;
};
