import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointRound } from '../../../../application/vault/checkpoint-round.ts';
import { PeerVaultKeys } from '../../../../application/federation/peer-vault-keys.ts';
import { AnchorSweep } from '../../../../application/vault/anchor-sweep.ts';
import { HubPair, inProcess, type OpenRuntime, type TestHub } from '../../../support/hub-pair.ts';
import { LaneClock } from './hurry.ts';
import { SharedRecord, type Place } from './shared-record.ts';
import { Wire } from './wire.ts';

/** Two peered hubs with databases of their own, and the network between them. */
export interface TwoHubs {
  readonly pair: HubPair;
  readonly wire: Wire;
  /** @param isTurned the far hub is the record's home. */
  record(isTurned?: boolean): SharedRecord;
  /** All waits are over: those of lanes, of breakers, and the minute between two looks at a peer's vault keys. */
  hurry(): void;
  /** The far hub's database goes back to what it was before `meanwhile`; its anchors, which are elsewhere, do not. */
  setBack(meanwhile: () => Promise<void>): Promise<void>;
}

export const openTwoHubs = async (): Promise<TwoHubs> => {
  const directories: string[] = [];
  const runtimes: OpenRuntime[] = [];
  const pair = await HubPair.open(async (env, directory) => {
    const runtime = await inProcess(env, directory);
    directories.push(directory);
    runtimes.push(runtime);
    return runtime;
  });
  await pair.peer();
  const clocks = directories.map((directory) => new LaneClock(directory));
  const places: readonly [Place, Place] = [
    { hub: pair.home, lanes: clocks[0] as LaneClock },
    { hub: pair.far, lanes: clocks[1] as LaneClock },
  ];
  return {
    pair,
    wire: new Wire([pair.home.door, pair.far.door]),
    record: (isTurned = false) =>
      isTurned ? new SharedRecord(places[1], places[0]) : new SharedRecord(places[0], places[1]),
    hurry: () => {
      for (const clock of clocks) clock.hurry();
      // A hub that is being started again has looked at nothing yet.
      for (const { door } of [pair.home, pair.far])
        if (door.hub !== null)
          minutePassed(runtimes[door === pair.home.door ? 0 : 1]!.part(PeerVaultKeys));
    },
    setBack: async (meanwhile) => {
      const directory = String(directories[1]);
      const backup = join(directory, `backup-${Date.now()}.sqlite`);
      places[1].lanes.copyTo(backup);
      await meanwhile();
      const runtime = runtimes[1] as OpenRuntime;
      await anchored(runtime);
      await restored(pair.far, join(directory, 'data', 'notary.sqlite'), backup);
      await runtime.part(AnchorSweep).run();
    },
  };
};

const minutePassed = (keys: PeerVaultKeys): void =>
  (keys as unknown as { readonly askedAt: Map<string, number> }).askedAt.clear();

/** What happened so far is known outside of the database. */
const anchored = async (runtime: OpenRuntime): Promise<void> => {
  await runtime.part(CheckpointRound).run();
  await runtime.part(AnchorSweep).run();
};

const restored = async (hub: TestHub, file: string, backup: string): Promise<void> => {
  await hub.kill();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  copyFileSync(backup, file);
  await hub.start();
};
