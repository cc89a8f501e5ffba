import type { Uuid } from '../kernel/ids.ts';
import type { CoSignatureDemand } from './co-signature-demand.ts';

export interface Org {
  readonly id: Uuid;
  readonly slug: string;
  readonly name: string;
  /** ISO 8601 with milliseconds, like every time below. */
  readonly createdAt: string;
  readonly managedBy: 'provisioning' | null;
  readonly settings: OrgSettings;
  /** From 1. Each change adds one, and its entry on the platform chain seals it. */
  readonly version: number;
}

/** What an org decides for itself. */
export interface OrgSettings {
  /** How each request under a credential of the org must be signed by the key that the credential is bound to. */
  readonly requireCoSignature: CoSignatureDemand;
}

export const DEFAULT_ORG_SETTINGS: OrgSettings = { requireCoSignature: 'none' };

/** The org of the operators. It is created at bootstrap and owns the platform keys. */
export const SYSTEM_ORG_SLUG = 'system';

export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'service',
  'platform',
  'system',
  'internal',
]);
