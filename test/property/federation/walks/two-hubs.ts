import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointRound } from '../../../../application/vault/checkpoint-round.ts';
import { PeerVaultKeys } from '../../../../application/federation/peer-vault-keys.ts';
import { AnchorSweep } from '../../../../application/vault/anchor-sweep.ts';
import {
  HubPair,
  inProcess,
  type OpenRuntime,
  type TestHub,
} from '../../../support/hubs/hub-pair.ts';
import type { DatabaseKind } from '../../../support/databases/databases.ts';
import { HubDatabases } from '../../../support/hubs/hub-databases.ts';
import { LaneClock, sqliteIn } from './hurry.ts';
import { SharedRecord, type Place } from './shared-record.ts';
import { Wire } from './wire.ts';

/** Two peered hubs with databases of their own, and the network between them. */
export interface TwoHubs {
  readonly pair: HubPair;
  close(): Promise<void>;
  readonly wire: Wire;
  /** @param isTurned the far hub is the record's home. */
  record(isTurned?: boolean): SharedRecord;
  /** All waits are over: those of lanes, of breakers, and the minute between two looks at a peer's vault keys. */
  hurry(): Promise<void>;
  /** On SQLite: the far hub's database goes back to what it was before `meanwhile`; its anchors, which are elsewhere, do not. */
  setBack(meanwhile: () => Promise<void>): Promise<void>;
}

/** @param kind on SQLite in the folder of each hub where none is given. */
export const openTwoHubs = async (kind?: DatabaseKind): Promise<TwoHubs> => {
  const databases = kind && new HubDatabases(kind);
  const directories: string[] = [];
  const runtimes: OpenRuntime[] = [];
  const pair = await HubPair.open(async (env, directory) => {
    const runtime = await inProcess(env, directory);
    directories.push(directory);
    runtimes.push(runtime);
    return runtime;
  }, databases?.env);
  await pair.peer();
  const clocks = directories.map(
    (directory, index) => new LaneClock(databases?.all[index]?.raw ?? sqliteIn(directory)),
  );
  const places: readonly [Place, Place] = [
    { hub: pair.home, lanes: clocks[0] as LaneClock },
    { hub: pair.far, lanes: clocks[1] as LaneClock },
  ];
  return {
    close: async () => {
      await pair.close();
      await databases?.drop();
    },
    pair,
    wire: new Wire([pair.home.door, pair.far.door]),
    record: (isTurned = false) =>
      isTurned ? new SharedRecord(places[1], places[0]) : new SharedRecord(places[0], places[1]),
    hurry: async () => {
      await Promise.all(clocks.map((clock) => clock.hurry()));
      // A hub that is being started again has looked at nothing yet.
      for (const { door } of [pair.home, pair.far])
        if (door.hub !== null)
          minutePassed(runtimes[door === pair.home.door ? 0 : 1]!.part(PeerVaultKeys));
    },
    setBack: async (meanwhile) => {
      const directory = String(directories[1]);
      const backup = join(directory, `backup-${Date.now()}.sqlite`);
      await places[1].lanes.copyTo(backup);
      await meanwhile();
      const runtime = runtimes[1] as OpenRuntime;
      await anchored(runtime);
      await restored(pair.far, join(directory, 'data', 'notary.sqlite'), backup);
      await runtime.part(AnchorSweep).run();
    },
  };
};

const minutePassed = (keys: PeerVaultKeys): void =>
  (keys as unknown as { readonly nextAt: Map<string, number> }).nextAt.clear();

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
