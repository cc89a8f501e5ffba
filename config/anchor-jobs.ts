import type { Container } from 'inversify';
import { isOnVolumeOf } from '../adapters/anchor/filesystem/volume.ts';
import { repeatEverywhere, type Job, type RunningJob } from '../adapters/jobs/repeat.ts';
import type { Log } from '../application/ports/log.port.ts';
import { AnchorSweep } from '../application/vault/anchor-sweep.ts';
import { RewindWatch } from '../application/vault/rewind-watch.ts';
import type { Settings } from './settings-table.ts';
import { TOKENS } from './tokens.ts';

/** Who restores the volume restores both, and nothing is left that shows it. */
export const sayIfAnchorsAreBeside = async (settings: Settings, log: Log): Promise<void> => {
  const { ANCHOR, ANCHOR_PATH, DATABASE_URL, NODE_ENV } = settings;
  if (NODE_ENV !== 'production' || ANCHOR !== 'filesystem') return;
  if (await isOnVolumeOf(ANCHOR_PATH, DATABASE_URL))
    log.warn(
      { path: ANCHOR_PATH },
      'the anchors are on the volume of the database: who puts an older copy of it back can put the older anchors back with it. Set ANCHOR_PATH to another volume, or ANCHOR to s3',
    );
};

/** Every process refuses to sign on what any of them found, and goes on when it is acknowledged. It takes no lease. */
export const followRewinds = (container: Container, log: Log): RunningJob => {
  const watch = container.get(RewindWatch);
  return repeatEverywhere(
    { name: 'follow-rewinds', everyMs: 1_000, run: () => watch.follow() },
    log,
  );
};

/** Compares chains with their anchors, and anchors what is new. */
export const sweepAnchors = (container: Container): Job => {
  const sweep = container.get(AnchorSweep);
  return {
    name: 'anchor-sweep',
    everyMs: 10_000,
    leaseMs: 600_000,
    isNeeded: () => sweep.isDue(container.get(TOKENS.settings).ANCHOR_INTERVAL * 60_000),
    run: (stopping) => sweep.run(stopping),
  };
};
