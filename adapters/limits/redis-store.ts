import { Redis } from 'ioredis';
import { RedisWindow, WINDOW_SCRIPT, type RedisCommands } from './redis-window.ts';
import type { LimitStore } from './shared-limiter.ts';

/** The longest pause between two attempts to connect, ms. */
const RECONNECT_MS = 500;

/** A client that has learned the script, by its digest (EVALSHA) once the server knows it. */
interface Scripted {
  notaryWindow(count: number, ...args: readonly (string | number)[]): Promise<readonly number[]>;
}

/**
 * Counts in a Redis server. Nothing waits in a queue for a connection: a store that is away is away at once. Nothing that
 * was sent before a connection ended is sent again, for it may have been counted.
 */
export class RedisStore implements LimitStore {
  readonly window: RedisWindow;
  private readonly client: Redis;

  /** @param url redis:// or rediss://, with user, password and number of the database where there are. */
  constructor(url: string, secret: Uint8Array, now?: () => number) {
    this.client = new Redis(url, {
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: 1_000,
      retryStrategy: (attempt) => Math.min(RECONNECT_MS, 50 * attempt),
      connectionName: 'notary-limits',
      // What is not in reach is told by the limiter, once.
      scripts: { notaryWindow: { lua: WINDOW_SCRIPT } },
    });
    this.client.on('error', () => undefined);
    // The types of the client know no command that is defined by a script.
    const scripted = this.client as unknown as Scripted;
    const commands: RedisCommands = {
      window: (keys, args) => scripted.notaryWindow(keys.length, ...keys, ...args),
    };
    this.window = new RedisWindow(commands, secret, now);
  }

  async ping(): Promise<void> {
    await this.client.ping();
  }

  renew(): void {
    this.client.disconnect(true);
  }

  close(): void {
    this.client.disconnect();
  }
}
