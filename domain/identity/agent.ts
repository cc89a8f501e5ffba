import type { Uuid } from '../kernel/ids.ts';

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
}
