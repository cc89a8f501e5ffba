import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../service/free-port.ts';

/** Whether Prometheus and promtool are there; REQUIRE_PROMETHEUS=1 makes it an error where they are not. */
export const hasPrometheus = (): boolean => {
  const isThere = ['prometheus', 'promtool'].every(
    (program) => spawnSync(program, ['--version']).status === 0,
  );
  if (!isThere && process.env['REQUIRE_PROMETHEUS'] === '1')
    throw new Error('REQUIRE_PROMETHEUS=1, but prometheus or promtool is not installed');
  return isThere;
};

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** A real Prometheus that scrapes one service every second. */
export class Prometheus {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  static async start(target: string, token: string): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
    const port = await freePort();
    const config = {
      global: { scrape_interval: '1s', scrape_timeout: '1s' },
      scrape_configs: [
        {
          job_name: 'notary',
          authorization: { credentials: token },
          static_configs: [{ targets: [target] }],
        },
      ],
    };
    writeFileSync(join(folder, 'config.yml'), JSON.stringify(config));
    const child = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'config.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    );
    const started = new Prometheus(child, folder, `http://127.0.0.1:${port}`);
    for (let tries = 0; !(await started.isReady()); tries++) {
      if (tries > 200) throw new Error('Prometheus did not become ready');
      await sleep(100);
    }
    return started;
  }

  /** @throws Error where Prometheus does not take the expression. */
  async query(expr: string): Promise<readonly Sample[]> {
    const answer = await fetch(`${this.url}/api/v1/query?query=${encodeURIComponent(expr)}`);
    const body = (await answer.json()) as {
      readonly status: string;
      readonly error?: string;
      readonly data: { readonly result: readonly Sample[] };
    };
    if (body.status !== 'success') throw new Error(`${expr}: ${body.error}`);
    return body.data.result;
  }

  private async isReady(): Promise<boolean> {
    return fetch(`${this.url}/-/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
