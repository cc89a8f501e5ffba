import type { ServiceDefinition } from '@grpc/grpc-js';
import type { DescService } from '@bufbuild/protobuf';

const asIs = (bytes: Buffer): Buffer => bytes;

/**
 * A service as grpc-js knows it, with messages as bytes: what cannot be read is refused by whoever reads it, for grpc-js
 * would call it an internal error.
 */
export const definitionOf = ({ typeName, methods }: DescService): ServiceDefinition =>
  Object.fromEntries(
    methods.map(({ localName, name, methodKind }) => [
      localName,
      {
        path: `/${typeName}/${name}`,
        originalName: localName,
        requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
        responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
        requestSerialize: asIs,
        requestDeserialize: asIs,
        responseSerialize: asIs,
        responseDeserialize: asIs,
      },
    ]),
  );
