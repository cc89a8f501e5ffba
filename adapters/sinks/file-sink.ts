import { constants } from 'node:fs';
import { lstat, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SinkAway, type SiemSink } from '../../application/siem/siem-sink.port.ts';

export interface FileSinkOptions {
  readonly path: string;
  /** A file that would become longer is renamed, and a new one begun. */
  readonly maxBytes: number;
  readonly now?: () => Date;
}

const LINE_FEED = 0x0a;
/** Bytes from the end that are looked at together. */
const STEP = 65_536;
/** A link would choose a file of the service, its database even, for what writes and cuts here. */
const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/**
 * Lines at the end of a file. A process that was killed may leave half a line: it is cut off when the file is opened, and
 * its event is written again, since the position did not move. A full file gets the time into its name and is never
 * deleted: that is for the operator, or for what collects it.
 *
 * Whoever owns the folder may remove the file, cut it or write to it meanwhile: lines are safe only in a file that has a
 * name, and behind what is in it.
 */
export class FileSink implements SiemSink {
  private file: FileHandle | null = null;
  private size = 0;
  private isStale = false;

  constructor(private readonly options: FileSinkOptions) {}

  /** Opens the path anew before the next line: somebody renamed the file. */
  reopen(): void {
    this.isStale = true;
  }

  async write(lines: readonly string[]): Promise<void> {
    try {
      await this.append(Buffer.from(lines.join('')));
    } catch (cause) {
      // What is there of these lines is looked at when it is opened again.
      await this.close().catch(() => undefined);
      throw new SinkAway(`${this.options.path} cannot be written: ${reasonOf(cause)}`, null, {
        cause,
      });
    }
  }

  async close(): Promise<void> {
    const { file } = this;
    this.file = null;
    await file?.close();
  }

  private async append(bytes: Buffer): Promise<void> {
    if (this.isStale || (this.file && !(await this.isAsLeft(this.file)))) await this.close();
    this.isStale = false;
    let file = (this.file ??= await this.opened());
    if (this.size > 0 && this.size + bytes.length > this.options.maxBytes)
      file = await this.rotated();
    const before = this.size;
    try {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, before + done);
        done += bytesWritten;
      }
      await file.datasync();
    } catch (error) {
      await file.truncate(before).catch(() => undefined);
      throw error;
    }
    this.size = before + bytes.length;
    if (!(await this.isAsLeft(file))) throw new Error('somebody removed or changed it meanwhile');
  }

  /** Whether it still has a name, and ends where this process ended. */
  private async isAsLeft(file: FileHandle): Promise<boolean> {
    const { nlink, size } = await file.stat();
    return nlink > 0 && size === this.size;
  }

  private async opened(): Promise<FileHandle> {
    // Not for appending: what is written has a place, so that half a line can be cut.
    const file = await open(this.options.path, O_RDWR | O_NOFOLLOW).catch(
      async (error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
        const made = await open(this.options.path, O_RDWR | O_CREAT | O_EXCL, 0o600);
        await this.syncFolder();
        return made;
      },
    );
    try {
      const stat = await file.stat();
      if (!stat.isFile()) throw new Error('it is not a file');
      this.size = await wholeLines(file, stat.size);
      if (this.size < stat.size) {
        await file.truncate(this.size);
        await file.datasync();
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    return file;
  }

  private async rotated(): Promise<FileHandle> {
    await this.close();
    const { path, now = () => new Date() } = this.options;
    const time = now().toISOString().replace(/[-:.]/g, '');
    for (let attempt = 0; ; attempt++) {
      const name = `${path}.${time}${attempt === 0 ? '' : `-${attempt}`}`;
      // A name that is taken would be replaced by a rename.
      if (await isTaken(name)) continue;
      await rename(path, name);
      break;
    }
    await this.syncFolder();
    return (this.file = await this.opened());
  }

  private async syncFolder(): Promise<void> {
    const folder = await open(dirname(this.options.path), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

const isTaken = (name: string): Promise<boolean> =>
  lstat(name).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      return false;
    },
  );

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const reasonOf = (error: unknown): string => {
  const code = codeOf(error);
  if (code === 'ELOOP') return 'it is a symbolic link';
  return code ?? (error instanceof Error ? error.message : String(error));
};

/**
 * How many bytes the file has up to its last line feed.
 *
 * @throws Error where what follows is not the beginning of a line of events: then the file is somebody else's, and nothing
 *   is cut off from it.
 */
const wholeLines = async (file: FileHandle, size: number): Promise<number> => {
  const buffer = Buffer.alloc(STEP);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - STEP);
    const { bytesRead } = await file.read(buffer, 0, end - start, start);
    const at = buffer.subarray(0, bytesRead).lastIndexOf(LINE_FEED);
    if (at >= 0 || start === 0) {
      const whole = start + at + 1;
      if (whole < size) await assertTorn(file, whole);
      return whole;
    }
    end = start;
  }
  return 0;
};

/** A line begins with a brace, or with zeros where the disk lost power over it. */
const assertTorn = async (file: FileHandle, from: number): Promise<void> => {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, from);
  if (buffer[0] !== 0x7b && buffer[0] !== 0)
    throw new Error('what it ends with is no line of events');
};
