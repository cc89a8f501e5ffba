import type { Readable, Writable } from 'node:stream';
import { reasonOf } from '../../input-error.ts';
import { linesOf } from '../lines.ts';
import { InOrder } from './in-order.ts';
import type { Notarizer } from './notarizer.ts';
import type { Id } from './outstanding.ts';
import type { Heard, Noted, ToolCalls } from './tool-calls.ts';

/** More than any server of tools has to say in one line. */
export const MAX_LINE = 32 * 1024 * 1024;

export interface ProxyParts {
  readonly calls: ToolCalls;
  readonly notarizer: Notarizer;
  readonly tell: (sentence: string) => void;
}

/** Between a host and a tool server: what passes, passes byte for byte. */
export class Proxy {
  private isOver = false;

  constructor(private readonly parts: ProxyParts) {}

  /** Nobody is there any more who could answer: what the host says from now on is no call. */
  end(): void {
    this.isOver = true;
  }

  /** Until the host closes its end. */
  async fromHost(
    host: AsyncIterable<Uint8Array>,
    server: Writable,
    toHost: Writable,
  ): Promise<void> {
    const passing = new InOrder();
    try {
      for await (const line of linesOf(host, MAX_LINE)) {
        if (this.isOver) return;
        const heard = this.parts.calls.asked(line);
        await passing.next(line, this.refusedOf(heard.noted), (refused) =>
          this.ask(line, heard, refused, server, toHost),
        );
      }
    } finally {
      await passing.done();
    }
    server.end();
  }

  /** Until the tool server closes its end. @throws LineTooLong */
  async fromServer(server: Readable, toHost: Writable): Promise<void> {
    const passing = new InOrder();
    try {
      for await (const line of linesOf(server, MAX_LINE)) {
        const heard = this.parts.calls.answered(line);
        await passing.next(line, this.refusedOf(heard.noted), (refused) =>
          this.tellHost(line, heard, refused, toHost),
        );
      }
    } finally {
      await passing.done();
    }
  }

  private async ask(
    line: Uint8Array,
    { fault, ids }: Heard,
    refused: string | null,
    server: Writable,
    toHost: Writable,
  ): Promise<void> {
    if (fault !== null) {
      this.parts.tell(`a line of the host is not passed on: ${fault}.`);
      return refuse(toHost, ids, `This was not passed on: ${fault}.`);
    }
    if (refused === null) return written(server, line);
    // A batch goes as it is or not at all.
    for (const id of ids) await this.withheld(id, refused);
    return refuse(toHost, ids, `The call was not made, because ${refused}.`);
  }

  private async tellHost(
    line: Uint8Array,
    { noted, fault, ids }: Heard,
    refused: string | null,
    toHost: Writable,
  ): Promise<void> {
    const why = fault ?? refused;
    if (why === null) return written(toHost, line);
    this.parts.tell(
      fault === null
        ? `a result is withheld, because ${why}.`
        : `a line of the tool server is not passed on: ${why}.`,
    );
    const what = noted.length > 0 ? 'The tool ran, and its result' : 'The answer';
    return refuse(toHost, ids, `${what} is withheld, because ${why}.`);
  }

  /** Null where everything was noted. */
  private async refusedOf(noted: readonly Noted[]): Promise<string | null> {
    if (noted.length === 0) return null;
    try {
      await Promise.all(noted.map(({ fact }) => this.parts.notarizer.note(fact)));
      return null;
    } catch (cause) {
      return reasonOf(cause);
    }
  }

  private async withheld(id: Id, reason: string): Promise<void> {
    const { calls, notarizer, tell } = this.parts;
    const fact = calls.notForwarded(id, reason);
    if (!fact) return;
    tell(`a call is not made, because ${reason}.`);
    await notarizer.keepOnly(fact).catch((cause: unknown) => tell(`${reasonOf(cause)}.`));
  }
}

/** Tells the host what became of its requests. */
const refuse = async (toHost: Writable, ids: readonly Id[], message: string): Promise<void> => {
  for (const id of ids) await written(toHost, errorLine(id, message));
};

const errorLine = (id: Id, message: string): Uint8Array =>
  new TextEncoder().encode(
    `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } })}\n`,
  );

/** Resolves when the other side takes more; what a side that is gone does not take is nobody's loss. */
const written = (to: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (to.destroyed || to.writableEnded) return resolve();
    if (to.write(bytes)) return resolve();
    const go = (): void => {
      to.off('drain', go);
      to.off('close', go);
      resolve();
    };
    to.once('drain', go);
    to.once('close', go);
  });
