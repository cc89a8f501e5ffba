import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { freePort } from '../service/free-port.ts';

const SERVER = '/usr/sbin/mariadbd';
const PROVIDERS = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];
/** System tables, as the package of the server brings them. */
const SHARE = '/usr/share/mysql';
const TABLES = [
  'mysql_system_tables.sql',
  'mysql_performance_tables.sql',
  'mysql_system_tables_data.sql',
];
const START_MS = 60_000;

const provider = PROVIDERS.find((file) => existsSync(file));

/** Whether a cluster can be started here. @throws Error where REQUIRE_GALERA=1 and it cannot. */
export const hasGalera = (): boolean => {
  if (existsSync(SERVER) && provider !== undefined) return true;
  const cure = 'apt-get install --no-install-recommends mariadb-server-core galera-4';
  if (process.env['REQUIRE_GALERA'] === '1')
    throw new Error(`REQUIRE_GALERA=1, but MariaDB with Galera is not installed: ${cure}`);
  process.stderr.write(`Galera suites: they did not run (${cure}).\n`);
  return false;
};

/** Whether one server of MariaDB can be started here. */
export const hasMariadb = (): boolean => existsSync(SERVER);

/** A server of MariaDB outside of any cluster, which only its caller uses. */
export interface Mariadb {
  /** The URL of a user who may create databases. */
  readonly url: string;
  /** Starts it again after `kill`, with its data. */
  start(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Kills it and removes its data. */
  drop(): Promise<void>;
}

/** @param parent of the folder that the server gets. */
export const openMariadb = async (parent = tmpdir()): Promise<Mariadb> => {
  const folder = mkdtempSync(join(parent, 'notary-mariadb-'));
  const port = await freePort();
  const server = new GaleraNode(join(folder, 'server'), { sql: port, group: 0, transfer: 0 }, []);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // An interrupted run must not leave a server behind. The signal is sent before the process ends.
  const atExit = (): void => {
    void server.kill();
    remove();
  };
  process.once('exit', atExit);
  const drop = async (): Promise<void> => {
    process.off('exit', atExit);
    await server.kill();
    remove();
  };
  try {
    server.create();
    await server.start('no member');
  } catch (error) {
    await drop();
    throw error;
  }
  return {
    url: server.url,
    start: () => server.start('no member'),
    kill: () => server.kill(),
    drop,
  };
};

/** A Galera cluster on this machine that nobody else uses, so a test may kill its nodes. */
export class GaleraCluster {
  private constructor(
    private readonly folder: string,
    readonly nodes: readonly GaleraNode[],
  ) {}

  /** All nodes begin with copies of one folder. */
  static async open(size = 3): Promise<GaleraCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'notary-galera-'));
    writeFileSync(join(folder, 'wsrep_sst_position'), NO_COPY, { mode: 0o755 });
    const ports: Ports[] = [];
    while (ports.length < size)
      ports.push({
        sql: await freePort(),
        group: await freePort(),
        transfer: await freePort(),
      });
    const cluster = new GaleraCluster(
      folder,
      ports.map((each, at) => new GaleraNode(join(folder, String(at)), each, ports)),
    );
    try {
      const [first, ...others] = cluster.nodes as readonly [GaleraNode, ...GaleraNode[]];
      first.create();
      await first.start('alone');
      await first.stop();
      for (const { directory } of others) cpSync(first.directory, directory, { recursive: true });
      await first.start('alone');
      for (const other of others) await other.start();
      return cluster;
    } catch (error) {
      await cluster.drop();
      throw error;
    }
  }

  async drop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Ports {
  readonly sql: number;
  /** Of the other nodes. */
  readonly group: number;
  /** Where a node that comes late gets what it lacks. */
  readonly transfer: number;
}

/** One server of a cluster. */
export class GaleraNode {
  private child: ChildProcess | null = null;

  constructor(
    readonly directory: string,
    private readonly ports: Ports,
    private readonly cluster: readonly Ports[],
  ) {}

  get port(): number {
    return this.ports.sql;
  }

  /** Of a user who may create databases. */
  get url(): string {
    return `mysql://app:app@127.0.0.1:${this.port}/test`;
  }

  /** An empty server with its user. */
  create(): void {
    mkdirSync(this.data, { recursive: true });
    const input = [
      'CREATE DATABASE mysql;',
      'USE mysql;',
      'SET @auth_root_socket = NULL;',
      ...TABLES.map((file) => readFileSync(join(SHARE, file), 'utf8')),
      'FLUSH PRIVILEGES;',
      "CREATE USER app@'127.0.0.1' IDENTIFIED BY 'app';",
      "GRANT ALL ON *.* TO app@'127.0.0.1' WITH GRANT OPTION;",
      'CREATE DATABASE test;',
    ].join('\n');
    const made = spawnSync(SERVER, [...this.settings(), '--bootstrap'], { input });
    if (made.status !== 0) throw new Error(`MariaDB made no database: ${this.log()}`);
  }

  /**
   * Resolves once the node takes part in the cluster. @param as 'alone': as the first of it; 'no member': as a server that
   * knows of no cluster.
   */
  async start(as: 'alone' | 'one more' | 'no member' = 'one more'): Promise<void> {
    const child = spawn(SERVER, [...this.settings(), ...this.part(as)], {
      stdio: 'ignore',
      // Where it finds the program above.
      env: { PATH: `${join(this.directory, '..')}:${process.env['PATH']}` },
    });
    this.child = child;
    const until = performance.now() + START_MS;
    const ready = as === 'no member' ? '' : 'Synced';
    while ((await this.state()) !== ready) {
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > until)
        throw new Error(`a server of MariaDB did not start: ${this.log()}`);
      await sleep(100);
    }
  }

  /** The server comes to its own end. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** What the server wrote last. */
  log(): string {
    const file = join(this.directory, 'log.err');
    return existsSync(file) ? readFileSync(file, 'utf8').slice(-3_000) : 'it wrote nothing';
  }

  private get data(): string {
    return join(this.directory, 'data');
  }

  /** Where the node stood when it ended, however it ended. */
  private recovered(): string {
    const log = join(this.directory, 'recovery.err');
    rmSync(log, { force: true });
    execFileSync(
      SERVER,
      [...this.settings(), ...this.membership(), `--log-error=${log}`, '--wsrep-recover'],
      { stdio: 'ignore' },
    );
    const position = /Recovered position: (\S+)/.exec(readFileSync(log, 'utf8'))?.[1];
    if (position === undefined) throw new Error(`no position in ${readFileSync(log, 'utf8')}`);
    return position;
  }

  /** What it is in its cluster, empty for nothing; null where nobody answers. */
  private async state(): Promise<string | null> {
    const connection = await createConnection({ uri: this.url, connectTimeout: 2_000 }).catch(
      () => null,
    );
    if (connection === null) return null;
    try {
      const [rows] = await connection.query("SHOW STATUS LIKE 'wsrep_local_state_comment'");
      return (rows as { readonly Value: string }[])[0]?.Value ?? '';
    } catch {
      return null;
    } finally {
      connection.destroy();
    }
  }

  private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  private settings(): readonly string[] {
    return [
      '--no-defaults',
      ...(process.getuid?.() === 0 ? ['--user=root'] : []),
      ...[`--datadir=${this.data}`, `--lc-messages-dir=${SHARE}`],
      `--log-error=${join(this.directory, 'log.err')}`,
      `--socket=${join(this.directory, 'socket')}`,
      `--pid-file=${join(this.directory, 'pid')}`,
      ...['--bind-address=127.0.0.1', `--port=${this.port}`, '--skip-name-resolve'],
      ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--max-connections=200'],
      ...['--innodb-buffer-pool-size=64M', '--innodb-log-file-size=32M'],
      // The other nodes have what one loses with its machine.
      '--innodb-flush-log-at-trx-commit=2',
    ];
  }

  private part(as: 'alone' | 'one more' | 'no member'): readonly string[] {
    if (as === 'no member') return [];
    const how =
      as === 'alone' ? '--wsrep-new-cluster' : `--wsrep-start-position=${this.recovered()}`;
    return [...this.membership(), how];
  }

  private membership(): readonly string[] {
    const { group, transfer } = this.ports;
    const all = this.cluster.map((each) => `127.0.0.1:${each.group}`);
    return [
      ...['--wsrep-on=ON', `--wsrep-provider=${provider}`, '--wsrep-sst-method=position'],
      ...[`--wsrep-node-name=${this.port}`, `--wsrep-node-address=127.0.0.1:${group}`],
      `--wsrep-cluster-address=gcomm://${all.join()}`,
      `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${transfer};${PROVIDER}`,
    ];
  }
}

/** A node that is dead is put out after 2 s; on a busy machine one that is slow is not. */
const PROVIDER = [
  'gcache.size=64M',
  'evs.keepalive_period=PT0.5S',
  'evs.suspect_timeout=PT5S',
  'evs.inactive_timeout=PT15S',
  'evs.install_timeout=PT15S',
].join(';');

/**
 * What a node calls to get the state of another one, and the other one to give it. A node that comes late gets the write
 * sets that it lacks from the server itself, so this only carries the position from one to the other; it copies no
 * database, for which more packages would be needed.
 */
const NO_COPY = `#!/bin/sh
bypass=
while [ $# -gt 0 ]; do
  case $1 in
    --role) role=$2 ;;
    --gtid) position=$2 ;;
    --parent) server=$2 ;;
    --bypass) bypass=yes ;;
  esac
  shift
done
file=$(dirname "$0")/position
if [ "$role" = joiner ]; then
  rm -f "$file"
  echo 'ready 127.0.0.1:1/position'
  until [ -e "$file" ]; do
    kill -0 "$server" || exit 1
    sleep 0.1
  done
  cat "$file"
else
  [ "$bypass" ] || exit 1
  echo "$position" >"$file.new"
  mv "$file.new" "$file"
  echo continue
  echo "done $position"
fi
`;
