import { setTimeout as sleep } from 'node:timers/promises';
import type { HubDoor, Passing } from '../../../support/hubs/hub-door.ts';

/** What the network does to the next messages of one record. */
export type Fate = 'well' | 'slow' | 'requests lost' | 'answers lost' | 'cut' | 'doubled';

export const FATES: readonly Fate[] = [
  'well',
  'slow',
  'requests lost',
  'answers lost',
  'cut',
  'doubled',
];

/** The network between two hubs, as one record sees it. Answers of one direction may be lost while the other goes on. */
export class Wire {
  private readonly fates = new Map<string, Fate>();
  /** How much passed, and how much of it was lost; for the tests to know that they tried something. */
  readonly counts: Record<Fate, number> = {
    well: 0,
    slow: 0,
    'requests lost': 0,
    'answers lost': 0,
    cut: 0,
    doubled: 0,
  };

  constructor(doors: readonly HubDoor[]) {
    for (const door of doors) {
      door.onRequest = (passing) => this.bring(passing);
      door.onAnswer = (passing) => this.bringBack(passing);
      door.isSentTwice = (passing) => this.fateOf(passing) === 'doubled';
    }
  }

  /** @param recordId home's. */
  is(recordId: string, fate: Fate): void {
    this.fates.set(recordId, fate);
  }

  private async bring(passing: Passing): Promise<void> {
    const fate = this.fateOf(passing);
    this.counts[fate]++;
    if (fate === 'slow') await sleep(20 + Math.random() * 300);
    if (fate === 'requests lost' || fate === 'cut') throw new Error('lost');
  }

  private async bringBack(passing: Passing): Promise<void> {
    const fate = this.fateOf(passing);
    if (fate === 'slow') await sleep(Math.random() * 300);
    if (fate === 'answers lost' || fate === 'cut') throw new Error('lost');
  }

  private fateOf({ path, body }: Passing): Fate {
    if (!/^\/federation\/v1\/(state-transitions|signals)$/.test(path)) return 'well';
    const recordId = /"recordId":"([0-9a-f-]{36})"/.exec(body.subarray(0, 4_096).toString())?.[1];
    return this.fates.get(String(recordId)) ?? 'well';
  }
}
