import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isOnVolumeOf } from '../../../adapters/anchor/filesystem/volume.ts';

const directory = mkdtempSync(join(tmpdir(), 'notary-volume-'));
const file = join(directory, 'notary.sqlite');
writeFileSync(file, '');
afterAll(() => rmSync(directory, { recursive: true }));

it('anchors beside the database file share its volume, also before their directory is made', async () => {
  expect(await isOnVolumeOf(directory, `sqlite://${file}`)).toBe(true);
  expect(await isOnVolumeOf(join(directory, 'a', 'b'), `sqlite://${file}`)).toBe(true);
});

it('anchors on another volume, or of a database server, do not', async () => {
  expect(await isOnVolumeOf('/proc', `sqlite://${file}`)).toBe(false);
  expect(await isOnVolumeOf(directory, 'mysql://a:b@db/notary')).toBe(false);
});
