import { PeerQuota } from './peer-quota.ts';

/**
 * Each change of its hub key is an entry of the platform chain, which every act of an operator waits for, and a key that is
 * remembered for ever: a peer has so many in a day.
 */
export const KEY_CHANGES_A_DAY = 8;
const DAY_MS = 86_400_000;

export class KeyChangeQuota extends PeerQuota {
  constructor(now?: () => number) {
    super(
      KEY_CHANGES_A_DAY,
      DAY_MS,
      `A peer changes its hub key ${KEY_CHANGES_A_DAY} times a day at most.`,
      now,
    );
  }
}
