import { createHash } from 'node:crypto';

const KEPT_MS = 600_000;
/** How often a credential in use is noted anew. */
const NOTED_MS = 60_000;
const CAPACITY = 50_000;

/**
 * Credentials that were let in a while ago. An address that guesses is refused before anything is looked up; those that
 * share the address and have been here with a valid credential go on. Only digests are kept.
 */
export class AdmittedCredentials {
  /** In the order in which they were noted. */
  private readonly noted = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  note(authorization: string): void {
    const digest = digestOf(authorization);
    const [now, before] = [this.now(), this.noted.get(digest)];
    if (before !== undefined && now - before < NOTED_MS) return;
    this.noted.delete(digest);
    this.noted.set(digest, now);
    if (this.noted.size > CAPACITY) this.noted.delete(this.noted.keys().next().value as string);
  }

  has(authorization: string): boolean {
    const at = this.noted.get(digestOf(authorization));
    return at !== undefined && this.now() - at < KEPT_MS;
  }
}

const digestOf = (authorization: string): string =>
  createHash('sha256').update(authorization).digest('base64');
