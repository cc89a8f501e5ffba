import { getRecord } from '../../application/record/operations.ts';
import type { EventFeed } from '../../application/event/event-feed.ts';
import { eventViewer } from '../../application/event/event-viewer.ts';
import type { OpenStream } from '../../application/call/open-stream.ts';
import type { CallGateway } from '../../application/call/call-gateway.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { TERMINAL } from '../../domain/record/record-status.ts';
import type { RpcCall } from './rpc-call.ts';
import type { SharedLooks } from './shared-looks.ts';
import { placeOf, statusOf, wireState, type RecordView } from './task.ts';

export interface StreamParts {
  readonly gateway: Pick<CallGateway, 'openStream'>;
  readonly feed: Pick<EventFeed, 'newest' | 'follow'>;
  /** Aborts where the service is about to stop. */
  readonly draining: AbortSignal;
  readonly looks: SharedLooks;
}

export type ArtifactUpdate = { readonly artifactUpdate: JsonObject };

/** One event of a stream, as 1.0 has it. */
export type StreamEvent =
  | { readonly task: JsonObject }
  | { readonly message: JsonObject }
  /** `isLast` is for 0.3: nothing follows in this stream. */
  | { readonly statusUpdate: JsonObject; readonly isLast: boolean }
  | ArtifactUpdate;

/** What a reader has been shown; the completion is not known at the start. */
interface Shown {
  readonly version: number;
  readonly completionId: Uuid | null | undefined;
}

interface Look {
  readonly shown: Shown;
  readonly events: readonly StreamEvent[];
  readonly isOver: boolean;
}

const ACCESS = getRecord.access({}) as { readonly scope: 'records:read' };

/**
 * The changes of one task: it is read anew where the feed tells of an event, so what is shown is what the caller may read,
 * as of now. It holds one change at a time, and waits for its reader.
 */
export class TaskStream {
  private readonly left = new AbortController();
  private readonly open: OpenStream;
  private readonly leave = (): void => this.left.abort();

  /** @throws NotaryError RATE_LIMITED where as many streams of the key as may run at once are open. */
  constructor(
    private readonly call: RpcCall,
    private readonly parts: StreamParts,
  ) {
    this.open = parts.gateway.openStream(call.admission, ACCESS);
    this.open.signal.addEventListener('abort', this.leave);
    parts.draining.addEventListener('abort', this.leave);
    if (parts.draining.aborted) this.leave();
  }

  /** Called again, it does nothing. */
  close(): void {
    this.parts.draining.removeEventListener('abort', this.leave);
    this.leave();
    this.open.close();
  }

  /**
   * @param seen the version of the record that the reader has been shown.
   * @param after the newest number of an event before that was read.
   * @param pauses whether it ends where input of the caller is awaited.
   * @throws NotaryError UNAUTHORIZED, FORBIDDEN where the credential ended; SERVICE_UNAVAILABLE where the service stops.
   */
  async *changes(
    recordId: Uuid,
    seen: number,
    after: number,
    pauses: boolean,
  ): AsyncGenerator<StreamEvent> {
    let shown: Shown = { version: seen, completionId: undefined };
    for await (const event of this.wakes(recordId, after)) {
      // Nothing of the record itself is held while the stream waits.
      const look = await this.look(recordId, event, shown, pauses);
      shown = look.shown;
      yield* look.events;
      if (look.isOver) return;
    }
    if (this.open.signal.aborted) throw this.open.signal.reason;
    if (this.parts.draining.aborted) throw stopping();
  }

  /** The record as it is, and what of it is new to the reader. */
  private async look(
    recordId: Uuid,
    event: number | null,
    before: Shown,
    pauses: boolean,
  ): Promise<Look> {
    const { call } = this;
    const looked = await this.parts.looks.of(call, recordId, event, async () => {
      const { shown: read } = await call.perform(getRecord, { recordId });
      return read.view as RecordView;
    });
    const record = looked.view;
    const { version, latestCompletionId: completionId } = record;
    const status = statusOf(record, call.caller);
    const over = isOver(record, status, pauses);
    const events: StreamEvent[] = [];
    if (version !== before.version) {
      if (before.completionId !== undefined && before.completionId !== completionId)
        events.push(looked.update);
      events.push({ statusUpdate: { ...placeOf(record), status }, isLast: over });
    }
    return { shown: { version, completionId }, events, isOver: over };
  }

  /** Null at the start, and then the number of the newest event whenever there is reason to look. */
  private async *wakes(recordId: Uuid, after: number): AsyncGenerator<number | null> {
    const { caller } = this.call;
    if (!caller) return;
    yield null;
    const range = { viewer: eventViewer(caller), filter: { recordId }, after };
    for await (const { events } of this.parts.feed.follow({ ...range, signal: this.left.signal }))
      yield events.at(-1)!.sequence;
  }
}

/** Returns the version of the record that a task shows. */
export const versionIn = ({ metadata }: JsonObject): number =>
  (metadata as { readonly recordVersion: number }).recordVersion;

/** A task that ended changes no more, unless somebody disputes it. */
const isOver = ({ status }: RecordView, { state }: JsonObject, pauses: boolean): boolean =>
  TERMINAL.has(status) || (pauses && state === wireState('INPUT_REQUIRED'));

const stopping = (): NotaryError =>
  new NotaryError('SERVICE_UNAVAILABLE', 'This node of the service stops.', {
    suggestion: 'Subscribe again: what happened meanwhile is in the task.',
  });
