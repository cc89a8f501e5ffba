import { status, type Metadata, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import type { BoundOperation, CallGateway } from '../../application/call/call-gateway.ts';
import type { CallOutcome } from '../../application/call/idempotent-calls.ts';
import { inputOf } from '../../application/call/input-form.ts';
import type { Log } from '../../application/ports/log.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { withDeadline } from '../http/deadline.ts';
import { inputDecoder } from './codec/input-decoder.ts';
import { bytesOf, viewEncoder, type Encode, type Shows } from './codec/view-encoder.ts';
import type { Admissions, Admitted } from './admissions.ts';
import type { Refused } from './call-end.ts';
import { GrpcAsked, type AskedParts, type InputMessage } from './grpc-asked.ts';
import { viewMessage, type GrpcMethod } from './method.ts';
import { trailersOf } from './trailers.ts';

export interface EndpointParts extends AskedParts {
  readonly gateway: CallGateway;
  readonly admissions: Admissions;
  readonly log: Log;
  /** A call that takes longer is refused. 0 means no limit. */
  readonly handlerTimeoutMs: number;
  /** How long the reader of a stream may take nothing. */
  readonly stallMs: number;
  /** Aborts where the server stops: streams take nothing new, and end. */
  readonly stopping: AbortSignal;
}

interface Answer {
  readonly bytes: Buffer;
  readonly trailers: Metadata;
}

type Call = ServerUnaryCall<Buffer, Buffer>;

/** One operation as a method with one answer: reads the message, performs the operation, answers with its view. */
export class UnaryEndpoint {
  private readonly bound: BoundOperation;
  private readonly form: InputMessage;
  private readonly encode: Encode;

  constructor(
    private readonly method: GrpcMethod,
    private readonly parts: EndpointParts,
    shows: Shows,
  ) {
    const { operation } = method;
    this.form = inputMessage(method);
    this.bound = bindMethod(parts.gateway, method);
    parts.admissions.add(method.method, this.bound.access, this.bound.budget);
    this.encode = viewEncoder(operation.output as never, viewMessage(method), shows);
  }

  readonly handle = (incoming: Call, callback: sendUnaryData<Buffer>): void => {
    const admitted = this.parts.admissions.of(incoming);
    const { end } = admitted;
    const work = this.answer(incoming, admitted).catch((cause: unknown) => end.refused(cause));
    void withDeadline<Answer | Refused>(
      work,
      this.parts.handlerTimeoutMs,
      () => end.startedAt,
      () => end.refused(late(this.parts.handlerTimeoutMs)),
    ).then((answer) => {
      if ('bytes' in answer) callback(null, answer.bytes, answer.trailers);
      else callback(answer);
    });
  };

  private async answer(incoming: Call, { call, admission, end }: Admitted): Promise<Answer> {
    const { gateway } = this.parts;
    await gateway.chargeArrived(admission, incoming.request.length);
    // Nobody waits any more: nothing has begun, and nothing will.
    if (incoming.cancelled) throw cancelled();
    const asked = new GrpcAsked(incoming, this.form, incoming.request, admission, this.parts);
    const outcome = await gateway.perform(admission, this.bound, asked);
    const bytes = this.encoded(outcome);
    await gateway.meterAnswer(admission)(bytes.length);
    const answer = { bytes, trailers: trailersOf(call, outcome.isReplay, outcome.shown) };
    outcome.end?.();
    end.tell(status.OK);
    return answer;
  }

  private encoded({ shown }: CallOutcome): Buffer {
    const { method, answer } = this.method;
    const view = this.encode(shown.view);
    const message =
      answer === null
        ? view
        : { $typeName: method.output.typeName, [method.output.fields[0]!.localName]: view };
    return bytesOf(method.output, message);
  }
}

export const inputMessage = ({ operation, method, fixed, items }: GrpcMethod): InputMessage => ({
  message: method.input,
  decode: inputDecoder(inputOf(operation, fixed as never), method.input, items),
  fixed,
});

/** The message is the one part of the input. */
export const bindMethod = (
  gateway: CallGateway,
  { operation, fixed }: GrpcMethod,
): BoundOperation =>
  gateway.bind({
    operation,
    fixed,
    parts: [
      {
        noun: 'The message',
        memberNoun: 'field',
        schema: inputOf(operation, fixed as never),
        hasHelp: true,
        example: Object.values(operation.examples)[0],
      },
    ],
  });

const late = (milliseconds: number): NotaryError =>
  new NotaryError(
    'SERVICE_UNAVAILABLE',
    `No answer within ${milliseconds} ms. Whether the call took effect is not known: read the resource, or repeat the call with its idempotency-key.`,
  );

const cancelled = (): NotaryError =>
  new NotaryError(
    'REQUEST_TIMEOUT',
    'The caller left, or its deadline passed, before the call began. Nothing was done.',
  );
