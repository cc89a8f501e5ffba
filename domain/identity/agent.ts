import type { Uuid } from '../kernel/ids.ts';
import type { EncryptionKey, SigningKey } from './agent-key.ts';
import type { AgentReference } from './agent-reference.ts';

/** A range of events in which an agent is deactivated. The numbers decide which events fall into it, and no time. */
export interface Absence {
  /** ISO 8601. */
  readonly from: string;
  /** ISO 8601; null while it lasts. */
  readonly to: string | null;
  /** Events up to this number came before it. */
  readonly after: number;
  /** Events beyond this number came after it; null while it lasts. */
  readonly through: number | null;
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
  /** Oldest first: what happens in them is never delivered to the agent. */
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
