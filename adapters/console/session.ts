import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { NotaryClient } from '../client/notary-client.ts';
import { expandScopes } from '../../domain/identity/scopes.ts';
import type { AnswerOf, Schemas } from '../client/shapes.ts';

export type Scope = Schemas['Scope'];

/** What a signed-in reader works with. It is in the memory of the page alone, and goes with it. */
export interface Session {
  readonly client: NotaryClient;
  readonly caller: AnswerOf<'get', '/v1/auth/me'>;
  /** Fingerprints of the signing keys that the reader trusts, as typed; empty where none was given. */
  readonly pins: string;
  trust(pins: string): void;
  /** @param why in a sentence, shown where the reader signs in again. */
  signOut(why?: string): void;
}

const Current = createContext<Session | null>(null);
export const SessionProvider = Current.Provider;

export const useSession = (): Session => {
  const session = useContext(Current);
  if (!session) throw new Error('nobody is signed in');
  return session;
};

export const may = ({ caller }: Pick<Session, 'caller'>, scope: Scope): boolean =>
  expandScopes(caller.scopes).has(scope);

/**
 * Asks the service who the key is.
 *
 * @throws SignInError, NotaryProblem, NotaryUnreachable
 */
export const signIn = async (
  base: string,
  key: string,
): Promise<Pick<Session, 'client' | 'caller'>> => {
  // What no header carries would end as a fault of the browser, in its words.
  if (!/^[\x21-\x7e]{1,8192}$/.test(key))
    throw new SignInError('This is no API key: a key is one word of letters, digits and marks.');
  const client = new NotaryClient({ url: base, credential: key, retry: { attempts: 2 } });
  const caller = await client.whoami();
  if (!isCaller(caller))
    throw new SignInError(
      'Something other than the service answers there: it does not say who the key is.',
    );
  return { client, caller };
};

const isCaller = (answer: unknown): boolean => {
  const { name, role, scopes } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && typeof role === 'string' && Array.isArray(scopes);
};

export class SignInError extends Error {
  override readonly name = 'SignInError';
}
