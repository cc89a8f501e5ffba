import type { DestinationStream } from 'pino';
import { presentedIn, shownIn, type Exchanged } from './secret-sources.ts';
import { MIN_SECRET_BYTES, SecretScan, type Secret } from './secret-scan.ts';

/** Above this, what was seen longest ago is looked through and let go. */
const KEPT_BYTES = 64 * 1024 * 1024;

const API_KEY = /svc_(?:agt|adm|plt)_[0-9A-Za-z]{49}/;

interface Seen {
  readonly place: string;
  readonly content: Uint8Array;
}

/**
 * Gathers the secrets that a test file makes or meets, and everything that the service lets out beside: log lines,
 * answers, exports, events, what is in its database. At the end the one is looked for in the other. What is seen is
 * kept for a while, because a leak may come before its secret is known, as the log line of a request does before its
 * answer.
 */
export class SecretWatch {
  private readonly secrets = new Map<string, Secret>();
  private readonly seen: Seen[] = [];
  private seenBytes = 0;
  private readonly found = new Set<string>();
  private reading: Promise<void>[] = [];

  /** Nothing to look for: a database need not be read. */
  get isIdle(): boolean {
    return this.secrets.size === 0 && this.reading.length === 0;
  }

  learn(kind: string, value: string | Uint8Array): void {
    if (Buffer.byteLength(value) < MIN_SECRET_BYTES) return;
    const key = typeof value === 'string' ? value : Buffer.from(value).toString('latin1');
    if (!this.secrets.has(key)) this.secrets.set(key, { kind, value });
  }

  see(place: string, content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    if (bytes.length === 0) return;
    this.seen.push({ place, content: bytes });
    this.seenBytes += bytes.length;
    if (this.seenBytes > KEPT_BYTES) this.sift(Math.ceil(this.seen.length / 2));
  }

  /** An answer, of which everything is seen but the secret that it is there to show; and that once. */
  answer(exchanged: Exchanged): void {
    for (const { kind, value } of presentedIn(exchanged)) this.learn(kind, value);
    let { text } = exchanged;
    for (const { kind, value } of shownIn(exchanged)) {
      if (this.secrets.get(value)?.kind === kind) continue; // shown before: then it stays in the text, and is found
      this.learn(kind, value);
      text = text.replace(value, '');
    }
    this.see(
      `an answer ${exchanged.status} to ${exchanged.method} ${exchanged.path}`,
      `${exchanged.headers}\n${text}`,
    );
  }

  /** An answer that is still being read. */
  later(answer: Promise<Exchanged>): void {
    this.reading.push(
      answer.then(
        (exchanged) => this.answer(exchanged),
        () => undefined,
      ),
    );
  }

  /** What a command printed. One that is there to show the first key shows it once. */
  output(command: string, text: string, showsKey: boolean): void {
    const key = showsKey ? API_KEY.exec(text)?.[0] : undefined;
    if (key !== undefined) this.learn('an API key', key);
    this.see(`the output of ${command}`, key === undefined ? text : text.replace(key, ''));
  }

  /** Where the log goes: it is seen line by line. */
  log(): DestinationStream {
    return { write: (line: string) => this.see('a log line', line) };
  }

  /** What was found, in words without any secret. */
  async findings(): Promise<readonly string[]> {
    await Promise.race([
      Promise.all(this.reading),
      new Promise((resolve) => setTimeout(resolve, 2_000)),
    ]);
    this.sift(this.seen.length);
    return [...this.found];
  }

  /** For the next test file, which has secrets of its own. */
  forget(): void {
    this.secrets.clear();
    this.seen.length = 0;
    this.seenBytes = 0;
    this.found.clear();
    this.reading = [];
  }

  private sift(count: number): void {
    const scan = new SecretScan([...this.secrets.values()]);
    for (const { place, content } of this.seen.splice(0, count)) {
      this.seenBytes -= content.length;
      for (const what of scan.find(content)) this.found.add(`${what}, in ${place}`);
    }
  }
}

/** Of the test file that runs. */
export const secretWatch = new SecretWatch();
