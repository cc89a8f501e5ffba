import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RpcCall } from './rpc-call.ts';
import { dataArtifact, placeOf, type RecordView } from './task.ts';
import type { ArtifactUpdate } from './task-stream.ts';

/** A record as it was read for a stream, or for several. */
export class LookedRecord {
  #update: ArtifactUpdate | null = null;

  constructor(readonly view: RecordView) {}

  /** The record as an artifact. The same object for all, so that it is turned into text once. */
  get update(): ArtifactUpdate {
    return (this.#update ??= {
      artifactUpdate: {
        ...placeOf(this.view),
        artifact: dataArtifact('record', 'Record', this.view),
        lastChunk: true,
      },
    });
  }
}

/** Streams of one agent that wake for the same event read the record once together. */
export class SharedLooks {
  readonly #reading = new Map<string, Promise<LookedRecord>>();

  /**
   * @param event the number of the event that the stream woke for: the record is read after it. Null if the stream reads alone.
   * @param read reads the record for this call.
   */
  of(
    call: RpcCall,
    recordId: Uuid,
    event: number | null,
    read: () => Promise<RecordView>,
  ): Promise<LookedRecord> {
    const looked = async (): Promise<LookedRecord> => new LookedRecord(await read());
    const reader = readerOf(call);
    if (event === null || reader === null) return looked();
    const key = `${recordId} ${event} ${reader}`;
    const running = this.#reading.get(key);
    if (running) return running;
    const reading = looked().finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }
}

/** Calls with the same text see the same record. Null for a read that is logged or judged alone: an administrator's, a signed one. */
const readerOf = ({ caller, isCoSigned }: RpcCall): string | null =>
  caller?.role === 'agent' && !isCoSigned
    ? JSON.stringify([caller.agentId, caller.authType, [...caller.allowed].sort()])
    : null;
