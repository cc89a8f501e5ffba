import { NotaryClient } from '../../client/notary-client.ts';
import type { Credential, CredentialSource } from '../../client/credential.ts';
import { assertSafeUrl } from '../fetch-input.ts';
import type { ShellEnvironment } from './environment.ts';
import { privateKeyOf } from './certificate-key.ts';
import type { Context, Profile } from './profile.ts';
import { ProfileFile } from './profile-file.ts';
import { EXIT, ShellError } from './shell-error.ts';

/** A service, and who one is to it. */
export interface Session {
  /** Of the context; null where the credential is that of the environment. */
  readonly name: string | null;
  readonly context: Context | null;
  readonly url: string;
  readonly client: NotaryClient;
  /** Which signing key is trusted; null where nobody said. */
  readonly fingerprint: string | null;
  readonly profile: Profile;
  readonly file: ProfileFile;
  /** Put behind commands that are named to the caller: empty where this context is meant without it. */
  readonly flag: string;
}

/**
 * In this order: the context that is asked for; the key of the environment; the context of the environment; the current
 * one of the profile.
 *
 * @throws ShellError
 */
export const openSession = async (
  environment: ShellEnvironment,
  asked: string | undefined,
): Promise<Session> => {
  const file = new ProfileFile(environment.configDirectory);
  const { apiKey } = environment;
  if (asked === undefined && apiKey !== null) {
    const url = environment.url ?? DEFAULT_URL;
    return {
      name: null,
      context: null,
      url,
      client: clientOf(url, apiKey),
      fingerprint: null,
      profile: { current: null, contexts: new Map() },
      file,
      flag: '',
    };
  }
  const profile = await file.read();
  const meant = environment.context ?? profile.current;
  const name = asked ?? meant;
  const context = contextIn(profile, name, file.path);
  return {
    name,
    context,
    url: context.url,
    client: clientOf(context.url, await guarded(context)),
    fingerprint: context.fingerprint,
    profile,
    file,
    flag: name === meant && apiKey === null ? '' : ` --context ${name}`,
  };
};

/**
 * The credential of a context, for as long as it is its service that is asked: one of this machine may end between two
 * attempts, and another process take its port.
 */
const guarded = async (context: Context): Promise<CredentialSource> => {
  const credential = await credentialOf(context);
  const { url, directory } = context;
  if (directory === null) return credential;
  await assertRuns(url, directory);
  return async () => {
    await assertRuns(url, directory);
    return credential;
  };
};

/**
 * Another process at the address of a service that `notary init` started gets no key of it.
 *
 * @throws ShellError
 */
export const assertRuns = async (url: string, directory: string): Promise<void> => {
  const { LocalService } = await import('./local-service.ts');
  if (await new LocalService(directory).isAt(url)) return;
  throw new ShellError(
    `The service at ${url} does not run. It is one of this machine; start it with: notary init`,
    EXIT.serviceAway,
  );
};

export const DEFAULT_URL = 'http://127.0.0.1:3000';

export const contextIn = (profile: Profile, name: string | null, path: string): Context => {
  if (profile.contexts.size === 0)
    throw new ShellError(
      `NOTARY_API_KEY is not set, and there is no profile at ${path}. Make one with: notary init`,
    );
  const names = [...profile.contexts.keys()].join(', ');
  if (name === null)
    throw new ShellError(
      `No context is chosen. Choose one of ${names} with: notary contexts use NAME`,
    );
  const context = profile.contexts.get(name);
  if (!context) throw new ShellError(`There is no context "${name}" in ${path}: it has ${names}.`);
  return context;
};

/** @param credential null for what anybody may ask. @throws InputError where it would travel in the clear */
export const clientOf = (url: string, credential: CredentialSource): NotaryClient => {
  assertSafeUrl(url);
  return new NotaryClient({ url, credential });
};

export const credentialOf = async ({ credential }: Context): Promise<Credential> =>
  credential.kind === 'api-key'
    ? credential.apiKey
    : { certificate: credential.certificate, key: await privateKeyOf(credential.privateKey) };
