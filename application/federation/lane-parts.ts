import type { LaneReads } from '../../domain/federation/lane-store.port.ts';
import type { PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { JsonReader } from '../call/json-reader.port.ts';
import type { Log } from '../ports/log.port.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { AwaitHome } from '../sharing/await-home.ts';
import type { OutgoingMessages } from '../sharing/outgoing.port.ts';
import type { PeerTransport } from './peer-transport.port.ts';
import type { ReceiveMessage } from './receive-message.ts';
import type { SignAnew } from './sign-anew.ts';
import type { TakeAnswer } from './take-answer.ts';

/** What the work on lanes needs. */
export interface LaneParts {
  readonly unitOfWork: UnitOfWork;
  readonly lanes: LaneReads;
  readonly outgoing: OutgoingMessages;
  readonly peers: Pick<PeerReads, 'find' | 'all' | 'hubIds'>;
  readonly transport: PeerTransport;
  readonly signAnew: Pick<SignAnew, 'fresh' | 'refresh'>;
  readonly take: Pick<TakeAnswer, 'execute'>;
  readonly receive: Pick<ReceiveMessage, 'of'>;
  readonly awaitHome: Pick<AwaitHome, 'moved'>;
  readonly json: JsonReader;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Pick<Log, 'error'>;
}

/** A lease is short, and renewed while its holder lives: where a process dies, another one goes on soon. */
export const LANE_LEASE_MS = 6_000;
export const LANE_BEAT_MS = 2_000;
