import { certificateFor } from '../../client/certificate.ts';
import { assertSafeUrl } from '../fetch-input.ts';
import { newKeyPair } from './certificate-key.ts';
import type { LoginOptions } from './login.ts';
import { oneLine } from './print-answer.ts';
import { isContextName, type Context, type LoginSettings, type Profile } from './profile.ts';
import { ProfileFile } from './profile-file.ts';
import { readSecret } from './read-secret.ts';
import { assertRuns, clientOf } from './session.ts';
import { ShellError } from './shell-error.ts';
import type { Answer, Shell } from './shell.ts';
import { signingKeyOf } from './trusted-key.ts';

/** `notary login`. The profile is held only once the person has signed in. */
export const runLogin = async (shell: Shell, options: LoginOptions): Promise<Answer> => {
  const environment = shell.environment();
  const file = new ProfileFile(environment.configDirectory);
  const profile = await file.read();
  const current = profile.contexts.get(environment.context ?? profile.current ?? '');
  const name = nameOf(options, profile, environment.context ?? profile.current);
  const before = profile.contexts.get(name);
  assertFree(name, before);
  const url = (options.url ?? before?.url ?? current?.url ?? environment.url)?.replace(/\/+$/, '');
  if (url === undefined)
    throw new ShellError('No service is known. Name its address with --url.', 2);
  const client = clientOf(url, null);
  const login = settingsOf(options, before);
  const token = await tokenOf(shell, options, environment.oidcToken, login);
  const local = [...profile.contexts.values()].find((one) => one.url === url && one.directory);
  // No token for another process at its address either.
  if (local?.directory) await assertRuns(url, local.directory);
  const { pair, stored } = await newKeyPair();
  const issued = await certificateFor(client, token, pair);
  const certificate = clientOf(url, { certificate: issued.certificate, key: pair.privateKey });
  const { role, orgId } = await certificate.whoami();
  const known = [...profile.contexts.values()].find((one) => one.url === url && one.fingerprint);
  const fingerprint = await signingKeyOf(client, known?.fingerprint ?? null);
  return file.exclusively(async (held) => {
    assertFree(name, held.profile.contexts.get(name));
    const context: Context = {
      url,
      fingerprint,
      role,
      orgId: orgId ?? null,
      agentId: issued.agentId,
      directory: known?.directory ?? null,
      credential: {
        kind: 'certificate',
        certificate: issued.certificate,
        privateKey: stored,
        expiresAt: issued.expiresAt,
        login,
      },
    };
    const isCurrent = (held.profile.current ?? name) === name;
    await held.save({
      current: held.profile.current ?? name,
      contexts: new Map(held.profile.contexts).set(name, context),
    });
    const flag = isCurrent ? '' : ` --context ${name}`;
    return {
      json: {
        context: name,
        isCurrent,
        url,
        certificateId: issued.id,
        agentId: issued.agentId,
        expiresAt: issued.expiresAt,
        signingKeyFingerprint: fingerprint,
      },
      lines: [
        `The context ${name} has a certificate of the agent ${issued.agentId}, until ${issued.expiresAt}.`,
        'Each call under it is co-signed.',
      ],
      next: [
        { command: `notary whoami${flag}`, description: 'What it may do' },
        ...(isCurrent
          ? []
          : [{ command: `notary contexts use ${name}`, description: 'Make it the current one' }]),
      ],
    };
  });
};

const nameOf = (
  { context }: LoginOptions,
  { contexts }: Profile,
  current: string | null,
): string => {
  const name =
    context ??
    (current !== null && contexts.get(current)?.credential.kind === 'certificate'
      ? current
      : 'login');
  if (!isContextName(name)) throw new ShellError(`"${name}" is no name of a context.`, 2);
  return name;
};

/** A certificate ends within the hour; a key that it replaced would be lost. */
const assertFree = (name: string, context: Context | undefined): void => {
  if (context?.credential.kind === 'api-key')
    throw new ShellError(
      `The context ${name} holds an API key, which a login would replace. Name another one: --context NAME`,
      2,
    );
};

const settingsOf = (options: LoginOptions, before: Context | undefined): LoginSettings | null => {
  const last = before?.credential.kind === 'certificate' ? before.credential.login : null;
  const issuer = options.issuer ?? last?.issuer;
  const clientId = options.clientId ?? last?.clientId;
  if (issuer === undefined || clientId === undefined) return null;
  assertSafeUrl(issuer);
  return {
    issuer,
    clientId,
    scope: options.scope ?? last?.scope ?? null,
    resource: options.resource ?? last?.resource ?? null,
    audience: options.audience ?? last?.audience ?? null,
  };
};

const tokenOf = async (
  { io }: Shell,
  { tokenStdin }: LoginOptions,
  given: string | null,
  login: LoginSettings | null,
): Promise<string> => {
  if (tokenStdin) return readSecret('token', (text) => io.stderr(text));
  if (given !== null) return given;
  if (login === null)
    throw new ShellError(
      'Name the identity provider with --issuer and --client-id, or give a token in NOTARY_OIDC_TOKEN, or on standard input with --token-stdin.',
      2,
    );
  const { tokenByDevice } = await import('./device-flow.ts');
  return tokenByDevice(login, ({ url, code }) =>
    // To stderr, so that standard output holds the answer alone.
    io.stderr(
      `Sign in at\n\n  ${oneLine(url)}\n\nand confirm the code ${oneLine(code)}. Waiting…\n`,
    ),
  );
};
