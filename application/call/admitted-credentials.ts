import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { sha256 } from '../../domain/kernel/digest.ts';

const KEPT_MS = 600_000;
/** How often a credential in use is noted anew. */
const NOTED_MS = 60_000;
const CAPACITY = 50_000;

/**
 * Credentials that were let in a while ago. An address that guesses is refused before anything is looked up; those
 * that share the address and have been here with a valid credential go on. Only digests are kept.
 */
export class AdmittedCredentials {
  /** In the order in which they were noted. */
  private readonly noted = new Map<string, number>();
  /** The same by who was let in, so that a credential in use is not hashed on every call. */
  private readonly seen = new WeakMap<object, number>();

  /** @param now monotonic, ms. */
  constructor(private readonly now: () => number) {}

  /** @param holder one and the same object for as long as the credential opens the same. */
  note(credential: string, holder: object): void {
    const now = this.now();
    const seen = this.seen.get(holder);
    if (seen !== undefined && now - seen < NOTED_MS) return;
    this.seen.set(holder, now);
    const digest = digestOf(credential);
    this.noted.delete(digest);
    this.noted.set(digest, now);
    if (this.noted.size > CAPACITY) this.noted.delete(this.noted.keys().next().value as string);
  }

  has(credential: string): boolean {
    const at = this.noted.get(digestOf(credential));
    return at !== undefined && this.now() - at < KEPT_MS;
  }
}

const digestOf = (credential: string): string =>
  encodeBase64(sha256(new TextEncoder().encode(credential)));
