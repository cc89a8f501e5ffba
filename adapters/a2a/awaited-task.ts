import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { LaterAnswer } from './later-answer.ts';
import type { RpcCall } from './rpc-call.ts';
import { getTask } from './task-methods.ts';
import { TaskStream, versionIn, type StreamParts } from './task-stream.ts';

/**
 * The answer to SendMessage about a task that still runs. It is sent when the task ends or awaits input of the caller (A2A
 * 1.0 section 3.2.2), at the latest after `maxWaitMs`; then it shows the task as it is. It waits in a slot of the streams of
 * its key. If none is free, or the credential ends, it is sent at once.
 */
export class AwaitedTask extends LaterAnswer {
  private stream: TaskStream | null = null;

  /** @param form of the version that the caller uses. */
  constructor(
    private readonly call: RpcCall,
    private readonly task: JsonObject,
    private readonly form: (task: JsonObject) => JsonObject,
    private readonly parts: StreamParts,
    private readonly maxWaitMs: number,
  ) {
    super();
  }

  responseParts(id: JsonValue, isBare: boolean): AsyncIterableIterator<string> {
    const made = this.made(id, isBare);
    const iterator: AsyncIterableIterator<string> = {
      [Symbol.asyncIterator]: () => iterator,
      next: () => made.next(),
      return: () => {
        // A generator that waits would notice this only after its wait.
        this.stream?.close();
        return made.return(undefined);
      },
    };
    return iterator;
  }

  private async *made(id: JsonValue, isBare: boolean): AsyncGenerator<string> {
    const task = this.form(await this.settled());
    yield JSON.stringify({ jsonrpc: '2.0', id, result: isBare ? task : { task } });
  }

  private async settled(): Promise<JsonObject> {
    const { call, task, parts } = this;
    let timer: NodeJS.Timeout | undefined;
    try {
      const stream = (this.stream = new TaskStream(call, parts));
      timer = setTimeout(() => stream.close(), this.maxWaitMs);
      const after = await parts.feed.newest();
      let hasChanged = false;
      const changes = stream.changes(String(task['id']), versionIn(task), after, true);
      for await (const _ of changes) hasChanged = true;
      return hasChanged ? await this.taskNow() : task;
    } catch (error) {
      if (!(error instanceof NotaryError)) throw error;
      return task;
    } finally {
      clearTimeout(timer);
      this.stream?.close();
    }
  }

  /** Returns the task as it is now, with the result of the act, such as the completion that it submitted. */
  private async taskNow(): Promise<JsonObject> {
    const { call, task } = this;
    const now = await getTask(call, String(task['id']));
    const metadata = { ...(task['metadata'] as JsonObject), ...(now['metadata'] as JsonObject) };
    const result = artifactsOf(task).filter(({ artifactId }) => artifactId === 'result');
    return {
      ...now,
      artifacts: [...result, ...artifactsOf(now)],
      metadata: { ...metadata, version: metadata['recordVersion']! },
    };
  }
}

const artifactsOf = ({ artifacts }: JsonObject): readonly JsonObject[] =>
  (artifacts ?? []) as readonly JsonObject[];
