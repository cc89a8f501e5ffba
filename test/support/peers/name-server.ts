import { createSocket, type Socket } from 'node:dgram';

/** A name server over UDP: what it answers for the name of an A query, null for nobody, undefined for silence. */
export type AnswerName = (name: string) => string | null | undefined;

export interface NameServer {
  /** For a resolver. */
  readonly server: string;
  /** Names that were asked for, once for each query of type A. */
  readonly asked: string[];
  close(): void;
}

const A = 1;
const NAME_ERROR = 3;

export const serveNames = async (answer: AnswerName): Promise<NameServer> => {
  const asked: string[] = [];
  const socket: Socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    if (type === A) asked.push(name);
    const found = answer(name);
    if (found === undefined) return;
    const found4 = type === A ? found : null;
    socket.send(replyTo(query, end, found4, found === null), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => void socket.close(),
  };
};

/** RFC 1035 section 4.1.2. */
const questionOf = (query: Buffer): { name: string; type: number; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
};

/** RFC 1035 section 4.1.1 and 4.1.3, with a time to live of 0. */
const replyTo = (
  query: Buffer,
  end: number,
  address: string | null,
  isUnknown: boolean,
): Buffer => {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180 | (isUnknown ? NAME_ERROR : 0), 2);
  head.writeUInt16BE(address === null ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  if (address === null) return head;
  const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4]);
  return Buffer.concat([head, record, Buffer.from(address.split('.').map(Number))]);
};
