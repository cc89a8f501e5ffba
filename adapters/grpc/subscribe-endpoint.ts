import { Metadata, status, type ServerWritableStream } from '@grpc/grpc-js';
import type { Admission } from '../../application/call/call.port.ts';
import type { BoundOperation } from '../../application/call/call-gateway.ts';
import { EventSchema } from '../../application/event/event-view.ts';
import { followEvents } from '../../application/event/follow-operation.ts';
import { bytesOf, viewEncoder, type Encode, type Shows } from './codec/view-encoder.ts';
import { EventService } from './generated/notary/v1/event_service_pb.ts';
import { GrpcAsked, type InputMessage } from './grpc-asked.ts';
import { bind, viewMessage } from './method.ts';
import { PacedWriter } from './paced-writer.ts';
import { ServiceStops } from './service-stops.ts';
import { trailersOf } from './trailers.ts';
import { bindMethod, inputMessage, type EndpointParts } from './unary-endpoint.ts';

const { subscribe: method } = EventService.method;
export const SUBSCRIBE = bind(followEvents, method, { answer: 'event' });

type Stream = ServerWritableStream<Buffer, Buffer>;

/** Events as they come, one a message. A reader that is slow holds one page of them. */
export class SubscribeEndpoint {
  private readonly bound: BoundOperation;
  private readonly form: InputMessage = inputMessage(SUBSCRIBE);
  private readonly encode: Encode;

  constructor(
    private readonly parts: EndpointParts,
    shows: Shows,
  ) {
    this.bound = bindMethod(parts.gateway, SUBSCRIBE);
    parts.admissions.add(method, this.bound.access, followEvents.budget);
    this.encode = viewEncoder(EventSchema, viewMessage(SUBSCRIBE), shows);
  }

  readonly handle = (stream: Stream): void => {
    const { call, admission, end } = this.parts.admissions.of(stream);
    void end
      .during(() => this.send(stream, admission))
      .then(
        () => {
          end.tell(stream.cancelled ? status.CANCELLED : status.OK);
          stream.end(trailersOf(call, false));
        },
        (cause: unknown) => stream.emit('error', end.refused(cause)),
      );
  };

  private async send(stream: Stream, admission: Admission): Promise<void> {
    const { gateway, stallMs, stopping } = this.parts;
    await gateway.chargeArrived(admission, stream.request.length);
    const over = new AbortController();
    const stop = (): void => over.abort();
    stream.once('cancelled', stop);
    stopping.addEventListener('abort', stop, { once: true });
    if (stopping.aborted || stream.cancelled) stop();
    const asked = new GrpcAsked(
      stream,
      this.form,
      stream.request,
      admission,
      this.parts,
      over.signal,
    );
    try {
      const outcome = await gateway.perform(admission, this.bound, asked);
      try {
        stream.sendMetadata(new Metadata());
        const writer = new PacedWriter(stream, stallMs, over.signal);
        for await (const events of outcome.shown.view as AsyncIterable<readonly unknown[]>)
          for (const event of events) {
            if (writer.isOver) break;
            await writer.write(this.bytesOf(event));
          }
        if (stopping.aborted) throw new ServiceStops('Subscribe again, after the last event.');
      } finally {
        outcome.end?.();
      }
    } finally {
      stop();
      stopping.removeEventListener('abort', stop);
    }
  }

  private bytesOf(event: unknown): Buffer {
    const message = { $typeName: method.output.typeName, event: this.encode(event) };
    return bytesOf(method.output, message);
  }
}
