import { setImmediate } from 'node:timers/promises';
import type { JsonReader } from '../../application/call/json-reader.port.ts';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { StrictJsonLimits } from '../../domain/kernel/strict-json.ts';
import { InlineJsonReader } from './inline-json-reader.ts';
import { valueOf } from './json-task.ts';
import { ReadGivenUp, type JsonThread } from './json-thread.ts';

/** Reads short texts at once and long ones in a thread, where their canonical forms are made as well. */
export class ThreadedJsonReader implements JsonReader {
  private readonly inline: InlineJsonReader;

  constructor(
    private readonly thread: JsonThread,
    private readonly limits: StrictJsonLimits,
    private readonly maxInlineBytes = MAX_INLINE_BYTES,
  ) {
    this.inline = new InlineJsonReader(limits);
  }

  read(bytes: Uint8Array, sender: string): JsonValue | Promise<JsonValue> {
    return bytes.length <= this.maxInlineBytes
      ? this.inline.read(bytes)
      : this.readElsewhere(bytes, sender);
  }

  private async readElsewhere(bytes: Uint8Array, sender: string): Promise<JsonValue> {
    try {
      // A copy, because the memory around the bytes would be copied with them.
      const task = { bytes: bytes.slice(), limits: this.limits };
      const value = valueOf(await this.thread.run(sender, task));
      // To make the value of its text takes long enough for one turn.
      await setImmediate();
      return value;
    } catch (error) {
      throw error instanceof ReadGivenUp ? unavailable(error) : error;
    }
  }
}

/** The worst text of this length takes about 10 ms. */
const MAX_INLINE_BYTES = 64 * 1024;

const unavailable = (cause: ReadGivenUp): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    cause.reason === 'queue-full' || cause.reason === 'stopped'
      ? 'Too many large bodies wait to be read; nothing was stored.'
      : 'The body could not be read within seconds; nothing was stored.',
    {
      suggestion: 'Try again after Retry-After seconds, with fewer large bodies at once.',
      retryAfter: 2,
    },
    { cause },
  );
