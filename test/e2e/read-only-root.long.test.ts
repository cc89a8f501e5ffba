import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld } from '../support/service/world.ts';

/** A mount namespace of its own, in which the root and the sources are read-only and one folder is not. */
const READ_ONLY = `
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount --bind "$PWD" "$PWD"
mount -o remount,ro,bind "$PWD"
mount -o remount,ro,bind /
cd "$PWD"
if touch ./written 2>/dev/null || touch /written 2>/dev/null; then echo 'the root can be written' >&2; exit 9; fi
shift
exec "$@"`;

const folder = mkdtempSync(join(tmpdir(), 'notary-volume-'));
const args = ['-m', 'sh', '-c', READ_ONLY, 'sh', folder];
const mayMount = spawnSync('unshare', [...args, 'true']).status === 0;
const service = new ServiceProcess({ GRPC_PORT: 'off' }, folder, {
  command: 'unshare',
  args: [...args, process.execPath, 'dist/config/main.js'],
});
afterAll(() => service.stop('SIGKILL'));

/** Skipped if this user may not mount. */
describe.skipIf(!mayMount)('the built service on a read-only root', () => {
  it('is bootstrapped, seals a record and stops; it writes its data and its keys alone', async () => {
    const { apiKey } = await service.bootstrap();
    await service.start();
    const { performer } = await createWorld(service.url, apiKey);
    const note = await performer.client.post('/v1/records', { type: 'note', criteria: { n: 1 } });
    expect(note.status).toBe(201);
    expect((await fetch(`${service.url}/docs/openapi.yaml`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });
});
