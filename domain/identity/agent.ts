import type { Uuid } from '../kernel/ids.ts';
import type { EncryptionKey, SigningKey } from './agent-key.ts';
import type { AgentReference } from './agent-reference.ts';

/** A time in which an agent was deactivated. ISO 8601, both. */
export interface Absence {
  readonly from: string;
  readonly to: string;
}

/** Of older ones nothing is known any more. */
export const MAX_ABSENCES = 100;

export interface Agent {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly name: string;
  readonly displayName: string;
  /** Names of record types; empty: any. */
  readonly capabilities: readonly string[];
  readonly deactivatedAt: string | null;
  readonly deactivationReason: string | null;
  /** Those that are over, oldest first: what happened in them is never delivered to the agent. */
  readonly absences: readonly Absence[];
  readonly managedBy: 'provisioning' | null;
  readonly createdAt: string;
  /** From 1. Each change adds one, and its entry on the platform chain seals it. */
  readonly version: number;
}

/** An agent with what it published, as callers see it. Authentication does not read it. */
export interface AgentProfile extends Agent {
  /** Oldest first, revoked ones included. */
  readonly signingKeys: readonly SigningKey[];
  readonly encryptionKey: EncryptionKey | null;
  readonly references: readonly AgentReference[];
}
