import { HubPair, inProcess } from '../../../support/hub-pair.ts';
import { LaneClock } from './hurry.ts';
import { SharedRecord, type Place } from './shared-record.ts';
import { Wire } from './wire.ts';

/** Two peered hubs with databases of their own, and the network between them. */
export interface TwoHubs {
  readonly pair: HubPair;
  readonly wire: Wire;
  /** @param isTurned the far hub is the record's home. */
  record(isTurned?: boolean): SharedRecord;
}

export const openTwoHubs = async (): Promise<TwoHubs> => {
  const directories: string[] = [];
  const pair = await HubPair.open((env, directory) => {
    directories.push(directory);
    return inProcess(env, directory);
  });
  await pair.peer();
  const [home, far] = directories.map((directory) => new LaneClock(directory));
  const places: readonly [Place, Place] = [
    { hub: pair.home, lanes: home as LaneClock },
    { hub: pair.far, lanes: far as LaneClock },
  ];
  return {
    pair,
    wire: new Wire([pair.home.door, pair.far.door]),
    record: (isTurned = false) =>
      isTurned ? new SharedRecord(places[1], places[0]) : new SharedRecord(places[0], places[1]),
  };
};
