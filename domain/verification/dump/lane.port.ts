import type { PublicKey } from '../../vault/cose-key.ts';
import type { AcknowledgedLoss } from '../report/acknowledged-losses.ts';
import type { HubClaim } from '../entry/chain-entry.ts';
import type { RingKey } from '../keys/key-ring.ts';
import type { PinnedAgentKeys } from '../keys/pinned-agent-keys.ts';
import type { ChainAnswer, ChainTask } from './chain-task.ts';
import type { LogAnswer, LogTask } from './log-task.ts';
import type { RegistryData } from './registry/platform-registry.ts';

/** What the verification of any part of a dump rests on. Plain data, so that it can be sent to a thread. */
export interface LaneSetting {
  /** In the order of the succession. */
  readonly keys: readonly LaneKey[];
  readonly hub: HubClaim | null;
  readonly agentKeys: PinnedAgentKeys | null;
  readonly losses: readonly AcknowledgedLoss[];
  /** Null if the platform chain lost entries. */
  readonly registry: RegistryData | null;
}

/** A key of the ring; its public key is null where its algorithm is not known. */
export interface LaneKey extends Omit<RingKey, 'verifying'> {
  readonly publicKey: PublicKey | null;
}

export type LaneTask = LogTask | ChainTask;
export type LaneAnswer = LogAnswer | ChainAnswer;
export type AnswerOf<T extends LaneTask> = T extends LogTask ? LogAnswer : ChainAnswer;

/**
 * Where parts of a dump are verified: side by side in threads, or one after the other. A lane does its tasks in the order in
 * which they were given, and owns the buffer of a task until it gives it back with the answer.
 */
export interface DumpLanes {
  readonly count: number;
  /** Rejects where the lane itself failed; whatever stands in a dump ends in an answer. */
  run<T extends LaneTask>(lane: number, task: T): Promise<AnswerOf<T>>;
  /** Nothing is asked of them any more; what still runs is abandoned. */
  end(): Promise<void>;
}

export type OpenLanes = (setting: LaneSetting) => DumpLanes;
