import { connect, type Socket } from 'node:net';

export interface Told {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

export interface Conversation {
  /** The answers, in their order. */
  readonly answers: readonly Told[];
  /** Whether the other side ended the connection, properly or with a reset. */
  readonly ended: 'closed' | 'reset' | 'open';
}

/** Writes to a service as a caller without a library does, until the service ends the connection or says no more. */
export const converse = (
  port: number,
  parts: readonly (string | Uint8Array | number)[],
  { quietMs = 400, endsIn = 12_000 } = {},
): Promise<Conversation> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const received: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const done = (ended: Conversation['ended']): void => {
      clearTimeout(quiet);
      clearTimeout(last);
      socket.destroy();
      resolve({ answers: answersIn(Buffer.concat(received)), ended });
    };
    const last = setTimeout(() => done('open'), endsIn);
    socket.on('data', (part) => {
      received.push(part);
      clearTimeout(quiet);
      quiet = setTimeout(() => done('open'), quietMs);
    });
    socket.on('end', () => done('closed'));
    socket.on('error', () => done('reset'));
    const speak = async (): Promise<void> => {
      for (const part of parts)
        if (typeof part === 'number') await new Promise((next) => setTimeout(next, part));
        else if (socket.writable) socket.write(part);
    };
    socket.on('connect', () => void speak().catch(reject));
  });

const answersIn = (bytes: Buffer): readonly Told[] => {
  const answers: Told[] = [];
  let rest = bytes.toString('latin1');
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const text = rest.slice(end + 4, end + 4 + length);
    rest = rest.slice(end + 4 + length);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (status !== 100) answers.push({ status, headers, text });
  }
  return answers;
};
