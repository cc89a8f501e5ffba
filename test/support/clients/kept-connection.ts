import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

/** An answer by its status and what it says of the connection. */
export interface KeptAnswer {
  readonly status: number;
  readonly connection: string;
}

/** A client that keeps one connection and believes what each answer says of it. */
export class KeptConnection {
  /** How the other side ended the connection, null while it is open. */
  ended: 'closed' | 'reset' | null = null;
  readonly answers: KeptAnswer[] = [];
  private text = '';
  private onAnswer: (answer: KeptAnswer) => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => this.read(part));
    socket.on('error', () => (this.ended = 'reset'));
    socket.on('close', () => (this.ended ??= 'closed'));
  }

  static async to(port: number): Promise<KeptConnection> {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new KeptConnection(socket);
  }

  send(request: string): void {
    this.socket.write(request);
  }

  /** Sends the request again at once after each answer, until one says that the connection ends with it. */
  repeat(request: string): void {
    this.onAnswer = ({ connection }) => {
      if (connection === 'keep-alive') this.send(request);
    };
    this.send(request);
  }

  /** Whether a request was sent that the server let the client send, and that it did not answer. */
  get isLetDown(): boolean {
    return this.ended !== null && this.answers.at(-1)?.connection !== 'close';
  }

  destroy(): void {
    this.socket.destroy();
  }

  private read(part: string): void {
    this.text += part;
    for (;;) {
      const headEnds = this.text.indexOf('\r\n\r\n');
      if (headEnds === -1) return;
      const head = this.text.slice(0, headEnds);
      const ends = headEnds + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (this.text.length < ends) return;
      this.text = this.text.slice(ends);
      const answer = {
        status: Number(head.slice(9, 12)),
        connection: /\r\nconnection: ([a-z-]+)/i.exec(head)?.[1] ?? '',
      };
      this.answers.push(answer);
      this.onAnswer(answer);
    }
  }
}
