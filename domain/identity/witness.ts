import type { Uuid } from '../kernel/ids.ts';
import type { AgentPublicKey } from './agent-public-key.ts';

/** Somebody outside who signs checkpoints that they have seen. It never changes; it is removed, and another one added. */
export interface Witness {
  readonly witnessKeyId: Uuid;
  readonly name: string;
  readonly key: AgentPublicKey;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly version: number;
}
