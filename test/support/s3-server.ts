import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

/** Starts an S3-compatible server; see README of the folder beside the repository. */
const TOOL = resolve(import.meta.dirname, '../../../shared/tools/s3-server');

export interface S3Server {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Of a server that runs already, or of one that the tool starts; null where there is neither. */
export const s3Server = async (): Promise<S3Server | null> => {
  const running = process.env['TEST_S3_URL'];
  if (running) return { endpoint: running, stop: () => Promise.resolve() };
  if (!existsSync(TOOL)) return null;
  const directory = mkdtempSync(join(tmpdir(), 'notary-s3-'));
  const port = await freePort();
  await new Promise<void>((done, failed) => {
    const child = spawn(TOOL, ['start', directory, String(port)], { stdio: 'ignore' });
    child.on('error', failed);
    child.on('exit', (code) => (code === 0 ? done() : failed(new Error(`s3-server: ${code}`))));
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      await promisify(execFile)(TOOL, ['stop', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
