import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type Settings,
} from 'node:http2';
import { sleep } from '../service/world.ts';

/** Connects to a server of gRPC below any client of it. */
export const framesTo = async (
  address: string,
  settings: Settings = {},
): Promise<ClientHttp2Session> => {
  const session = connect(`http://${address}`, { settings });
  session.on('error', () => undefined);
  await new Promise((resolve) => session.once('connect', resolve));
  return session;
};

/** The head of a call; what follows is up to the test. */
export const beginCall = (
  session: ClientHttp2Session,
  path: string,
  headers: { readonly [name: string]: string } = {},
): ClientHttp2Stream => {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  stream.on('error', () => undefined);
  return stream;
};

/** A message as it stands in the body. */
export const framed = (bytes: Uint8Array, isPacked = false): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = isPacked ? 1 : 0;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};

export interface Heard {
  /** -1 where none came. */
  readonly code: number;
  readonly message: string;
}

/** The status that comes within so many ms. */
export const heardOf = async (stream: ClientHttp2Stream, ms: number): Promise<Heard> => {
  const told: { [name: string]: unknown } = {};
  stream.on('response', (headers) => Object.assign(told, headers));
  stream.on('trailers', (headers) => Object.assign(told, headers));
  stream.on('data', () => undefined);
  const end = performance.now() + ms;
  while (told['grpc-status'] === undefined && performance.now() < end) await sleep(10);
  return {
    code: Number(told['grpc-status'] ?? -1),
    message: decodeURI(String(told['grpc-message'] ?? '')),
  };
};
