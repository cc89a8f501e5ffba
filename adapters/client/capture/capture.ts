import type { NotaryClient } from '../notary-client.ts';
import { isUnavailable } from '../notary-problem.ts';
import type { NewRecord } from '../shapes.ts';
import { CaptureQueue, type RefusedRecord } from './capture-queue.ts';
import { recordOf, type CapturedRecord, type Contents, type EndedCall } from './captured-call.ts';
import { redactionOf, type Redact } from './redaction.ts';
import { represent } from './represent.ts';

export interface CaptureOptions {
  /** A record type that only notarizes, such as `captureManifest` describes. */
  readonly type: string;
  /** What was called; default the name of the function. */
  readonly name?: string;
  /** What is sealed in the clear beside its hash; default none. */
  readonly contents?: Contents;
  /** What enters neither the hash nor the contents: paths, or a function. */
  readonly redact?: readonly string[] | Redact;
  /**
   * While the service is away: `throw` a CaptureError, which holds what the function returned (the default); `queue` the
   * record in memory, and send it later; or whatever a function does with the record, which is plain JSON.
   */
  readonly onUnavailable?:
    'throw' | 'queue' | ((record: CapturedRecord, error: unknown) => unknown);
  /** How long a call waits for the service until that counts as away; default as long as any call of the client. */
  readonly timeoutMs?: number;
  /** How many records may wait; beyond that the next call throws. Default 1,000. */
  readonly queueLimit?: number;
  /** The longest wait between attempts to empty the queue; default 30 s. */
  readonly queueWaitMs?: number;
  /** Further members of the record, such as `platformRef` or `references`. */
  readonly record?: Omit<NewRecord, 'type' | 'criteria'>;
}

/** A call was made, and could not be notarized. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';

  /** @param call what the function returned or threw: it ran */
  constructor(
    readonly record: CapturedRecord,
    readonly call: Pick<EndedCall, 'outcome' | 'value'>,
    options: { readonly cause: unknown },
  ) {
    const why = options.cause instanceof Error ? options.cause.message : String(options.cause);
    super(
      `the call of ${String(record.body.criteria['call'])} ${call.outcome}, and was not notarized: ${why}`,
      options,
    );
  }
}

/** Wraps functions, and holds the records that wait. */
export interface Capture {
  <A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => Promise<Awaited<R>>;
  /** Those that are not notarized yet. */
  readonly pending: readonly CapturedRecord[];
  /** Those that waited, and were refused in the end; `flush` throws them. */
  readonly refused: readonly RefusedRecord[];
  /** Waits until all are notarized. */
  flush(signal?: AbortSignal): Promise<void>;
}

/**
 * Notarizes what a function was asked, and what it returned or threw: one record a call, before its caller hears of the
 * outcome. What cannot be notarized is thrown, queued or handed over, and never dropped.
 *
 * @example const search = capture(notary, { type: 'tool.call' })(searchTheWeb);
 */
export const capture = (
  client: Pick<NotaryClient, 'notarize'>,
  { type, record = {}, contents = 'none', onUnavailable = 'throw', ...options }: CaptureOptions,
): Capture => {
  const redact = redactionOf(options.redact ?? []);
  const notarize = ({ body, idempotencyKey }: CapturedRecord): Promise<unknown> =>
    client.notarize(body, { idempotencyKey, timeoutMs: options.timeoutMs });
  const queue = new CaptureQueue(
    notarize,
    options.queueLimit ?? 1_000,
    options.queueWaitMs ?? 30_000,
  );

  const keep = async (captured: CapturedRecord): Promise<unknown> => {
    // In their order: what comes later waits behind what waits already.
    if (queue.pending.length > 0) return queue.add(captured);
    try {
      return await notarize(captured);
    } catch (error) {
      if (!isUnavailable(error) || onUnavailable === 'throw') throw error;
      return onUnavailable === 'queue' ? queue.add(captured) : await onUnavailable(captured, error);
    }
  };

  const wrap = <A extends unknown[], R>(fn: (...args: A) => R) =>
    async function captured(this: unknown, ...args: A): Promise<Awaited<R>> {
      // Before the call: one that cannot be told of is not made.
      const input = await represent(args, 'input', redact);
      const begun = {
        name: options.name ?? (fn.name || 'anonymous'),
        input,
        startedAt: Date.now(),
      };
      const ended = await outcomeOf(() => fn.apply(this, args));
      const told = await recordOf(
        { ...begun, ...ended, endedAt: Date.now() },
        { ...record, type },
        contents,
        redact,
      );
      try {
        await keep(told);
      } catch (cause) {
        throw new CaptureError(told, ended, { cause });
      }
      if (ended.outcome === 'threw') throw ended.value;
      return ended.value as Awaited<R>;
    };
  return Object.defineProperties(wrap, {
    pending: { get: () => queue.pending },
    refused: { get: () => queue.refused },
    flush: { value: (signal?: AbortSignal) => queue.flush(signal) },
  }) as typeof wrap & Pick<Capture, 'pending' | 'refused' | 'flush'>;
};

const outcomeOf = async (run: () => unknown): Promise<Pick<EndedCall, 'outcome' | 'value'>> => {
  try {
    return { outcome: 'returned', value: await run() };
  } catch (value) {
    return { outcome: 'threw', value };
  }
};
