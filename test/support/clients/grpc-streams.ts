import { fromBinary, toBinary, type DescMethod, type MessageShape } from '@bufbuild/protobuf';
import type { ClientDuplexStream, ClientReadableStream, StatusObject } from '@grpc/grpc-js';
import { RecordService } from '../../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { metadataOf, pathOf, type GrpcClient } from './grpc-client.ts';

type Headers = { readonly [name: string]: string | undefined };
const asIs = (bytes: Buffer): Buffer => bytes;

export type Receipt = MessageShape<typeof RecordService.method.notarizeStream.output>;

/** One statement a message, as bytes. */
export const statementBytes = (
  messageId: string,
  record: { readonly type?: string; readonly criteria?: unknown; readonly [name: string]: unknown },
  idempotencyKey?: string,
): Buffer => {
  const { type = 'note', criteria = {}, ...rest } = record;
  const { input } = RecordService.method.notarizeStream;
  return Buffer.from(
    toBinary(input, {
      $typeName: input.typeName,
      messageId,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      record: {
        $typeName: 'notary.v1.CreateRequest',
        type,
        criteria: Buffer.from(JSON.stringify(criteria)),
        references: [],
        ...rest,
      },
    } as never),
  );
};

/** The client's end of a stream of statements. */
export class NotarizeStream {
  readonly call: ClientDuplexStream<Buffer, Buffer>;
  readonly receipts: Receipt[] = [];
  readonly status: Promise<StatusObject>;

  constructor(client: GrpcClient, headers: Headers) {
    const path = pathOf(RecordService.method.notarizeStream);
    this.call = client.channel.makeBidiStreamRequest(path, asIs, asIs, metadataOf(headers));
    this.call.on('error', () => undefined);
    this.status = new Promise((resolve) => this.call.on('status', resolve));
  }

  /** Reads whatever comes. */
  read(): this {
    this.call.on('data', (bytes: Buffer) =>
      this.receipts.push(fromBinary(RecordService.method.notarizeStream.output, bytes)),
    );
    return this;
  }

  write(bytes: Buffer): boolean {
    return this.call.write(bytes);
  }

  end(): Promise<StatusObject> {
    this.call.end();
    return this.status;
  }
}

/** The client's end of a stream of answers to one message. */
export const openServerStream = (
  client: GrpcClient,
  method: DescMethod,
  message: object,
  headers: Headers,
): { readonly call: ClientReadableStream<Buffer>; readonly status: Promise<StatusObject> } => {
  const bytes = Buffer.from(
    toBinary(method.input, { $typeName: method.input.typeName, ...message }),
  );
  const call = client.channel.makeServerStreamRequest(
    pathOf(method),
    asIs,
    asIs,
    bytes,
    metadataOf(headers),
  );
  call.on('error', () => undefined);
  return { call, status: new Promise((resolve) => call.on('status', resolve)) };
};
