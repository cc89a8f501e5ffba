import { constants, type ServerHttp2Stream } from 'node:http2';
import {
  Metadata,
  ServerInterceptingCall,
  status,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Admissions } from './admissions.ts';
import type { CallEnd, Refused } from './call-end.ts';

/** Health and reflection take small messages of anybody: so much one of their streams may bring in its life. */
const MAX_STANDARD_BYTES = 64 * 1024;
/** Streams of health and reflection that one address may have open. */
const MAX_STANDARD_STREAMS = 100;

/** What grpc-js shows to nobody. Without it a call could neither be seen nor be cut off before its message is there. */
interface Inner {
  readonly stream: ServerHttp2Stream;
  /** `grpc-encoding` of the request. */
  readonly incomingEncoding: string;
}

interface GuardParts {
  readonly admissions: Admissions;
  /** How long a message may take to arrive, and an answer to be taken, ms. */
  readonly stallMs: number;
}

/** Stands before every call: who may come in, how long its message may take, and how long its answer may wait. */
export class CallGuard {
  /** Ends what waits: calls whose message is not there yet, and streams of health and reflection. */
  private readonly waiting = new Set<() => void>();
  private readonly ended = new EndedStreams();
  private readonly standardStreams = new Map<string, number>();

  constructor(private readonly parts: GuardParts) {
    this.ended.stallMs = parts.stallMs;
  }

  readonly interceptor: ServerInterceptor = ({ path, requestStream, responseStream }, call) => {
    const { admissions, stallMs } = this.parts;
    const { stream, incomingEncoding } = call as unknown as Inner;
    ownStatusesAsOurs(call);
    const isStandard = admissions.isStandard(path);
    let timer: NodeJS.Timeout | undefined;
    let admitted: CallEnd | null = null;
    /** The same while its message is not there. */
    let expected: CallEnd | null = null;
    let waitsNoLonger: (() => void) | null = null;
    let goOn: () => Refused | null = () => null;
    const arrived = (): void => clearTimeout(timer);
    const begun = (): void => {
      arrived();
      expected = null;
      waitsNoLonger?.();
      waitsNoLonger = null;
      this.waiting.delete(stop);
    };
    /** Whoever leaves before the message is there leaves the load gate too: nothing else ends the call. */
    const left = (): void => {
      const end = expected;
      begun();
      end?.tell(status.CANCELLED);
    };
    const refuse = (refused: Refused): void => {
      begun();
      const close = closing(stream);
      call.sendStatus(refused);
      close();
      this.ended.add(stream);
    };
    const stop = (): void => refuse(STOPPING);
    const letIn = (metadata: Metadata): Refused | null => {
      const admission = admissions.of({ metadata });
      const { call: described, end } = admission;
      if (!isStandard) admitted = end;
      if (isStandard) {
        if (responseStream && !this.takeStandard(described.address, stream)) return TOO_MANY;
        countBytes(stream, () => refuse(TOO_LONG));
      }
      if (!requestStream) {
        timer = setTimeout(() => refuse(end.refused(neverArrived(stallMs))), stallMs).unref();
        if (isStandard) return null;
        expected = end;
        try {
          waitsNoLonger = admissions.awaitMessage(admission);
        } catch (cause) {
          return end.refused(cause);
        }
        goOn = () => admissions.goOn(admission);
      } else if (!isStandard) begun();
      return null;
    };
    this.waiting.add(stop);
    stream.once('close', left);
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, pass) => {
            // A small message may be a large one, packed: nobody unpacks what was not let in.
            if (incomingEncoding !== 'identity') return refuse(COMPRESSED);
            const incoming = { metadata, getPeer: () => call.getPeer() };
            void admissions.admit(path, incoming).then((refused) => {
              if (stream.closed || stream.destroyed) {
                if (!refused && !isStandard) admissions.of({ metadata }).end.tell(status.CANCELLED);
                return;
              }
              const refusal = refused ?? letIn(metadata);
              if (refusal) refuse(refusal);
              else pass(metadata);
            });
          },
          onReceiveHalfClose: (pass) => {
            if (isStandard) arrived();
            else begun();
            const refused = goOn();
            if (refused) refuse(refused);
            else pass();
          },
        }),
      sendMessage: (message, next) => {
        next(message);
        // The one answer, behind which the status waits until it is taken.
        if (!responseStream) this.ended.add(stream);
      },
      sendStatus: (said, next) => {
        begun();
        // By grpc-js itself, such as to a call without a message: nobody else ends it.
        if (admitted?.isTold === false) admitted.tell(said.code);
        const close = closing(stream);
        next(said);
        close();
        this.ended.add(stream);
      },
    });
  };

  /** The server stops: what has not begun never will. */
  stop(): void {
    for (const end of [...this.waiting]) end();
  }

  private takeStandard(address: string, stream: ServerHttp2Stream): boolean {
    const open = this.standardStreams.get(address) ?? 0;
    if (open >= MAX_STANDARD_STREAMS) return false;
    this.standardStreams.set(address, open + 1);
    stream.once('close', () => {
      const left = (this.standardStreams.get(address) ?? 1) - 1;
      if (left > 0) this.standardStreams.set(address, left);
      else this.standardStreams.delete(address);
    });
    return true;
  }
}

/** A deadline of another form than the protocol has is the caller's fault; grpc-js calls it its own. */
const ownStatusesAsOurs = (call: ServerInterceptingCallInterface): void => {
  const send = call.sendStatus.bind(call);
  call.sendStatus = (said) =>
    send(
      said.code === status.INTERNAL && said.details?.startsWith('Invalid grpc-timeout')
        ? { ...said, code: status.INVALID_ARGUMENT }
        : said,
    );
};

/**
 * Whoever was answered is not heard any longer (RFC 9113 section 8.1): the status goes out, and then the stream is closed,
 * although the client has not ended its half.
 *
 * @returns what is called once the status was given.
 */
const closing = (stream: ServerHttp2Stream): (() => void) => {
  const isFirst = !stream.headersSent;
  const close = (): void => {
    if (!stream.destroyed && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  };
  return () => {
    if (stream.readableEnded) return;
    if (isFirst) setImmediate(close);
    // The trailers are sent in this event, by whoever listened first.
    else stream.once('wantTrailers', () => setImmediate(close));
  };
};

const countBytes = (stream: ServerHttp2Stream, tooLong: () => void): void => {
  let seen = 0;
  // Beside the listener of grpc-js, which alone decides when the stream is read.
  stream.on('data', ({ length }: Buffer) => {
    if (seen <= MAX_STANDARD_BYTES && (seen += length) > MAX_STANDARD_BYTES) tooLong();
  });
};

/** Streams that were answered and are not closed: the reader takes nothing of what they hold, or never ends its own half. */
class EndedStreams {
  stallMs = 0;
  /** What each held at the last look; null of one that was not looked at. */
  private readonly left = new Map<ServerHttp2Stream, number | null>();
  private timer: NodeJS.Timeout | null = null;

  add(stream: ServerHttp2Stream): void {
    if (stream.destroyed || this.left.has(stream)) return;
    this.left.set(stream, null);
    stream.once('close', () => this.left.delete(stream));
    this.timer ??= setInterval(() => this.look(), this.stallMs).unref();
  }

  private look(): void {
    if (this.left.size === 0 && this.timer) {
      clearInterval(this.timer);
      this.timer = null;
    }
    for (const [stream, before] of this.left) {
      const now = stream.writableLength + stream.bufferSize;
      if (before !== null && now >= before) stream.close(constants.NGHTTP2_CANCEL);
      else this.left.set(stream, now);
    }
  }
}

const plain = (code: status, details: string): Refused => ({
  code,
  details,
  metadata: new Metadata(),
});

const COMPRESSED = plain(
  status.UNIMPLEMENTED,
  'Messages are taken as they are: send them without grpc-encoding.',
);
const TOO_LONG = plain(
  status.RESOURCE_EXHAUSTED,
  `A call of health or reflection brings at most ${MAX_STANDARD_BYTES} bytes.`,
);
const TOO_MANY = plain(
  status.RESOURCE_EXHAUSTED,
  `This address has ${MAX_STANDARD_STREAMS} streams of health and reflection open, as many as run at once.`,
);
const STOPPING = plain(
  status.UNAVAILABLE,
  'This node of the service stops. Nothing of the call was begun: send it again.',
);

const neverArrived = (milliseconds: number): NotaryError =>
  new NotaryError(
    'REQUEST_TIMEOUT',
    `The message did not arrive within ${milliseconds} ms. Nothing was done.`,
    { suggestion: 'Send the whole message, and end the request.' },
  );
