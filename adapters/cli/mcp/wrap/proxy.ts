import type { Readable, Writable } from 'node:stream';
import { reasonOf } from '../../input-error.ts';
import { linesOf } from '../lines.ts';
import type { Notarizer } from './notarizer.ts';
import type { Noted, ToolCalls } from './tool-calls.ts';

/** More than any server of tools has to say in one line. */
export const MAX_LINE = 32 * 1024 * 1024;

export interface ProxyParts {
  readonly calls: ToolCalls;
  readonly notarizer: Notarizer;
  readonly tell: (sentence: string) => void;
}

/** Between a host and a tool server: what passes, passes byte for byte. */
export class Proxy {
  constructor(private readonly parts: ProxyParts) {}

  /** Until the host closes its end. */
  async fromHost(
    host: AsyncIterable<Uint8Array>,
    server: Writable,
    toHost: Writable,
  ): Promise<void> {
    const { calls, tell } = this.parts;
    for await (const line of linesOf(host, MAX_LINE)) {
      if (!isOneText(line)) {
        tell(
          'a line of the host is not passed on: it is no JSON text of one line, and may hold a call.',
        );
        continue;
      }
      const asked = calls.asked(line);
      const refused = await this.refusedOf(asked);
      if (refused === null) await written(server, line);
      else {
        // A batch goes as it is or not at all.
        for (const { id } of asked) {
          await this.withheld(id, refused);
          await written(toHost, errorLine(id, `The call was not made, because ${refused}.`));
        }
      }
    }
    server.end();
  }

  /** Until the tool server closes its end. @throws LineTooLong */
  async fromServer(server: Readable, toHost: Writable): Promise<void> {
    const { calls, tell } = this.parts;
    for await (const line of linesOf(server, MAX_LINE)) {
      const answered = calls.answered(line);
      const refused = await this.refusedOf(answered);
      if (refused === null) {
        await written(toHost, line);
        continue;
      }
      tell(`a result is withheld, because ${refused}.`);
      for (const { id } of answered)
        await written(
          toHost,
          errorLine(id, `The tool ran, and its result is withheld, because ${refused}.`),
        );
    }
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

  private async withheld(id: string | number, reason: string): Promise<void> {
    const { calls, notarizer, tell } = this.parts;
    const fact = calls.notForwarded(id, reason);
    tell(`a call is not made, because ${reason}.`);
    if (fact) await notarizer.keepOnly(fact).catch((cause: unknown) => tell(`${reasonOf(cause)}.`));
  }
}

/** What two readers could take for different messages is not passed on: one of them may see a call that this one does not. */
const isOneText = (line: Uint8Array): boolean => {
  const text = new TextDecoder().decode(line).replace(/\r?\n?$/, '');
  if (text.trim() === '') return true;
  if (text.includes('\r')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const errorLine = (id: string | number, message: string): Uint8Array =>
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
