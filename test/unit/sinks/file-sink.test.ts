import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSink } from '../../../adapters/sinks/file-sink.ts';
import { SinkAway } from '../../../application/siem/siem-sink.port.ts';

// Contract of application/siem/siem-sink.port.ts

const line = (n: number): string => `${JSON.stringify({ id: n, text: 'é'.repeat(20) })}\n`;

describe('a file of events', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sink-'));
    path = join(folder, 'events.ndjson');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const sinkOf = (maxBytes = 1_000_000): FileSink =>
    new FileSink({ path, maxBytes, now: () => new Date('2026-11-22T18:00:00.000Z') });
  const content = (name = path): string => readFileSync(name, 'utf8');

  it('goes on where it ended', async () => {
    const first = sinkOf();
    await first.write([line(1), line(2)]);
    await first.write([line(3)]);
    await first.close();
    const second = sinkOf();
    await second.write([line(4)]);
    await second.close();
    expect(content()).toBe([1, 2, 3, 4].map(line).join(''));
  });

  it('cuts half a line off that a killed process left, wherever it was cut', async () => {
    const whole = Buffer.from([1, 2].map(line).join(''));
    for (let end = 0; end <= whole.length; end++) {
      writeFileSync(path, whole.subarray(0, end));
      const sink = sinkOf();
      await sink.write([line(9)]);
      await sink.close();
      const lines = content().trimEnd().split('\n');
      const kept = end === whole.length ? [1, 2] : end >= Buffer.byteLength(line(1)) ? [1] : [];
      expect(lines.map((text) => (JSON.parse(text) as { id: number }).id)).toEqual([...kept, 9]);
    }
  });

  it('cuts off half a line that is longer than what is looked at together', async () => {
    writeFileSync(path, `${line(1)}{${'x'.repeat(200_000)}`);
    const sink = sinkOf();
    await sink.write([line(2)]);
    await sink.close();
    expect(content()).toBe(line(1) + line(2));
  });

  it('renames a full file and never one over another', async () => {
    const sink = sinkOf(Buffer.byteLength(line(1)) * 2);
    for (let n = 1; n <= 7; n++) await sink.write([line(n)]);
    await sink.close();
    const names = readdirSync(folder).sort();
    expect(names).toEqual([
      'events.ndjson',
      'events.ndjson.20261122T180000000Z',
      'events.ndjson.20261122T180000000Z-1',
      'events.ndjson.20261122T180000000Z-2',
    ]);
    const all = [...names.slice(1), names[0]!].map((name) => content(join(folder, name))).join('');
    expect(all).toBe([1, 2, 3, 4, 5, 6, 7].map(line).join(''));
  });

  it('opens the path anew where it was asked to', async () => {
    const sink = sinkOf();
    await sink.write([line(1)]);
    renameSync(path, `${path}.old`);
    await sink.write([line(2)]);
    sink.reopen();
    await sink.write([line(3)]);
    await sink.close();
    expect(content(`${path}.old`)).toBe(line(1) + line(2));
    expect(content()).toBe(line(3));
  });

  it('says that it is away where the file cannot be written, and works again when it can', async () => {
    const sink = new FileSink({ path: join(folder, 'none', 'events'), maxBytes: 1_000 });
    await expect(sink.write([line(1)])).rejects.toThrow(SinkAway);
    await expect(sink.write([line(1)])).rejects.toThrow(/ENOENT/);
    await sink.close();
  });
});
