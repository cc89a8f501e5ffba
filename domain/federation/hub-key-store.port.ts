import type { HubKey } from './hub-key.ts';

/** Committed rows, oldest first. */
export interface HubKeyReads {
  all(): Promise<readonly HubKey[]>;
}

/** Inside a unit of work. */
export interface HubKeyStore {
  insert(key: HubKey): Promise<void>;
  /** Every key, oldest first, locked until the end of the unit of work. */
  lockAll(): Promise<readonly HubKey[]>;
  update(key: HubKey): Promise<void>;
}
