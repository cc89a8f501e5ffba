import {
  createRegistry,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type Message,
} from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import {
  Client,
  credentials,
  Metadata,
  type ChannelCredentials,
  type ServiceError,
} from '@grpc/grpc-js';
import { file_google_rpc_error_details } from '../../../adapters/grpc/generated/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../../../adapters/grpc/generated/google/rpc/status_pb.ts';

/** An answer, or a refusal as a client reads it. */
export interface Answered {
  readonly code: number;
  readonly message: Message | null;
  readonly trailers: Metadata;
  readonly detail: string;
  /** The details of google.rpc.Status, by the short names of their types. */
  readonly details: { readonly [type: string]: any };
}

export const metadataOf = (headers: { readonly [name: string]: string | undefined }): Metadata => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) metadata.set(name, value);
  return metadata;
};

/** A client of bytes, so that a test can send what no generated client would. */
export class GrpcClient {
  readonly channel: Client;

  constructor(
    address: string,
    creds: ChannelCredentials = credentials.createInsecure(),
    options = {},
  ) {
    this.channel = new Client(address, creds, options);
  }

  close(): void {
    this.channel.close();
  }

  call(
    method: DescMethod,
    message: object,
    headers: { readonly [name: string]: string | undefined } = {},
    options: { deadline?: number } = {},
  ): Promise<Answered> {
    const bytes = Buffer.from(
      toBinary(method.input, { $typeName: method.input.typeName, ...message }),
    );
    return this.callBytes(pathOf(method), bytes, headers, method.output, options);
  }

  callBytes(
    path: string,
    bytes: Buffer,
    headers: { readonly [name: string]: string | undefined } = {},
    output?: DescMessage,
    options: { deadline?: number } = {},
  ): Promise<Answered> {
    return new Promise((resolve) => {
      let answered: { error: ServiceError | null; value?: Buffer } | null = null;
      let trailers: Metadata | null = null;
      const settle = (): void => {
        if (!answered || !trailers) return;
        resolve(answeredBy(answered.error, answered.value, trailers, output));
      };
      const call = this.channel.makeUnaryRequest(
        path,
        (value: Buffer) => value,
        (value: Buffer) => value,
        bytes,
        metadataOf(headers),
        options.deadline === undefined ? {} : { deadline: Date.now() + options.deadline },
        (error, value) => {
          answered = { error, ...(value ? { value } : {}) };
          settle();
        },
      );
      call.on('status', ({ metadata }) => {
        trailers = metadata;
        settle();
      });
    });
  }
}

export const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;

const registry = createRegistry(file_google_rpc_error_details);

export const richDetails = (trailers: Metadata): { readonly [type: string]: any } => {
  const [rich] = trailers.get('grpc-status-details-bin') as Buffer[];
  if (!rich) return {};
  return Object.fromEntries(
    fromBinary(StatusSchema, rich).details.map((any) => {
      const message = anyUnpack(any, registry)!;
      return [message.$typeName.replace('google.rpc.', ''), message];
    }),
  );
};

const answeredBy = (
  error: ServiceError | null,
  value: Buffer | undefined,
  trailers: Metadata,
  output?: DescMessage,
): Answered => ({
  code: error?.code ?? 0,
  detail: error?.details ?? '',
  message: value && output ? fromBinary(output, value) : null,
  trailers,
  details: richDetails(trailers),
});
