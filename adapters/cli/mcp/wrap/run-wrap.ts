import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { InputError, reasonOf } from '../../input-error.ts';
import { soon, type ServiceClient } from '../service-client.ts';
import { LineTooLong } from '../lines.ts';
import { ownerOf } from './former-keys.ts';
import { Notarizer, type OnUnavailable } from './notarizer.ts';
import { Proxy } from './proxy.ts';
import { Sender, type Left } from './sender.ts';
import { Spool, waitingElsewhere } from './spool.ts';
import { ToolCalls } from './tool-calls.ts';
import { wrapType } from './wrap-type.ts';

export interface WrapOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly type: string;
  readonly hasContents: boolean;
  readonly onUnavailable: OnUnavailable;
  readonly blockMs: number;
  /** Where what is not sealed yet waits. */
  readonly queue: string;
}

export interface WrapParts {
  readonly service: ServiceClient;
  readonly input: Readable;
  readonly output: Writable;
  readonly stderr: (text: string) => void;
}

const DRAIN_MS = 10_000;
/** The tool server ended well, and something was not taken. */
const SET_ASIDE = 3;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGKILL: 137, SIGTERM: 143 } as const;

/**
 * Runs a tool server, and stands between it and its host.
 *
 * @returns the exit code of the tool server; 1 where it was ended here, 3 where it ended well and facts were set aside.
 * @throws InputError where it cannot begin.
 */
export const runWrap = async (options: WrapOptions, parts: WrapParts): Promise<number> => {
  const { service, stderr } = parts;
  const tell = (sentence: string): void => stderr(`notary mcp: ${sentence}\n`);
  const owner = (await isThere(service, options, tell)) ? await ownerOf(service) : null;
  const { queue } = options;
  const spool = await Spool.open(queue, service.destination, owner).catch((cause: unknown) => {
    throw new InputError(`The queue ${queue} cannot be used: ${reasonOf(cause)}`, { cause });
  });
  for (const { folder, count } of await waitingElsewhere(options.queue, service.destination))
    tell(`${count} facts for another service or key wait in ${folder}, for a run with that.`);
  for (const { folder, count } of await spool.aside())
    tell(`${count} facts that the notary did not take are kept in ${folder}.`);
  const sender = new Sender(spool, service, tell);
  sender.start(await spool.waiting());
  let left: Left = { waiting: 0, setAside: 0 };
  let code = 1;
  try {
    code = await wrapped(options, parts, spool, sender, tell);
  } finally {
    left = await sender.drain(DRAIN_MS);
    if (left.waiting > 0)
      tell(
        `${left.waiting} facts are not sealed yet; they wait in ${options.queue} for the next run.`,
      );
    if (left.setAside > 0)
      tell(`${left.setAside} facts were set aside: no run sends them by itself.`);
    await spool.close();
  }
  return code === 0 && left.setAside > 0 ? SET_ASIDE : code;
};

/** @throws InputError where nothing could ever be sealed. */
const isThere = async (
  service: ServiceClient,
  { type, onUnavailable }: WrapOptions,
  tell: (sentence: string) => void,
): Promise<boolean> => {
  if (!(await service.isReady())) {
    const are = onUnavailable === 'block' ? 'held' : 'noted on the disk';
    tell(`the notary does not answer; until it does, calls are ${are}.`);
    return false;
  }
  const { status } = await service
    .send('GET', `/v1/schemas/${encodeURIComponent(type)}`, undefined, {}, soon())
    .catch(() => ({ status: 0 }));
  if (status === 404)
    throw new InputError(
      `There is no record type ${type} here. An admin of the org registers it once: notary mcp --print-type${type === wrapType('').type ? '' : ` --type ${type}`} prints what POST /v1/schemas takes.`,
    );
  return true;
};

const wrapped = async (
  options: WrapOptions,
  { input, output }: WrapParts,
  spool: Spool,
  sender: Sender,
  tell: (sentence: string) => void,
): Promise<number> => {
  const { command, hasContents, type, onUnavailable, blockMs } = options;
  const calls = new ToolCalls({
    session: randomUUID(),
    // What it is given may hold secrets, and what is sealed stays.
    command: basename(command),
    hasContents,
    now: () => performance.now(),
    at: () => new Date().toISOString(),
  });
  const notarizer = new Notarizer(spool, sender, { type, onUnavailable, patienceMs: blockMs });
  const proxy = new Proxy({ calls, notarizer, tell });
  const child = await started(options);
  const pass = SIGNALS.map((signal) => [signal, () => void child.kill(signal)] as const);
  for (const [signal, on] of pass) process.on(signal, on);
  // A tool server that is gone reads nothing any more.
  child.stdin!.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  let fault: string | null = null;
  void proxy.fromHost(input, child.stdin!, output).catch((cause: unknown) => {
    fault ??= `the host said what cannot be passed on: ${reasonOf(cause)}`;
    child.kill();
  });
  await proxy.fromServer(child.stdout!, output).catch((cause: unknown) => {
    fault ??= `the tool server was ended, because it sent ${reasonOf(cause)}`;
    child.kill(cause instanceof LineTooLong ? 'SIGKILL' : 'SIGTERM');
    child.stdout!.destroy();
  });
  const end = await ended;
  proxy.end();
  for (const [signal, on] of pass) process.off(signal, on);
  const reason = fault ?? reasonOfEnd(end);
  const left = calls.unanswered(reason);
  for (const fact of left)
    await notarizer.keepOnly(fact).catch((cause: unknown) => tell(`${reasonOf(cause)}.`));
  if (fault !== null) tell(`${fault}.`);
  if (left.length > 0) tell(`${reason}; ${left.length} calls are sealed as unanswered.`);
  // The host may keep its end open.
  input.destroy();
  return fault === null ? codeOf(end) : 1;
};

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** @throws InputError where there is no such command. */
const started = ({
  command,
  args,
  environment: env,
}: Pick<WrapOptions, 'command' | 'args' | 'environment'>): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    child.once('spawn', () => resolve(child));
    child.once('error', (cause) =>
      reject(new InputError(`${command} cannot be started: ${reasonOf(cause)}`, { cause })),
    );
  });

const reasonOfEnd = ({ code, signal }: Ended): string =>
  signal ? `the tool server was ended by ${signal}` : `the tool server ended with ${code ?? 0}`;

const codeOf = ({ code, signal }: Ended): number =>
  code ?? (SIGNAL_CODES as { readonly [name: string]: number })[signal ?? ''] ?? 1;
