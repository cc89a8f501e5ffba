import { VerifyingKeys, type ImmediateChecks } from '../../vault/signatures.ts';
import { AcknowledgedLosses } from '../report/acknowledged-losses.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { ChainPart, type ChainPartSetting } from './chain-part.ts';
import type { ChainTask } from './chain-task.ts';
import type {
  AnswerOf,
  DumpLanes,
  LaneAnswer,
  LaneKey,
  LaneSetting,
  LaneTask,
} from './lane.port.ts';
import { LogPart, readPartAgain } from './log-part.ts';
import type { LogTask } from './log-task.ts';
import { PlatformRegistry } from './registry/platform-registry.ts';

/** What one lane does, wherever it runs. */
export class LaneWork {
  private readonly setting: ChainPartSetting;
  private readonly places: ReadonlyMap<string, number>;
  private part: ChainPart | null = null;

  /** @param checks checks signatures at once; without it they run in the threads of WebCrypto. */
  constructor(
    { keys, hub, agentKeys, losses, registry }: LaneSetting,
    private readonly checks: ImmediateChecks | null,
  ) {
    const verifying = new VerifyingKeys();
    const ring: KeyRing = new Map(
      keys.map(({ publicKey, ...key }) => [
        key.keyId,
        { ...key, verifying: publicKey && verifying.of(publicKey) },
      ]),
    );
    const keyIds = [...ring.keys()];
    this.places = new Map(keyIds.map((keyId, place) => [keyId, place]));
    this.setting = {
      ring,
      keyIds,
      hub,
      agentKeys,
      losses: new AcknowledgedLosses(losses),
      registry: registry && PlatformRegistry.of(registry),
      checks,
    };
  }

  /** One after the other. */
  do(task: LaneTask): Promise<LaneAnswer> {
    return task.kind === 'log' ? this.log(task) : this.chains(task);
  }

  private log(task: LogTask): Promise<LaneAnswer> {
    const { places } = this;
    const { hub, ring } = this.setting;
    return task.again
      ? Promise.resolve(readPartAgain(task.block, task.again, places))
      : new LogPart(hub, ring, places, this.checks).verify(task);
  }

  private async chains(task: ChainTask): Promise<LaneAnswer> {
    const part = (task.block.continues && this.part) || new ChainPart(this.setting);
    this.part = task.block.goesOn ? part : null;
    return part.verify(task);
  }
}

/** The keys of a ring as a lane is told of them. */
export const laneKeysOf = (ring: KeyRing): readonly LaneKey[] =>
  [...ring.values()].map(({ verifying, ...key }) => ({
    ...key,
    publicKey: verifying?.key ?? null,
  }));

/** One lane, in the thread that asks. */
export const oneLane =
  (checks: ImmediateChecks | null) =>
  (setting: LaneSetting): DumpLanes => {
    const work = new LaneWork(setting, checks);
    let last: Promise<unknown> = Promise.resolve();
    return {
      count: 1,
      run: <T extends LaneTask>(_lane: number, task: T): Promise<AnswerOf<T>> => {
        const answer = last.then(() => work.do(task)) as Promise<AnswerOf<T>>;
        last = answer.catch(() => undefined);
        return answer;
      },
      end: () => Promise.resolve(),
    };
  };
