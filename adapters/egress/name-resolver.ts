import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { codeIn } from './error-code.ts';

/** An answer serves for so long, ms: a burst to one receiver does not ask for each request. */
const FRESH_MS = 1_000;
const MAX_FRESH = 1_024;
/** A try of a name server, ms; there are two. */
const TRY_MS = 1_000;
/** Names of one queue that wait for the system at most. */
const MAX_WAITING = 64;
/** Nobody waits longer for a name, ms: the system is not asked for it any more. */
const PATIENCE_MS = 5_000;

/**
 * Resolves names that anybody may have chosen, so that one that nobody answers for delays no other.
 *
 * The system's look-up blocks a thread of the pool that also signs and reads files, for ten seconds and more where a
 * name server is silent, and there are four. So name servers are asked without a thread. What they do not know is asked
 * of the system, since it also knows names of this machine and of its network: in one thread a queue, and names that no
 * server answered for stand in a queue of their own.
 */
export class NameResolver {
  readonly #resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
  readonly #local = new SystemQueue();
  readonly #unknown = new SystemQueue();
  readonly #silent = new SystemQueue();
  readonly #fresh = new Map<string, Fresh>();

  /** @param servers instead of those of the system: `address:port`. */
  constructor(
    servers?: readonly string[],
    private readonly freshMs = FRESH_MS,
  ) {
    if (servers) this.#resolver.setServers(servers);
  }

  /** Whoever asks looks at the addresses anew, however fresh they are. @throws where nobody knows one. */
  readonly resolve = (host: string): Promise<readonly LookupAddress[]> => {
    const now = performance.now();
    const known = this.#fresh.get(host);
    if (known && now < known.until) return known.found;
    const fresh: Fresh = { found: this.#ask(host), until: now + this.freshMs };
    this.#fresh.delete(host);
    this.#fresh.set(host, fresh);
    if (this.#fresh.size > MAX_FRESH) this.#fresh.delete(this.#fresh.keys().next().value!);
    const forget = (): void => {
      if (this.#fresh.get(host) === fresh) this.#fresh.delete(host);
    };
    fresh.found.then((found) => found.length === 0 && forget(), forget);
    return fresh.found;
  };

  async #ask(host: string): Promise<readonly LookupAddress[]> {
    if (LOCAL.test(host)) return this.#local.ask(host);
    const answers = await Promise.allSettled([
      this.#resolver.resolve4(host).then(ofFamily(4)),
      this.#resolver.resolve6(host).then(ofFamily(6)),
    ]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const isAnswered = answers.every(
      (answer) => answer.status === 'fulfilled' || UNKNOWN.has(codeIn(answer.reason)),
    );
    return (isAnswered ? this.#unknown : this.#silent).ask(host);
  }
}

/** An answer, or one that is on its way. */
interface Fresh {
  readonly found: Promise<readonly LookupAddress[]>;
  readonly until: number;
}

/** Asks the system for one name after the other. */
class SystemQueue {
  readonly #waiting = new Map<string, Promise<readonly LookupAddress[]>>();
  #turn: Promise<unknown> = Promise.resolve();

  ask(host: string): Promise<readonly LookupAddress[]> {
    const known = this.#waiting.get(host);
    if (known) return known;
    if (this.#waiting.size >= MAX_WAITING)
      return Promise.reject(again('too many names wait for the system'));
    const began = performance.now();
    const asked = this.#turn
      .then(() => {
        if (performance.now() - began > PATIENCE_MS) throw again('the system was too slow');
        return lookup(host, { all: true, verbatim: true });
      })
      .finally(() => this.#waiting.delete(host));
    this.#waiting.set(host, asked);
    this.#turn = asked.catch(() => undefined);
    return asked;
  }
}

const again = (message: string): Error => Object.assign(new Error(message), { code: 'EAI_AGAIN' });

/** A name server said that there is no such name, or no address of it. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA']);

/** No name server knows these. */
const LOCAL = /^[^.]*\.?$|\.(?:localhost|local)\.?$/i;

const ofFamily =
  (family: 4 | 6) =>
  (addresses: readonly string[]): readonly LookupAddress[] =>
    addresses.map((address) => ({ address, family }));
