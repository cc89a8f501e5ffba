import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../service/free-port.ts';

const TOOL = join(import.meta.dirname, 's3-server');

export interface S3Server {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * The server at TEST_S3_URL, otherwise one that is started from the moto of this machine. With REQUIRE_S3=1 the moto of
 * Debian is unpacked if this machine has none. Returns null if there is no server.
 *
 * @throws Error if REQUIRE_S3=1 and no server starts.
 */
export const s3Server = async (): Promise<S3Server | null> => {
  const running = process.env['TEST_S3_URL'];
  if (running) return { endpoint: running, stop: () => Promise.resolve() };
  if (process.env['REQUIRE_S3'] !== '1' && !hasMoto()) {
    process.stderr.write('S3 suites: they did not run (pip install "moto[server]").\n');
    return null;
  }
  const directory = mkdtempSync(join(tmpdir(), 'notary-s3-'));
  const port = await freePort();
  // The server inherits the output, so nothing may wait for its end.
  await new Promise<void>((done, failed) => {
    const child = spawn(TOOL, ['start', directory, String(port)], { stdio: 'ignore' });
    child.on('error', failed);
    child.on('exit', (code) =>
      code === 0 ? done() : failed(new Error(`The S3 server did not start: exit code ${code}.`)),
    );
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      await promisify(execFile)(TOOL, ['stop', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const hasMoto = (): boolean => {
  const find =
    'import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, ("moto", "flask_cors"))))';
  return spawnSync('python3', ['-c', find], { stdio: 'ignore' }).status === 0;
};
