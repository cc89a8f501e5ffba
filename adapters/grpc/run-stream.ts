import { status, type ServerDuplexStream, type ServerWritableStream } from '@grpc/grpc-js';
import type { Admissions } from './admissions.ts';
import { trailersOf } from './trailers.ts';

type Stream = ServerWritableStream<Buffer, Buffer> | ServerDuplexStream<Buffer, Buffer>;

/** Runs a stream, and ends it: with its trailers, or with its refusal. */
export const runStream = (
  stream: Stream,
  { call, end }: Pick<ReturnType<Admissions['of']>, 'call' | 'end'>,
  work: () => Promise<void>,
): void =>
  void work().then(
    () => {
      end.tell(stream.cancelled ? status.CANCELLED : status.OK);
      stream.end(trailersOf(call, false));
    },
    (cause: unknown) => stream.emit('error', end.refused(cause)),
  );
