import { status, type ServerDuplexStream, type ServerWritableStream } from '@grpc/grpc-js';
import type { Admissions } from './admissions.ts';
import { trailersOf } from './trailers.ts';

type Stream = ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>;

/**
 * Runs a stream as a part of its call, and ends it: with its trailers, or with its refusal. What comes later as an event of
 * the connection is no part of the call by itself.
 */
export const runStream = (
  stream: Stream,
  { call, end }: Pick<ReturnType<Admissions['of']>, 'call' | 'end'>,
  work: () => Promise<void>,
): void =>
  void end.during(work).then(
    () => {
      end.tell(stream.cancelled ? status.CANCELLED : status.OK);
      stream.end(trailersOf(call, false));
    },
    (cause: unknown) => stream.emit('error', end.refused(cause)),
  );
