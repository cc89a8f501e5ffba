import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { CredentialAccess } from '../../application/call/access.ts';
import type { Admission, Asked } from '../../application/call/call.port.ts';
import type { BoundOperation } from '../../application/call/call-gateway.ts';
import { credentialOwner } from '../../application/call/credential-owner.ts';
import { KeptRefusal } from '../../application/call/kept-outcome.ts';
import type { Leave, LoadGate } from '../../application/call/load-gate.ts';
import type { LoadLine } from '../../application/call/load-line.ts';
import type { OpenStream } from '../../application/call/open-stream.ts';
import { overloaded } from '../../application/call/overloaded.ts';
import type { Proofs } from '../../application/call/proofs.ts';
import { createRecord } from '../../application/record/operations.ts';
import { faultOf } from '../http/problem.ts';
import { idempotencyKeyOf } from '../http/idempotency-key.ts';
import { bytesOf } from './codec/view-encoder.ts';
import { saysWhereToCoSign } from './co-signed-elsewhere.ts';
import {
  RecordService,
  type NotarizeStreamRequest,
} from './generated/notary/v1/record_service_pb.ts';
import { jsonIn, proofsBeside, type InputMessage } from './grpc-asked.ts';
import { bind, nameOf } from './method.ts';
import { Batch } from './message-batch.ts';
import { PacedWriter } from './paced-writer.ts';
import { readMessage } from './read-message.ts';
import { runStream } from './run-stream.ts';
import { StreamTurns } from './stream-turns.ts';
import { ServiceStops } from './service-stops.ts';
import { problemMessage } from './shows.ts';
import { UnderWay } from './under-way.ts';
import { bindMethod, inputMessage, type EndpointParts } from './unary-endpoint.ts';

const { notarizeStream: method, create } = RecordService.method;
const CREATE = bind(createRecord, create, { answer: 'record' });

type Stream = ServerDuplexStream<Buffer, Buffer>;

export interface NotarizeParts extends EndpointParts {
  readonly load: Pick<LoadGate, 'retryAfterSeconds'>;
  readonly line: LoadLine;
}

/** Statements in, a receipt for each out, in the same order: one operation a message, all on one admission. */
export class NotarizeEndpoint {
  private readonly bound: BoundOperation;
  private readonly form: InputMessage = inputMessage(CREATE);

  constructor(private readonly parts: NotarizeParts) {
    this.bound = bindMethod(parts.gateway, CREATE);
    // Each message counts as a creation; the stream itself as one call more.
    parts.admissions.add(method, this.bound.access, 'default');
  }

  readonly handle = (stream: Stream): void => {
    const admitted = this.parts.admissions.of(stream);
    runStream(stream, admitted, () => this.run(stream, admitted.admission));
  };

  private async run(stream: Stream, admission: Admission): Promise<void> {
    const { gateway } = this.parts;
    const access = this.bound.access as CredentialAccess;
    const proofs = proofsBeside(stream, EMPTY);
    const open = gateway.openStream(admission, access);
    try {
      const isWhole = await this.answerAll(stream, admission, proofs, open);
      if (open.signal.aborted) throw open.signal.reason;
      if (!isWhole && !stream.cancelled)
        throw new ServiceStops(
          'Open a stream again, and send what has no receipt, under the same idempotency keys.',
        );
    } finally {
      open.close();
    }
  }

  /**
   * Two loops: one begins messages as long as there is room, the other writes their answers in order.
   *
   * @returns whether the client ended the stream, and each of its messages was answered.
   */
  private async answerAll(
    stream: Stream,
    admission: Admission,
    proofs: Proofs | null,
    { signal }: OpenStream,
  ): Promise<boolean> {
    const underWay = new UnderWay();
    const writer = new PacedWriter(stream, this.parts.stallMs, signal);
    const turns = new StreamTurns(this.parts.line, keyOf(admission));
    const stop = (): void => {
      underWay.finish();
      turns.end();
    };
    stream.once('cancelled', stop);
    signal.addEventListener('abort', stop, { once: true });
    this.parts.stopping.addEventListener('abort', stop, { once: true });
    this.beginAll(stream, underWay, turns, admission, proofs);
    try {
      for (;;) {
        const next = await underWay.next();
        if (!next) return underWay.isWhole;
        const answer = await next.answer;
        underWay.done(next);
        if (!answer) return false;
        await writer.write(answer);
      }
    } finally {
      stop();
      this.parts.stopping.removeEventListener('abort', stop);
    }
  }

  private beginAll(
    stream: Stream,
    underWay: UnderWay,
    turns: StreamTurns,
    admission: Admission,
    proofs: Proofs | null,
  ): void {
    const batch = new Batch<Leave, Buffer | null>(
      () => turns.take(),
      (bytes, leave) => {
        if (!leave) return Promise.resolve(turns.hasCut ? null : this.shed(bytes, admission));
        return this.answer(bytes, admission, proofs).finally(leave);
      },
    );
    underWay.onRoom = () => stream.resume();
    stream.on('data', (bytes: Buffer) => {
      if (underWay.isFinished) return;
      underWay.add({ bytes: bytes.length, answer: batch.add(bytes) });
      if (!underWay.hasRoom) stream.pause();
    });
    // Where it broke, what was begun is answered as far as anybody listens.
    stream.once('end', () => underWay.end());
    for (const event of ['error', 'close']) stream.once(event, () => underWay.finish());
  }

  /** Never rejects: a message that is refused harms no other. */
  private async answer(
    bytes: Buffer,
    admission: Admission,
    proofs: Proofs | null,
  ): Promise<Buffer> {
    const { requestId } = admission.call;
    let messageId = '';
    try {
      // An admission of its own, for a message of its own size.
      const own: Admission = { call: admission.call, caller: admission.caller };
      let message: NotarizeStreamRequest;
      try {
        message = readMessage(method.input, bytes, this.parts.maxFields);
        ({ messageId } = message);
      } finally {
        // One that cannot be read counts as well.
        await this.charge(own, bytes.length);
      }
      return await this.receipt(message, bytes, own, proofs);
    } catch (cause) {
      const error = faultOf(saysWhereToCoSign(cause), requestId);
      if (error.entry.kind === 'internal')
        this.parts.log.error(
          { requestId, route: nameOf(method), err: error.cause ?? error },
          'request failed',
        );
      const isReplay = cause instanceof KeptRefusal;
      const problem = problemMessage(error, isReplay ? cause.requestId : requestId);
      return refusalBytes(messageId, isReplay, problem);
    }
  }

  /** No place was free in time: nothing was begun for the message, and it counts against no limit. */
  private shed(bytes: Buffer, { call: { requestId } }: Admission): Buffer {
    let messageId = '';
    try {
      ({ messageId } = readMessage(method.input, bytes, this.parts.maxFields));
    } catch {
      // What cannot be read has no id, and is refused like the others.
    }
    const error = overloaded(this.parts.load.retryAfterSeconds);
    return refusalBytes(messageId, false, problemMessage(error, requestId));
  }

  private async charge(admission: Admission, bytes: number): Promise<void> {
    const { gateway } = this.parts;
    await gateway.chargeNext(admission, this.bound.operation);
    await gateway.chargeArrived(admission, bytes);
  }

  private async receipt(
    { messageId, record, idempotencyKey }: NotarizeStreamRequest,
    bytes: Buffer,
    admission: Admission,
    proofs: Proofs | null,
  ): Promise<Buffer> {
    const { gateway, json } = this.parts;
    const asked: Asked = {
      known: () => ({}),
      proofs: () => proofs && { ...proofs, bytes },
      key: () => idempotencyKeyOf(idempotencyKey),
      expectedVersions: () => undefined,
      input: () => {
        const input = this.form.decode(record ?? NO_RECORD, jsonIn(admission, json));
        return input instanceof Promise ? input.then((members) => [members]) : [input];
      },
    };
    const { shown, isReplay } = await gateway.perform(admission, this.bound, asked);
    return answerBytes(messageId, isReplay, {
      case: 'receipt',
      value: receiptOf(shown.view as Sealed),
    });
  }
}

const keyOf = ({ caller, call }: Admission): string =>
  caller ? (caller.apiKeyId ?? credentialOwner(caller)) : call.address;

const EMPTY = new Uint8Array(0);
const NO_RECORD = {
  $typeName: create.input.typeName,
  type: '',
  criteria: EMPTY,
  references: [],
} as never;

interface Sealed {
  readonly id: string;
  readonly status: string;
  readonly signedStatement: { readonly position: number; readonly coseSign1: string } & object;
}

const receiptOf = ({ id, status: state, signedStatement }: Sealed): object => ({
  $typeName: 'notary.v1.Receipt',
  recordId: id,
  status: state,
  signedStatement: {
    $typeName: 'notary.v1.SignedStatement',
    ...signedStatement,
    position: BigInt(signedStatement.position),
    coseSign1: Buffer.from(signedStatement.coseSign1, 'base64'),
  },
});

const refusalBytes = (messageId: string, isReplay: boolean, problem: object): Buffer =>
  answerBytes(messageId, isReplay, {
    case: 'error',
    value: { $typeName: 'notary.v1.Problem', ...problem },
  });

const answerBytes = (messageId: string, isReplay: boolean, outcome: object): Buffer =>
  bytesOf(method.output, {
    $typeName: method.output.typeName,
    messageId,
    isReplay,
    outcome,
  } as never);
