import type { Uuid } from '../kernel/ids.ts';
import type { EncryptionKey, SigningKey } from './agent-key.ts';
import type { AgentReference } from './agent-reference.ts';

export interface Agent {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly name: string;
  readonly displayName: string;
  /** Names of record types; empty: any. */
  readonly capabilities: readonly string[];
  readonly deactivatedAt: string | null;
  readonly deactivationReason: string | null;
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
