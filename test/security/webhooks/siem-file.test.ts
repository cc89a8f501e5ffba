import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSink } from '../../../adapters/sinks/file-sink.ts';
import { SinkAway } from '../../../application/siem/siem-sink.port.ts';

// Somebody who owns the folder of the sink: what is confirmed is in a file that is there, whatever is done to it.

const line = (n: number): string => `${JSON.stringify({ id: n, text: 'é\u{1f600}'.repeat(20) })}\n`;

describe('the file of a sink, in the hands of somebody else', () => {
  let folder: string;
  let path: string;
  const open: FileSink[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sink-'));
    path = join(folder, 'events.ndjson');
  });
  afterEach(async () => {
    for (const sink of open.splice(0)) await sink.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const sinkOf = (at = path, maxBytes = 1_000_000): FileSink => {
    const sink = new FileSink({ path: at, maxBytes });
    open.push(sink);
    return sink;
  };
  const content = (name = path): string => readFileSync(name, 'utf8');
  /** As the job does: again until it is taken. */
  const push = async (sink: FileSink, ...lines: readonly string[]): Promise<number> => {
    for (let tries = 0; tries < 5; tries++)
      try {
        await sink.write(lines);
        return tries;
      } catch (error) {
        expect(error).toBeInstanceOf(SinkAway);
      }
    throw new Error('it takes nothing');
  };

  it('is removed: what is confirmed afterwards is in the new one', async () => {
    const sink = sinkOf();
    await push(sink, line(1));
    unlinkSync(path);
    await push(sink, line(2));
    expect(content()).toBe(line(2));
  });

  it('is removed while lines are written: they are not confirmed as if they were there', async () => {
    const sink = sinkOf();
    await push(sink, line(1));
    for (let n = 2; n < 60; n++) {
      const writing = push(sink, line(n));
      if (n % 3 === 0) setImmediate(() => rmSync(path, { force: true }));
      await writing;
    }
    // The last removal may have come after the last confirmation: the next write is in a file again.
    await push(sink, line(60));
    expect(content().endsWith(line(60))).toBe(true);
  });

  it('is replaced by another one: it goes on at the end of that', async () => {
    const sink = sinkOf();
    await push(sink, line(1));
    writeFileSync(join(folder, 'other'), line(7));
    renameSync(join(folder, 'other'), path);
    await push(sink, line(2));
    expect(content()).toBe(line(7) + line(2));
  });

  it('is copied and cut to nothing, as some rotations do: no hole of zeros stands in the new one', async () => {
    const sink = sinkOf();
    await push(sink, line(1), line(2));
    copyFileSync(path, join(folder, 'copy'));
    truncateSync(path);
    await push(sink, line(3));
    expect(content()).toBe(line(3));
    expect(content(join(folder, 'copy'))).toBe(line(1) + line(2));
  });

  it('is written by a second process as well: neither writes over the other', async () => {
    const [one, other] = [sinkOf(), sinkOf()];
    await push(one, line(1));
    await push(other, line(2), line(3));
    await push(one, line(4));
    await push(other, line(5));
    const lines = content().trimEnd().split('\n');
    expect(lines.map((text) => (JSON.parse(text) as { id: number }).id)).toEqual([1, 2, 3, 4, 5]);
  });

  it('is a symbolic link: nothing is written to, or cut off from, what it leads to', async () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'not one line of events');
    symlinkSync(victim, path);
    await expect(sinkOf().write([line(1)])).rejects.toThrow(/symbolic link/);
    expect(content(victim)).toBe('not one line of events');
    symlinkSync(join(folder, 'new'), join(folder, 'dangling'));
    await expect(sinkOf(join(folder, 'dangling')).write([line(1)])).rejects.toThrow(SinkAway);
    expect(readdirSync(folder)).not.toContain('new');
  });

  it('becomes a symbolic link at a rotation: the same', async () => {
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'x');
    const sink = sinkOf();
    await push(sink, line(1));
    unlinkSync(path);
    symlinkSync(victim, path);
    await expect(sink.write([line(2)])).rejects.toThrow(SinkAway);
    sink.reopen();
    await expect(sink.write([line(2)])).rejects.toThrow(SinkAway);
    expect(content(victim)).toBe('x');
    unlinkSync(path);
    await push(sink, line(2));
    expect(content()).toBe(line(2));
  });

  it.each([
    ['a database', Buffer.from('SQLite format 3\0binary')],
    ['a note without an end', Buffer.from('first line\nsecond line')],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x0a, 0xff, 0xfe, 0x80])],
  ])('is %s, which the service never wrote: it is left as it is', async (_, bytes) => {
    writeFileSync(path, bytes);
    await expect(sinkOf().write([line(1)])).rejects.toThrow(/no line of events/);
    expect(readFileSync(path)).toEqual(bytes);
  });

  it('has a torn line that ends within a character: it is cut, and nothing before it', async () => {
    const torn = Buffer.from(line(2));
    for (let end = 1; end < torn.length; end++) {
      writeFileSync(path, Buffer.concat([Buffer.from(line(1)), torn.subarray(0, end)]));
      const sink = sinkOf();
      await push(sink, line(2));
      expect(content()).toBe(line(1) + line(2));
    }
  });

  it('is a folder, or a pipe: it says so and takes nothing', async () => {
    mkdirSync(path);
    await expect(sinkOf().write([line(1)])).rejects.toThrow(SinkAway);
    const pipe = join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    await expect(sinkOf(pipe).write([line(1)])).rejects.toThrow(SinkAway);
  });

  it('never takes the place of a file that bears the name of a full one, whatever that is', async () => {
    const now = (): Date => new Date('2026-11-22T18:00:00.000Z');
    const taken = `${path}.20261122T180000000Z`;
    symlinkSync(join(folder, 'nowhere'), taken);
    const sink = new FileSink({ path, maxBytes: 10, now });
    open.push(sink);
    await push(sink, line(1));
    await push(sink, line(2));
    expect(content(`${taken}-1`)).toBe(line(1));
    expect(readdirSync(folder).length).toBe(3);
  });

  it('a hard link of it makes no difference', async () => {
    const sink = sinkOf();
    await push(sink, line(1));
    linkSync(path, join(folder, 'linked'));
    await push(sink, line(2));
    expect(content()).toBe(line(1) + line(2));
    expect(statSync(path).nlink).toBe(2);
  });

  describe('on a disk that is full', () => {
    let disk = '';
    beforeEach(() => {
      disk = join(folder, 'disk');
      mkdirSync(disk);
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
      if (mounted.status !== 0) disk = '';
    });
    afterEach(() => {
      if (disk !== '') spawnSync('umount', ['-l', disk]);
    });

    it('keeps whole lines alone, and goes on where there is room again', async (context) => {
      if (disk === '') return context.skip();
      const at = join(disk, 'events');
      const sink = sinkOf(at);
      const taken: number[] = [];
      let refused = 0;
      for (let n = 0; refused === 0 && n < 5_000; n++)
        await sink.write([line(n)]).then(
          () => taken.push(n),
          () => refused++,
        );
      expect(refused).toBe(1);
      expect(content(at)).toBe(taken.map(line).join(''));
      await expect(sink.write([line(9_999), line(9_998)])).rejects.toThrow(/ENOSPC/);
      expect(content(at)).toBe(taken.map(line).join(''));
      renameSync(at, `${at}.old`);
      unlinkSync(`${at}.old`);
      await push(sink, line(9_999));
      expect(content(at)).toBe(line(9_999));
    });
  });
});
