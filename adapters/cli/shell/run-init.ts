import { resolve } from 'node:path';
import { fingerprintFrom } from '../../../domain/verification/keys/fingerprint.ts';
import { earlyEnd } from '../early-end.ts';
import { assertSafeUrl } from '../fetch-input.ts';
import type { InitOptions } from './init.ts';
import { LocalService, type HostKey, type Running } from './local-service.ts';
import { isContextName, type Context } from './profile.ts';
import { ProfileFile, type HeldProfile } from './profile-file.ts';
import { readSecret, releaseStdin } from './read-secret.ts';
import { clientOf } from './session.ts';
import { SetUp, type SetUpPlace } from './set-up.ts';
import { ShellError } from './shell-error.ts';
import type { Answer, Shell } from './shell.ts';
import { signingKeyOf } from './trusted-key.ts';

/** `notary init`, while no other command changes the profile. */
export const runInit = async (
  shell: Shell,
  url: string | undefined,
  options: InitOptions,
): Promise<Answer> => {
  const environment = shell.environment();
  const file = new ProfileFile(environment.configDirectory);
  const pin = pinOf(options.fingerprint);
  const names = {
    context: contextName(options.context ?? (url === undefined ? 'local' : hostOf(url))),
    org: options.org ?? 'Local',
    agent: options.agent ?? options.context ?? environment.userName,
  };
  const service =
    url === undefined
      ? new LocalService(resolve(options.directory ?? environment.dataDirectory))
      : null;
  const made = file.exclusively(async (held) => {
    const local = service === null ? null : await startLocal(held, service);
    const place = local?.place ?? (await remotePlace(held, url!, pin));
    if (local && pin !== null && pin !== place.fingerprint)
      throw new ShellError(`The service here signs with sha256:${place.fingerprint}.`, 1);
    const given = local
      ? null
      : options.keyStdin
        ? await readSecret('key', (text) => shell.io.stderr(text))
        : environment.apiKey;
    const { name } = await new SetUp(held, place, names, local?.platformKey ?? null).run(given);
    const beside = environment.apiKey === null ? [] : [BESIDE];
    return answerOf(name, held, place, local?.running ?? null, file.path, beside);
  });
  return unlessEnded(made, () => service?.abandon());
};

/** A service that is not ready yet is in no file, so it ends with the command. */
const unlessEnded = async <T>(made: Promise<T>, abandon: () => void): Promise<T> => {
  const early = earlyEnd();
  try {
    return await Promise.race([
      made,
      early.code.then((code) => {
        abandon();
        // Whoever is asked for a key is asked no more.
        releaseStdin();
        throw new ShellError('It was ended before it was done; run it again to go on.', code);
      }),
    ]);
  } finally {
    early.release();
  }
};

const BESIDE =
  'NOTARY_API_KEY is set, and goes before the profile: unset it, or name the context with --context.';

interface Local {
  readonly place: SetUpPlace;
  readonly running: Running;
  platformKey(): Promise<{
    readonly kind: 'api-key';
    readonly apiKey: string;
    readonly keyId: string;
    readonly expiresAt: string | null;
  }>;
}

const startLocal = async (held: HeldProfile, service: LocalService): Promise<Local> => {
  const { directory } = service;
  const running = (await service.running()) ?? (await service.start());
  const known = [...held.profile.contexts].filter(([, one]) => one.directory === directory);
  // The port may be another one than before.
  if (known.some(([, one]) => one.url !== running.url)) {
    const contexts = new Map<string, Context>(held.profile.contexts);
    for (const [name, one] of known) contexts.set(name, { ...one, url: running.url });
    await held.save({ ...held.profile, contexts });
  }
  const pinned = known.find(([, one]) => one.fingerprint !== null)?.[1].fingerprint ?? null;
  let host: HostKey | null = null;
  // The host itself tells which key signs, so nobody else has to be believed.
  const fingerprint =
    pinned === null
      ? (host = await service.platformKey()).signingKeyFingerprint
      : await signingKeyOf(clientOf(running.url, null), pinned);
  return {
    running,
    place: { url: running.url, fingerprint, directory },
    platformKey: async () => {
      const { apiKey, keyId, expiresAt = null } = host ?? (await service.platformKey());
      return { kind: 'api-key', apiKey, keyId, expiresAt };
    },
  };
};

const remotePlace = async (
  held: HeldProfile,
  text: string,
  pin: string | null,
): Promise<SetUpPlace> => {
  assertSafeUrl(text);
  const { origin, pathname } = new URL(text);
  const url = origin + pathname.replace(/\/+$/, '');
  const known = [...held.profile.contexts.values()].find(
    (one) => one.url === url && one.directory === null && one.fingerprint !== null,
  );
  const fingerprint = await signingKeyOf(clientOf(url, null), pin ?? known?.fingerprint ?? null);
  return { url, fingerprint, directory: null };
};

const answerOf = (
  name: string,
  { profile }: HeldProfile,
  place: SetUpPlace,
  running: Running | null,
  path: string,
  beside: readonly string[],
): Answer => {
  const context = profile.contexts.get(name)!;
  const mine = [...profile.contexts].filter(([, { url }]) => url === place.url);
  const admin = mine.find(([, { role }]) => role === 'admin')?.[0];
  const flag = profile.current === name ? '' : ` --context ${name}`;
  return {
    json: {
      url: place.url,
      pid: running?.pid ?? null,
      directory: place.directory,
      profile: path,
      context: name,
      isCurrent: profile.current === name,
      contexts: mine.map(([one]) => one),
      orgId: context.orgId,
      agentId: context.agentId,
      signingKeyFingerprint: place.fingerprint,
    },
    lines: [
      running
        ? `A service runs at ${place.url}, with its data in ${place.directory}.`
        : `The service is at ${place.url}.`,
      ...(running
        ? [
            `Stop it with: kill ${running.pid}; start it again with: notary init`,
            `Run the commands of its host there, such as: cd ${place.directory} && notary keys list`,
          ]
        : []),
      '',
      `context   ${name}${flag === '' ? ', the current one' : ''}, in ${path}`,
      `agent     ${context.agentId ?? 'none'}`,
      `org       ${context.orgId ?? 'none'}`,
      `also      ${
        mine
          .map(([one]) => one)
          .filter((one) => one !== name)
          .join(', ') || 'no other context of this service'
      }`,
      `trusts    sha256:${place.fingerprint}`,
      ...(running ? [] : ['          Compare it with what the operator of the service says.']),
      ...beside,
    ],
    next: [
      {
        command: `notary notarize --digest FILE${flag}`,
        description: 'Seal a file by its SHA-256',
      },
      ...(admin
        ? [
            {
              command: `notary types register FILE --context ${admin}`,
              description: 'Register a record type of your own',
            },
          ]
        : []),
      { command: `notary whoami${flag}`, description: 'What this context may do' },
    ],
  };
};

const pinOf = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  const pin = fingerprintFrom(text);
  if (pin === null) throw new ShellError('--fingerprint is no SHA-256 fingerprint.', 2);
  return pin;
};

const hostOf = (url: string): string => {
  assertSafeUrl(url);
  return new URL(url).hostname.replaceAll(/[^\w.-]/g, '') || 'service';
};

const contextName = (name: string): string => {
  if (isContextName(name)) return name;
  throw new ShellError(
    'The name of a context has letters, digits, dots, hyphens and underscores, at most 64.',
    2,
  );
};
